/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --sweep KEY=A,B,C: every combination of the values of several parameters; of "together; KEY=A,B,C; KEY=D,E,F" the first values, then
 * the second ones ...; of "random 20; KEY=4..16; KEY=0.1..10 log; KEY=A,B" twenty runs with values drawn from ranges and lists, the same
 * ones every time. */
#pragma once

#include "base/param.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacSweep LacSweep;

/**
 * lac_sweep_new:
 * @specs: NULL-terminated "KEY=A,B,C"
 *
 * Every value is tried against its row.
 * Returns: %NULL with %LAC_ERROR_USAGE, %LAC_ERROR_UNKNOWN_KEY or %LAC_ERROR_OUT_OF_RANGE set.
 */
LacSweep *lac_sweep_new(const LacParamTable *params, const char *const *specs, GError **error);
/* Of one line of text: "KEY=A,B,C; KEY=D,E"; the word for the kind comes first. */
LacSweep *lac_sweep_parse(const LacParamTable *params, const char *text, GError **error);
void      lac_sweep_free(LacSweep *sweep);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSweep, lac_sweep_free)

gsize lac_sweep_get_n(const LacSweep *sweep); /* combinations; 1 without specs */

gsize       lac_sweep_get_n_keys(const LacSweep *sweep);
const char *lac_sweep_get_key(const LacSweep *sweep, gsize k);
/* What key @k has in combination @i. */
const char *lac_sweep_get_value(const LacSweep *sweep, gsize k, gsize i);

/* Sets combination @i on @draft; the last key varies fastest. */
gboolean lac_sweep_apply(const LacSweep *sweep, gsize i, LacDraft *draft, GError **error);
/* Returns: (transfer full): "sensors = 4, noise = 0.01" */
char *lac_sweep_dup_label(const LacSweep *sweep, gsize i);

G_END_DECLS
