/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Durations of the operation that is looked at, as a histogram with its percentiles. A drag chooses a stretch of them, which are
 * framed in the timeline and alone in the list of spans; arrows move the upper end, with Shift the lower one; Escape lets go. */
#pragma once

#include "app/drawing-view.h"
#include "app/timeline-scope.h"
#include "report/timeline/duration-chart.h"

G_BEGIN_DECLS

#define LAC_TYPE_DURATION_VIEW (lac_duration_view_get_type())
G_DECLARE_FINAL_TYPE(LacDurationView, lac_duration_view, LAC, DURATION_VIEW, LacDrawingView)

void lac_duration_view_set_scope(LacDurationView *view, LacTimelineScope *scope);
/* What is drawn; its owner makes it anew when the scope changes. */
void lac_duration_view_show(LacDurationView *view, const LacDurationChart *chart);

G_END_DECLS
