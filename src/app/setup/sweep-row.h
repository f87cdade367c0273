/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One parameter of a sweep as a row: the parameter, the form of its values (list, range), and the values. Displays an
 * axis of a plan and writes it back, but stores none. Signals: parameter-changed; changed; removed. */
#pragma once

#include "base/param.h"
#include "run/plan/sweep-plan.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define LAC_TYPE_SWEEP_ROW (lac_sweep_row_get_type())
G_DECLARE_FINAL_TYPE(LacSweepRow, lac_sweep_row, LAC, SWEEP_ROW, AdwPreferencesRow)

/* @draft: only parameters in use with its present values can be chosen. @number: row number, from 1 */
GtkWidget *lac_sweep_row_new(const LacDraft *draft, guint number);

void lac_sweep_row_show(LacSweepRow *row, const LacSweepAxis *axis, LacSweepKind kind);
void lac_sweep_row_fill(LacSweepRow *row, LacSweepAxis *axis);

/* @values: (nullable): the resolved values of the axis; NULL: @error explains why there are none */
void lac_sweep_row_show_values(LacSweepRow *row, const char *const *values, const char *error);

void lac_sweep_row_focus(LacSweepRow *row);

G_END_DECLS
