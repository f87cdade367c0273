/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layout of the live page's column: fields at the height that their panes need, their controls below, curves in the
 * rest. */
#pragma once

#include "app/field/view.h"

G_BEGIN_DECLS

#define LAC_TYPE_LIVE_COLUMN (lac_live_column_get_type())
G_DECLARE_FINAL_TYPE(LacLiveColumn, lac_live_column, LAC, LIVE_COLUMN, GtkWidget)

/* @viewer: the child that shows @field; the last child gets the remaining height. Both borrowed. */
void lac_live_column_set_field(LacLiveColumn *column, GtkWidget *viewer, LacFieldView *field);

/* @is_filled: the viewer uses all available height (a volume), not the height of its panes. */
void lac_live_column_set_filled(LacLiveColumn *column, gboolean is_filled);

G_END_DECLS
