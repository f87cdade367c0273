/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The column of the live page: fields as high as their panes fill, what belongs to them below, curves in what is left. */
#pragma once

#include "app/field-view.h"

G_BEGIN_DECLS

#define LAC_TYPE_LIVE_COLUMN (lac_live_column_get_type())
G_DECLARE_FINAL_TYPE(LacLiveColumn, lac_live_column, LAC, LIVE_COLUMN, GtkWidget)

/* @viewer: the child that shows @field; the last child takes what is left. Both borrowed. */
void lac_live_column_set_field(LacLiveColumn *column, GtkWidget *viewer, LacFieldView *field);

/* The viewer shows what is as high as there is room, not fields. */
void lac_live_column_set_filled(LacLiveColumn *column, gboolean is_filled);

G_END_DECLS
