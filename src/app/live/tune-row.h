/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A parameter that may change during the run, narrow enough for the side: name, value before the last change, entry.
 * Signal: changed, after the user has entered a valid value; its text is that of the draft. */
#pragma once

#include "base/param.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define LAC_TYPE_TUNE_ROW (lac_tune_row_get_type())
G_DECLARE_FINAL_TYPE(LacTuneRow, lac_tune_row, LAC, TUNE_ROW, AdwActionRow)

/* @param, @draft: borrowed; they outlive the row. */
GtkWidget      *lac_tune_row_new(const LacParam *param, LacDraft *draft);
const LacParam *lac_tune_row_get_param(LacTuneRow *row);
/* Enters a value as the user does. */
void lac_tune_row_enter(LacTuneRow *row, const char *text);
/* Shows the value before the last change. @text: (nullable): the value was not changed */
void lac_tune_row_set_before(LacTuneRow *row, const char *text);

G_END_DECLS
