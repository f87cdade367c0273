/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launch table: the options that affect how a run is computed rather than what it computes. The options of `lacuna
 * run`, the keys of a plan and the rows of the window's group Computation are all generated from it. */
#pragma once

#include "base/param.h"
#include "run/core/run.h"

G_BEGIN_DECLS

/* Options, in the order of the window's rows and of the keys in a written plan. */
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
  LAC_LAUNCH_IN_PLAN = 1 << 0,   /* may be a key of a plan */
  LAC_LAUNCH_IN_WINDOW = 1 << 1, /* has a row in the set-up page */
} LacLaunchPlaces;

/* Every row is an option of the command line. */
typedef struct {
  LacParam        param; /* range for command line and plan; lac_launch_params() has the window's */
  LacLaunchPlaces places;
  const char     *value;  /* "SECONDS": placeholder of the option's value in `--help` */
  const char     *option; /* help text of `lacuna run --help` */
} LacLaunchRow;

const LacLaunchRow *lac_launch_row(LacLaunchKey key);
/* Returns: "time-limit", static */
const char *lac_launch_get_option(LacLaunchKey key);

/* ---- values given on the command line, in a plan or in the window ---- */

/* Each value as text, in the unit of its row; NULL if it was not given. */
typedef struct {
  char *stated[LAC_N_LAUNCH];
} LacLaunch;

void lac_launch_clear(LacLaunch *launch);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacLaunch, lac_launch_clear)
void lac_launch_copy(LacLaunch *to, const LacLaunch *from);

/**
 * lac_launch_state:
 * @name: used in the error message: "threads", "--threads"
 * @text: normalised to its shortest form, 1e3 as 1000; a sweep is stored verbatim, because its
 *   keys depend on the experiment
 *
 * Returns: FALSE with %LAC_ERROR_OUT_OF_RANGE and @launch unchanged.
 */
gboolean lac_launch_state(LacLaunch   *launch,
                          LacLaunchKey key,
                          const char  *name,
                          const char  *text,
                          GError     **error);

/* Sets the values from @settings and @sweep (nullable). */
void lac_launch_take(LacLaunch *launch, const LacRunSettings *settings, const char *sweep);

/* Returns TRUE when @key was given with the table's default value. */
gboolean lac_launch_is_usual(const LacLaunch *launch, LacLaunchKey key);

/* Fills the members of @settings that have a row; values not stated get their default, threads default to all
 * processors. Strings are static. */
void lac_launch_fill(const LacLaunch *launch, LacRunSettings *settings);

/* ---- the window's rows ---- */

/* Returns the rows with this machine's ranges: up to one thread per processor, by default one fewer, so that the
 * window stays responsive. */
const LacParamTable *lac_launch_params(void);

/* Like lac_launch_fill(), from a draft of lac_launch_params(). Strings are static. */
void lac_launch_params_fill(const LacDraft *draft, LacRunSettings *settings);

/* Returns: (nullable): the sweep, in the syntax of lac_sweep_parse(). */
const char *lac_launch_params_get_sweep(const LacDraft *draft);

G_END_DECLS
