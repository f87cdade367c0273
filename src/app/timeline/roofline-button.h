/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A button whose popover shows the roofline chart of the operations in the timeline (or in the range, if one is
 * selected) for the machine that recorded them, or explains why there is no chart. */
#pragma once

#include "app/timeline/analysis.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_ROOFLINE_BUTTON (lac_roofline_button_get_type())
G_DECLARE_FINAL_TYPE(LacRooflineButton, lac_roofline_button, LAC, ROOFLINE_BUTTON, GtkWidget)

void lac_roofline_button_set_analysis(LacRooflineButton *button, LacTimelineAnalysis *analysis);

G_END_DECLS
