/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curves stored in one channel of a frame; like its fields, they change with the frame. */
#pragma once

#include "app/session/session.h"
#include "app/toolkit/drawing-view.h"

G_BEGIN_DECLS

#define LAC_TYPE_CHART_VIEW (lac_chart_view_get_type())
G_DECLARE_FINAL_TYPE(LacChartView, lac_chart_view, LAC, CHART_VIEW, LacDrawingView)

void lac_chart_view_set_session(LacChartView *view, LacSession *session); /* (nullable) */
/* @frame: a frame of the session; takes a reference */
void lac_chart_view_set_frame(LacChartView *view, LacFrame *frame);

/* @channel: a channel of the session that holds curves */
void lac_chart_view_set_channel(LacChartView *view, gsize channel);

G_END_DECLS
