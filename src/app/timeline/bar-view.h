/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bar of the time: by phase on the clock, or by operation, summed over threads. */
#pragma once

#include "app/timeline/parts-view.h"

G_BEGIN_DECLS

typedef enum { LAC_BAR_PHASES, LAC_BAR_OPERATIONS } LacBarKind;

#define LAC_TYPE_BAR_VIEW (lac_bar_view_get_type())
G_DECLARE_FINAL_TYPE(LacBarView, lac_bar_view, LAC, BAR_VIEW, LacPartsView)

GtkWidget *lac_bar_view_new(LacBarKind kind, LacTimelineTimes *times);
/* With room the bar is higher, and that of the phases has a legend. */
void lac_bar_view_set_roomy(LacBarView *view, gboolean is_roomy);
/* Returns: the height at @width. */
int lac_bar_view_measure(LacBarView *view, int width, gboolean is_roomy);

G_END_DECLS
