/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curves that a frame holds, of one of its channels: they change with the frame, as its fields do. */
#pragma once

#include "app/drawing-view.h"
#include "app/session.h"

G_BEGIN_DECLS

#define LAC_TYPE_CHART_VIEW (lac_chart_view_get_type())
G_DECLARE_FINAL_TYPE(LacChartView, lac_chart_view, LAC, CHART_VIEW, LacDrawingView)

void lac_chart_view_set_session(LacChartView *view, LacSession *session); /* (nullable) */
/* @frame: one of the session; takes a reference */
void lac_chart_view_set_frame(LacChartView *view, LacFrame *frame);

/* @channel: of the session's, with a chart */
void lac_chart_view_set_channel(LacChartView *view, gsize channel);

void     lac_chart_view_set_shown(LacChartView *view, gsize curve, gboolean shown);
gboolean lac_chart_view_is_shown(LacChartView *view, gsize curve);

G_END_DECLS
