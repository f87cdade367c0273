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

/* Hides or shows all curves of a method. @group: from lac_metric_group() */
void lac_curve_view_set_group_shown(LacCurveView *view, const char *group, gboolean shown);

/* A change of a setting during the run. */
typedef struct {
  gint64 step;
  char  *text; /* "Inflation 1.05 → 1.6" */
} LacCurveMark;
/* @marks: [n], copied: drawn as dashed lines with their texts */
void lac_curve_view_set_marks(LacCurveView *view, const LacCurveMark *marks, gsize n);
/* The last step of the axis; 0: that of the curves. */
void lac_curve_view_set_last_step(LacCurveView *view, gint64 last);
/* Shades the steps over which means are taken. @from: -1: none; @words: (nullable): label of the part */
void lac_curve_view_set_mean(LacCurveView *view, gint64 from, const char *words);

G_END_DECLS
