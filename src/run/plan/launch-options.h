/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The launch table: how a run is computed, apart from what it computes. The options of `lacuna run`, the keys of a plan and the rows of
 * the window's group Computation are all read from it. */
#pragma once

#include "base/param.h"
#include "run/core/run.h"

G_BEGIN_DECLS

/* In the order of the window's rows and of the keys in a plan that is written. */
typedef enum {
  LAC_LAUNCH_SEED,
  LAC_LAUNCH_THREADS,
  LAC_LAUNCH_BACKEND,
  LAC_LAUNCH_PRECISION,
  LAC_LAUNCH_PROFILE,
  LAC_LAUNCH_SWEEP,
  LAC_LAUNCH_TIME_LIMIT,
  LAC_LAUNCH_DISK_BUDGET,
  LAC_N_LAUNCH,
} LacLaunchKey;

typedef enum {
  LAC_LAUNCH_IN_PLAN = 1 << 0,   /* its key stands in a plan */
  LAC_LAUNCH_IN_WINDOW = 1 << 1, /* it has a row in the set-up page */
} LacLaunchPlaces;

/* Every row is an option of the command line. */
typedef struct {
  LacParam        param; /* a number's range is the same everywhere */
  LacLaunchPlaces places;
  const char     *value;  /* "SECONDS": name of the option's value in `--help` */
  const char     *option; /* what `lacuna run --help` says */
} LacLaunchRow;

const LacLaunchRow *lac_launch_row(LacLaunchKey key);
/* Returns: "time-limit", for ever */
const char *lac_launch_get_option(LacLaunchKey key);

/* ---- what a command line, a plan or the window states ---- */

/* Each value as text, in the row's unit; NULL where nothing is stated. */
typedef struct {
  char *stated[LAC_N_LAUNCH];
} LacLaunch;

void lac_launch_clear(LacLaunch *launch);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacLaunch, lac_launch_clear)
void lac_launch_copy(LacLaunch *to, const LacLaunch *from);

/**
 * lac_launch_state:
 * @name: how the error calls it: "threads", "--threads"
 * @text: stored in its shortest form, 1e3 as 1000; a sweep as it is, because its keys are those of an experiment
 *
 * Returns: FALSE with %LAC_ERROR_OUT_OF_RANGE and @launch as before.
 */
gboolean lac_launch_state(LacLaunch   *launch,
                          LacLaunchKey key,
                          const char  *name,
                          const char  *text,
                          GError     **error);

/* States everything that @settings and @sweep (nullable) say. */
void lac_launch_take(LacLaunch *launch, const LacRunSettings *settings, const char *sweep);

/* Whether @key is stated as the table's default. */
gboolean lac_launch_is_usual(const LacLaunch *launch, LacLaunchKey key);

/* Fills the members of @settings that rows stand for; what is not stated has its default, the threads are all there are. Strings
 * are static. */
void lac_launch_fill(const LacLaunch *launch, LacRunSettings *settings);

/* ---- the window's rows ---- */

/* Rows with this machine's ranges: as many threads as processors, by default one fewer, so that the window stays fluid. */
const LacParamTable *lac_launch_params(void);

/* As lac_launch_fill(), from a draft of lac_launch_params(). Strings are static. */
void lac_launch_params_fill(const LacDraft *draft, LacRunSettings *settings);

/* Returns: (nullable): what is swept, as lac_sweep_parse() takes it. */
const char *lac_launch_params_get_sweep(const LacDraft *draft);

G_END_DECLS
