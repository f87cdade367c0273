/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of the operations and phases of a recording with exact sums, those with the most own time first; limited to the
 * range or to the path that limits the scope. The selected row is the chosen name. Signal: activated. */
#pragma once

#include "app/timeline/times.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_OPERATION_TABLE (lac_operation_table_get_type())
G_DECLARE_FINAL_TYPE(LacOperationTable, lac_operation_table, LAC, OPERATION_TABLE, GtkWidget)

void lac_operation_table_set_times(LacOperationTable *table, LacTimelineTimes *times);
/* Returns: (transfer floating): the button with the menu of the columns. Called once. */
GtkWidget *lac_operation_table_make_menu_button(LacOperationTable *table);

G_END_DECLS
