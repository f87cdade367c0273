/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Live curves of a session, one kind at a time, against step or seconds; true values as dashed lines. A vertical line
 * marks the step whose fields are shown. Signal: step-chosen (gint64), on a click, or with the arrow keys and Enter. */
#pragma once

#include "app/session/session.h"
#include "app/toolkit/drawing-view.h"
#include "report/text/metric-group.h"

G_BEGIN_DECLS

#define LAC_TYPE_CURVE_VIEW (lac_curve_view_get_type())
G_DECLARE_FINAL_TYPE(LacCurveView, lac_curve_view, LAC, CURVE_VIEW, LacDrawingView)

void lac_curve_view_set_session(LacCurveView *view, LacSession *session); /* (nullable) */
/* The step whose fields are shown. */
void lac_curve_view_set_shown_step(LacCurveView *view, gint64 step);
void lac_curve_view_set_kind(LacCurveView *view, LacCurveKind kind);
void lac_curve_view_set_seconds(LacCurveView *view, gboolean against_seconds);

void     lac_curve_view_set_shown(LacCurveView *view, gsize metric, gboolean shown);
gboolean lac_curve_view_is_shown(LacCurveView *view, gsize metric);

G_END_DECLS
