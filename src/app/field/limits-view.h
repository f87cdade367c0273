/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram of the values shown, with two draggable handles at the limits of their scale. Signal: limits-dragged:
 * read the new limits with lac_limits_view_get_limits(). */
#pragma once

#include "app/field/view.h"
#include "app/toolkit/drawing-view.h"

G_BEGIN_DECLS

#define LAC_TYPE_LIMITS_VIEW (lac_limits_view_get_type())
G_DECLARE_FINAL_TYPE(LacLimitsView, lac_limits_view, LAC, LIMITS_VIEW, LacDrawingView)

/* Recomputes the histogram. The axis range stays fixed while a handle is dragged. */
void     lac_limits_view_show(LacLimitsView *view, LacFieldView *field, gboolean of_errors);
LacScale lac_limits_view_get_limits(LacLimitsView *view);

G_END_DECLS
