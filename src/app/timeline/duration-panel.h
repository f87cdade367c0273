/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Durations of one operation of the timeline: description, histogram, and a table of its bins whose selected rows are
 * the brushed range. */
#pragma once

#include "app/timeline/scope.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_DURATION_PANEL (lac_duration_panel_get_type())
G_DECLARE_FINAL_TYPE(LacDurationPanel, lac_duration_panel, LAC, DURATION_PANEL, GtkWidget)

void lac_duration_panel_set_scope(LacDurationPanel *panel, LacTimelineScope *scope);

G_END_DECLS
