/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lanes of a recording over time: zoom at the pointer, drag to move, W A S D, 0 to fit. */
#pragma once

#include "app/recording.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_TIMELINE_WIDGET (lac_timeline_widget_get_type())
G_DECLARE_FINAL_TYPE(LacTimelineWidget, lac_timeline_widget, LAC, TIMELINE_WIDGET, GtkWidget)

void lac_timeline_widget_set_recording(LacTimelineWidget *view,
                                       LacRecording      *recording); /* (nullable) */
void lac_timeline_widget_fit(LacTimelineWidget *view);

/* Property "selection": the span under the pointer in words; NULL without one. */

G_END_DECLS
