/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table twin of the timeline: every operation with its exact sums, largest first; of the range alone where one is
 * chosen. The row chosen is the operation whose durations are looked at. Signal: activated. */
#pragma once

#include "app/timeline-scope.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_OPERATION_TABLE (lac_operation_table_get_type())
G_DECLARE_FINAL_TYPE(LacOperationTable, lac_operation_table, LAC, OPERATION_TABLE, GtkWidget)

void lac_operation_table_set_scope(LacOperationTable *table, LacTimelineScope *scope);

G_END_DECLS
