/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bars and the flame graph above what they summarise. Where there is less room, first the flame graph goes behind an
 * expander, then the legend of the first bar; both bars always stay. */
#pragma once

#include "app/timeline/times.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_TIME_OVERVIEW (lac_time_overview_get_type())
G_DECLARE_FINAL_TYPE(LacTimeOverview, lac_time_overview, LAC, TIME_OVERVIEW, GtkWidget)

/* Properties: body (GtkWidget, the timeline and its tables, below); is-crowded (readable): the opened flame graph leaves
 * less than the body needs, so that a part of it should be hidden. */

void lac_time_overview_set_times(LacTimeOverview *overview, LacTimelineTimes *times);

G_END_DECLS
