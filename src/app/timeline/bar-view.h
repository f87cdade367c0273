/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bar of the time: by phase on the clock, or by operation, summed over threads. */
#pragma once

#include "app/timeline/parts-view.h"

G_BEGIN_DECLS

typedef enum { LAC_BAR_PHASES, LAC_BAR_OPERATIONS } LacBarKind;

#define LAC_TYPE_BAR_VIEW (lac_bar_view_get_type())
G_DECLARE_FINAL_TYPE(LacBarView, lac_bar_view, LAC, BAR_VIEW, LacPartsView)

GtkWidget *lac_bar_view_new(LacBarKind kind, LacTimelineTimes *times);
/* Shows or hides the legend; only the bar of the phases has one. */
void lac_bar_view_set_legend(LacBarView *view, gboolean is_shown);
/* Returns: the height at @width with or without the legend. */
int lac_bar_view_measure(LacBarView *view, int width, gboolean has_legend);

G_END_DECLS
