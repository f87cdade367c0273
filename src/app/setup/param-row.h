/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One parameter as a row: built from its LacParam, edits a draft, explains an invalid value. Signal: changed. */
#pragma once

#include "base/param.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define LAC_TYPE_PARAM_ROW (lac_param_row_get_type())
G_DECLARE_FINAL_TYPE(LacParamRow, lac_param_row, LAC, PARAM_ROW, AdwActionRow)

/* @draft: borrowed; must outlive the row */
GtkWidget *lac_param_row_new(const LacParam *param, LacDraft *draft);

const LacParam *lac_param_row_get_param(LacParamRow *row);

/* Returns: the text entered or chosen when "changed" was emitted. */
const char *lac_param_row_get_text(LacParamRow *row);

/* Returns: (nullable): why the current value is invalid. */
const char *lac_param_row_get_error(LacParamRow *row);

/* @note: (nullable): the resolved value, shown instead of the help, which remains available as a tooltip */
void lac_param_row_set_note(LacParamRow *row, const char *note);

/* @values: (nullable): "Sweep: 4, 8, 12", shown instead of the help while a sweep sets the parameter, which then cannot
 * be edited here */
void lac_param_row_set_swept(LacParamRow *row, const char *values);

/* Shows the current value of the draft. */
void lac_param_row_refresh(LacParamRow *row);

/* Returns TRUE when the parameter has an effect with the present values of the other parameters. */
gboolean lac_param_row_is_in_use(LacParamRow *row);

/* Sets @text as if the user had typed it. */
void lac_param_row_enter(LacParamRow *row, const char *text);

/* Creates a unit label. Units have a column of their own, so that the entries line up. */
GtkWidget *lac_param_row_unit_new(const char *unit);

G_END_DECLS
