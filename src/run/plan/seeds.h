/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same run with several seeds: median and worst of every metric. */
#pragma once

#include "run/plan/run-child.h"

G_BEGIN_DECLS

/**
 * LacRunDriveFunc: starts @run and returns when it has ended, showing progress meanwhile.
 * @i: which one, of @n
 *
 * Returns: FALSE when no further run should follow (the person interrupted).
 */
typedef gboolean (*LacRunDriveFunc)(LacRun *run, guint i, guint n, gpointer user_data);

/* Runs a run that wants one in a process of its own, likewise. @go_on: (out): what a LacRunDriveFunc returns
 * Returns: (transfer full): its result; %NULL with an error, or without one where there can be no such process. */
typedef JsonObject *(*LacChildDriveFunc)(const LacRunSettings *settings,
                                         gboolean             *go_on,
                                         gpointer              user_data,
                                         GError              **error);

typedef struct {
  LacRunDriveFunc   run;
  LacChildDriveFunc child; /* (nullable): all run in this process */
  gpointer          user_data;
} LacSeedsDriver;

typedef struct _LacSeeds LacSeeds;

/**
 * lac_seeds_run:
 * @settings: of the first run; the seed of run i is @settings->seed + i
 * @n: 1 or more
 *
 * One after another. A run that fails or diverges does not end the series.
 * Returns: %NULL when a run could not even be opened.
 */
LacSeeds *lac_seeds_run(const LacRunSettings *settings,
                        guint                 n,
                        const LacSeedsDriver *driver,
                        GError              **error);
void      lac_seeds_free(LacSeeds *seeds);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSeeds, lac_seeds_free)

/* (transfer none): the channels and metrics of every run. */
const LacOutline *lac_seeds_get_outline(const LacSeeds *seeds);

guint lac_seeds_get_n(const LacSeeds *seeds); /* runs that ended, with whatever outcome */

/* The first outcome that is not "finished", else "finished". */
const char *lac_seeds_get_outcome(const LacSeeds *seeds);

/* Of metric @m of the experiment over the runs that have it; NaN when none has. The worst is the largest: every
 * result metric is an error, a cost or an energy. */
double lac_seeds_get_median(const LacSeeds *seeds, gsize m);
double lac_seeds_get_worst(const LacSeeds *seeds, gsize m);

/* As lac_run_dup_result(), with medians in "metrics", and "worst" and "seeds" (an object a run) beside it. */
char *lac_seeds_dup_json(const LacSeeds *seeds);

G_END_DECLS
