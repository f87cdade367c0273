/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of a sweep: what a plan of one (run/plan/sweep-plan.h) comes to for the parameters of an experiment. What is drawn is the same
 * every time. */
#pragma once

#include "base/param.h"
#include "run/plan/sweep-plan.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacSweep LacSweep;

/**
 * lac_sweep_parse:
 * @text: one line, as lac_sweep_plan_parse() takes it
 *
 * Every value is tried against its row.
 * Returns: %NULL with %LAC_ERROR_USAGE, %LAC_ERROR_UNKNOWN_KEY or %LAC_ERROR_OUT_OF_RANGE set.
 */
LacSweep *lac_sweep_parse(const LacParamTable *params, const char *text, GError **error);
void      lac_sweep_free(LacSweep *sweep);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSweep, lac_sweep_free)

/* Whether a list of values can be written down for @row: words of several parts cannot be told from several values. */
gboolean lac_sweep_can_vary(const LacParam *row);

/* The values of one axis, tried against its row and the other axes. Returns: (transfer full): NULL with an error of this axis. */
GStrv lac_sweep_dup_values(const LacParamTable *params,
                           const LacSweepPlan  *plan,
                           guint                axis,
                           GError             **error);

gsize lac_sweep_get_n(const LacSweep *sweep); /* combinations; 1 with nothing swept */

gsize       lac_sweep_get_n_keys(const LacSweep *sweep);
const char *lac_sweep_get_key(const LacSweep *sweep, gsize k);
/* What key @k has in combination @i. */
const char *lac_sweep_get_value(const LacSweep *sweep, gsize k, gsize i);

/* Sets combination @i on @draft; the last key varies fastest. */
gboolean lac_sweep_apply(const LacSweep *sweep, gsize i, LacDraft *draft, GError **error);
/* Returns: (transfer full): "sensors = 4, noise = 0.01" */
char *lac_sweep_dup_label(const LacSweep *sweep, gsize i);

G_END_DECLS
