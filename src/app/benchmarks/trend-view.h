/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trend of one measured quantity over the stored results, with its levels and the limit. The pointer and the arrow keys
 * choose a result, whose value the tooltip and the screen reader read. */
#pragma once

#include "app/benchmarks/results.h"
#include "app/toolkit/drawing-view.h"

G_BEGIN_DECLS

#define LAC_TYPE_TREND_VIEW (lac_trend_view_get_type())
G_DECLARE_FINAL_TYPE(LacTrendView, lac_trend_view, LAC, TREND_VIEW, LacDrawingView)

/* @results: (nullable): outlives the view or the next call; @name, @metric: of the row */
void lac_trend_view_set(LacTrendView          *view,
                        const LacBenchResults *results,
                        const char            *name,
                        const char            *metric);

/* Return the number of results, and the positions of its change points. */
guint        lac_trend_view_get_n(LacTrendView *view);
const gsize *lac_trend_view_get_changes(LacTrendView *view, gsize *n);

G_END_DECLS
