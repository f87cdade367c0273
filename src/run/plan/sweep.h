/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of a sweep: a sweep plan (run/plan/sweep-plan.h) evaluated for the parameters of an experiment. Random draws
 * are reproducible. */
#pragma once

#include "base/param.h"
#include "run/plan/sweep-plan.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacSweep LacSweep;

/**
 * lac_sweep_parse:
 * @text: one line, in the syntax of lac_sweep_plan_parse()
 *
 * Every value is validated against its parameter.
 * Returns: %NULL with %LAC_ERROR_USAGE, %LAC_ERROR_UNKNOWN_KEY or %LAC_ERROR_OUT_OF_RANGE set.
 */
LacSweep *lac_sweep_parse(const LacParamTable *params, const char *text, GError **error);
void      lac_sweep_free(LacSweep *sweep);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSweep, lac_sweep_free)

/* Returns TRUE when @row can be swept over a list of values; a value that itself has several parts would be ambiguous
 * in a list. */
gboolean lac_sweep_can_vary(const LacParam *row);

#define LAC_SWEEP_SEED "seed" /* key of the run's seed, which every experiment can sweep */

/* Returns: (nullable): the row of a parameter, or of the run's seed. */
const LacParam *lac_sweep_find_row(const LacParamTable *params, const char *key);

/* Validates the values of one axis against its parameter and the other axes. Returns: (transfer full): NULL with an
 * error of this axis. */
GStrv lac_sweep_dup_values(const LacParamTable *params,
                           const LacSweepPlan  *plan,
                           guint                axis,
                           GError             **error);

gsize lac_sweep_get_n(const LacSweep *sweep); /* number of combinations; 1 with nothing swept */

gsize       lac_sweep_get_n_keys(const LacSweep *sweep);
const char *lac_sweep_get_key(const LacSweep *sweep, gsize k);
/* Returns the value of key @k in combination @i. */
const char *lac_sweep_get_value(const LacSweep *sweep, gsize k, gsize i);

/* Sets combination @i on @draft; the last key varies fastest. A swept seed is no part of the draft. */
gboolean lac_sweep_apply(const LacSweep *sweep, gsize i, LacDraft *draft, GError **error);
/* Returns the seed of combination @i: @otherwise unless seeds are swept. */
guint64 lac_sweep_get_seed(const LacSweep *sweep, gsize i, guint64 otherwise);

/* Returns: (transfer full): what the runs of one sweep have in common, and no other run: "20261125-163210-1a2b
 * sensors=4,6", a time with a random number, and the text of the sweep. */
char *lac_sweep_dup_identity(const char *text);

/* Returns: (transfer full): "sensors = 4, noise = 0.01" */
char *lac_sweep_dup_label(const LacSweep *sweep, gsize i);

G_END_DECLS
