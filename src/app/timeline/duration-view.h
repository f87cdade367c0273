/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Duration histogram of the selected operation with percentiles. A drag selects a range, which is framed in the
 * timeline and filters the list of spans; arrow keys move the upper end, with Shift the lower one; Escape clears the
 * range. */
#pragma once

#include "app/timeline/scope.h"
#include "app/toolkit/drawing-view.h"
#include "report/timeline/duration-chart.h"

G_BEGIN_DECLS

#define LAC_TYPE_DURATION_VIEW (lac_duration_view_get_type())
G_DECLARE_FINAL_TYPE(LacDurationView, lac_duration_view, LAC, DURATION_VIEW, LacDrawingView)

void lac_duration_view_set_scope(LacDurationView *view, LacTimelineScope *scope);
/* Sets the chart drawn; the caller rebuilds it when the scope changes. */
void lac_duration_view_show(LacDurationView *view, const LacDurationChart *chart);

G_END_DECLS
