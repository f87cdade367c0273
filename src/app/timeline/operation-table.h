/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of the operations of a recording with exact sums, largest first; limited to the range if one is selected. The
 * selected row determines the operation of the durations view. Signal: activated. */
#pragma once

#include "app/timeline/scope.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_OPERATION_TABLE (lac_operation_table_get_type())
G_DECLARE_FINAL_TYPE(LacOperationTable, lac_operation_table, LAC, OPERATION_TABLE, GtkWidget)

void lac_operation_table_set_scope(LacOperationTable *table, LacTimelineScope *scope);

G_END_DECLS
