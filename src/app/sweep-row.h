/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One parameter of a sweep as a row: which one, how its values are said, and these. Shows an axis of a plan and is read back into it;
 * keeps none. Signals: parameter-changed; changed; removed. */
#pragma once

#include "base/param.h"
#include "run/plan/sweep-plan.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define LAC_TYPE_SWEEP_ROW (lac_sweep_row_get_type())
G_DECLARE_FINAL_TYPE(LacSweepRow, lac_sweep_row, LAC, SWEEP_ROW, AdwPreferencesRow)

/* @draft: rows in use while it is as it is can be chosen. @number: of the row, from 1 */
GtkWidget *lac_sweep_row_new(const LacDraft *draft, guint number);

void lac_sweep_row_show(LacSweepRow *row, const LacSweepAxis *axis, LacSweepKind kind);
void lac_sweep_row_fill(LacSweepRow *row, LacSweepAxis *axis);

/* @values: (nullable): what the axis comes to; NULL: @error says why it comes to nothing */
void lac_sweep_row_show_values(LacSweepRow *row, const char *const *values, const char *error);

void lac_sweep_row_focus(LacSweepRow *row);

G_END_DECLS
