/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The flame graph, on the clock of the bar of phases. Choosing a bar limits timeline and tables to its path. */
#pragma once

#include "app/timeline/parts-view.h"

G_BEGIN_DECLS

#define LAC_FLAME_VIEW_MOST 8 /* rows */

#define LAC_TYPE_FLAME_VIEW (lac_flame_view_get_type())
G_DECLARE_FINAL_TYPE(LacFlameView, lac_flame_view, LAC, FLAME_VIEW, LacPartsView)

GtkWidget *lac_flame_view_new(LacTimelineTimes *times);

G_END_DECLS
