/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often the values on view occur, with the limits of their scale as two handles to be dragged. Signal: limits-dragged: the limits
 * are those of lac_limits_view_get_limits(). */
#pragma once

#include "app/drawing-view.h"
#include "app/field-scale.h"

G_BEGIN_DECLS

#define LAC_TYPE_LIMITS_VIEW (lac_limits_view_get_type())
G_DECLARE_FINAL_TYPE(LacLimitsView, lac_limits_view, LAC, LIMITS_VIEW, LacDrawingView)

/* Counts again. While a handle is dragged the span stays. */
void     lac_limits_view_show(LacLimitsView *view, const LacFieldScene *scene, gboolean of_errors);
LacScale lac_limits_view_get_limits(LacLimitsView *view);

G_END_DECLS
