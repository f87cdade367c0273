/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of methods below the fields (report/summary/method-table.h), which is also the legend of the curves. While
 * the run is active the order of the rows is held; it is sorted when the run pauses or ends, or by a click on a
 * heading. Signals: toggled (const char *group, gboolean shown), when the user hides or shows the curves of a method;
 * refreshed, when values or the order of the rows may have changed. */
#pragma once

#include "app/session/session.h"
#include "report/summary/method-table.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_METHOD_VIEW (lac_method_view_get_type())
G_DECLARE_FINAL_TYPE(LacMethodView, lac_method_view, LAC, METHOD_VIEW, GtkWidget)

void lac_method_view_set_session(LacMethodView *view, LacSession *session); /* (nullable) */
/* Sets the step of the frame shown. */
void lac_method_view_set_step(LacMethodView *view, gint64 step);

/* Returns: (transfer none): the present values; empty without a session. */
const LacMethodTable *lac_method_view_get_table(LacMethodView *view);
/* Returns: the row of the table at @position in the order shown; -1 beyond the last. */
int lac_method_view_get_row(LacMethodView *view, guint position);
/* Returns: the row that bears the mark of the best method; -1: none. */
int lac_method_view_get_best(LacMethodView *view);
/* Returns: the look (report/plot/plot.h) of the curves of a row; 0: a comparison. */
guint lac_method_view_get_look(LacMethodView *view, guint row);

G_END_DECLS
