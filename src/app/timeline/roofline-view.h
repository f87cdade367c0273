/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The roofline chart of the operations in the timeline (or in the range, if one is selected) for the machine that
 * recorded them, or the reason why there is none. */
#pragma once

#include "app/timeline/analysis.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_ROOFLINE_VIEW (lac_roofline_view_get_type())
G_DECLARE_FINAL_TYPE(LacRooflineView, lac_roofline_view, LAC, ROOFLINE_VIEW, GtkWidget)

void lac_roofline_view_set_analysis(LacRooflineView *view, LacTimelineAnalysis *analysis);

G_END_DECLS
