/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline of a recording: the strip of iterations, ruler, lanes and tracks, with pointer and keys. */
#pragma once

#include "app/timeline-analysis.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_TIMELINE_WIDGET (lac_timeline_widget_get_type())
G_DECLARE_FINAL_TYPE(LacTimelineWidget, lac_timeline_widget, LAC, TIMELINE_WIDGET, GtkWidget)

LacTimelineScope *lac_timeline_widget_get_scope(LacTimelineWidget *widget); /* (transfer none) */

/* Of an outlying iteration the reading says what grew in it. */
void lac_timeline_widget_set_analysis(LacTimelineWidget *widget, LacTimelineAnalysis *analysis);

/* Property "reading": the span under the pointer in words, else the selected one; NULL without one.
 * Signals: activated: the selected bar, by a double click or Enter; marked (guint i): mark i is to be put in words. */

G_END_DECLS
