/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One parameter as a row: made from its LacParam, edits a draft, explains itself when it cannot. Signal: changed. */
#pragma once

#include "base/param.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define LAC_TYPE_PARAM_ROW (lac_param_row_get_type())
G_DECLARE_FINAL_TYPE(LacParamRow, lac_param_row, LAC, PARAM_ROW, AdwActionRow)

/* @draft: borrowed; outlives the row */
GtkWidget *lac_param_row_new(const LacParam *param, LacDraft *draft);

const LacParam *lac_param_row_get_param(LacParamRow *row);

/* What was typed or chosen, when changed was emitted. */
const char *lac_param_row_get_text(LacParamRow *row);

/* Returns: (nullable): why what stands in the row cannot be taken. */
const char *lac_param_row_get_error(LacParamRow *row);

/* @note: (nullable): what the value comes to; it stands in place of the help, which stays in the tooltip */
void lac_param_row_set_note(LacParamRow *row, const char *note);

/* Shows what the draft holds. */
void lac_param_row_refresh(LacParamRow *row);

/* Whether there is something to set while the other rows are as they are. */
gboolean lac_param_row_is_in_use(LacParamRow *row);

/* As if typed. */
void lac_param_row_enter(LacParamRow *row, const char *text);

/* Units stand in a column of their own, so that the entries line up. */
GtkWidget *lac_param_row_unit_new(const char *unit);

/* Lays out the title and the subtitle within the row. */
void lac_stack_layout_take_titles(GtkWidget *action_row);

G_END_DECLS
