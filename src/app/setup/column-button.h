/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Button beside the file of measurements: a list of the file's columns for x, y, t and each quantity, for tables with
 * names of their own. Hidden while the file is not a table. */
#pragma once

#include "experiment/experiment.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_COLUMN_BUTTON (lac_column_button_get_type())
G_DECLARE_FINAL_TYPE(LacColumnButton, lac_column_button, LAC, COLUMN_BUTTON, GtkWidget)

/* @table: parameters of the experiment, whose measured quantities are offered; @path: holds the file with the columns
 * chosen behind it (see io/format/table-choice.h), and receives the choice. Both borrowed; they outlive the button. */
GtkWidget *lac_column_button_new(const LacParamTable *table, GtkEditable *path);

G_END_DECLS
