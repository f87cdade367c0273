/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Repeats of one run with several seeds: median and worst value of every metric. */
#pragma once

#include "run/plan/run-child.h"

G_BEGIN_DECLS

/**
 * LacRunDriveFunc: starts @run, shows progress and returns when it has ended.
 * @i: index of the run, of @n
 *
 * Returns: FALSE when no further run should follow (the user interrupted).
 */
typedef gboolean (*LacRunDriveFunc)(LacRun *run, guint i, guint n, gpointer user_data);

/* Performs a run in a child process; called if lac_run_wants_child() returns TRUE. @go_on: (out): same meaning as the
 * return value of LacRunDriveFunc. Returns: (transfer full): the result of the run; %NULL with an error, or without
 * an error if no child process can be started. */
typedef JsonObject *(*LacChildDriveFunc)(const LacRunSettings *settings,
                                         gboolean             *go_on,
                                         gpointer              user_data,
                                         GError              **error);

typedef struct {
  LacRunDriveFunc   run;
  LacChildDriveFunc child; /* (nullable): NULL: all runs in this process */
  gpointer          user_data;
} LacSeedsDriver;

typedef struct _LacSeeds LacSeeds;

/**
 * lac_seeds_run:
 * @settings: of the first run; the seed of run i is @settings->seed + i
 * @n: 1 or more
 *
 * The runs are consecutive. A run that fails or diverges does not end the series.
 * Returns: %NULL when a run could not even be opened.
 */
LacSeeds *lac_seeds_run(const LacRunSettings *settings,
                        guint                 n,
                        const LacSeedsDriver *driver,
                        GError              **error);
void      lac_seeds_free(LacSeeds *seeds);

/* For runs performed elsewhere: starts without any; their results are added in the order of the seeds. @result: (transfer
 * full) */
LacSeeds *lac_seeds_new(const LacRunSettings *settings);
void      lac_seeds_add(LacSeeds *seeds, JsonObject *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSeeds, lac_seeds_free)

/* Returns: (transfer none): channels and metrics, the same for every run. */
const LacOutline *lac_seeds_get_outline(const LacSeeds *seeds);

guint lac_seeds_get_n(const LacSeeds *seeds); /* runs that ended, with any outcome */

/* Returns the first outcome other than "finished", else "finished". */
const char *lac_seeds_get_outcome(const LacSeeds *seeds);

/* Return statistics of metric @m over the runs that have it; NaN if none does. The worst is the largest: every result
 * metric is an error, a cost or an energy. */
double lac_seeds_get_median(const LacSeeds *seeds, gsize m);
double lac_seeds_get_worst(const LacSeeds *seeds, gsize m);

/* Like lac_run_dup_result(), with medians in "metrics", plus "worst" and "seeds" (one object per run). */
char *lac_seeds_dup_json(const LacSeeds *seeds);

G_END_DECLS
