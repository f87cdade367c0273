/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The spans of the range, or else of the visible time, as a table: the contents of the lanes, accessible by keyboard
 * and screen reader. Paginated; choosing a row selects its span. */
#pragma once

#include "app/timeline/scope.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_SPAN_TABLE (lac_span_table_get_type())
G_DECLARE_FINAL_TYPE(LacSpanTable, lac_span_table, LAC, SPAN_TABLE, GtkWidget)

#define LAC_SPAN_TABLE_PAGE 200 /* rows; longer lists jump while scrolling */

void lac_span_table_set_scope(LacSpanTable *table, LacTimelineScope *scope);

G_END_DECLS
