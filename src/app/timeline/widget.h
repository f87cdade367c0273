/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline of a recording: strip of iterations, ruler, lanes and tracks, with pointer and key handling. */
#pragma once

#include "app/timeline/analysis.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_TIMELINE_WIDGET (lac_timeline_widget_get_type())
G_DECLARE_FINAL_TYPE(LacTimelineWidget, lac_timeline_widget, LAC, TIMELINE_WIDGET, GtkWidget)

LacTimelineScope *lac_timeline_widget_get_scope(LacTimelineWidget *widget); /* (transfer none) */

/* @analysis: explains outlying iterations in the property "reading". */
void lac_timeline_widget_set_analysis(LacTimelineWidget *widget, LacTimelineAnalysis *analysis);

/* Property "reading": description of the span under the pointer, or else of the selected span; NULL if there is
 * neither. Signals: activated: the selected bar was activated by a double click or Enter; marked (guint i): the user
 * is to name mark i. */

G_END_DECLS
