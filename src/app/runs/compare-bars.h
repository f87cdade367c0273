/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of two runs: a stacked bar for each on one scale of seconds, by phase and by operation; and the
 * change as a differential flame graph, whose width is the time of the second run. */
#pragma once

#include "app/runs/compared.h"
#include "app/toolkit/drawing-view.h"

G_BEGIN_DECLS

#define LAC_TYPE_COMPARE_BARS (lac_compare_bars_get_type())
G_DECLARE_FINAL_TYPE(LacCompareBars, lac_compare_bars, LAC, COMPARE_BARS, LacDrawingView)

typedef enum {
  LAC_COMPARE_BARS_SMALL, /* phases without legend, for a side pane */
  LAC_COMPARE_BARS_PHASES,
  LAC_COMPARE_BARS_OPERATIONS,
  LAC_COMPARE_BARS_FLAME,
} LacCompareBarsKind;

GtkWidget *lac_compare_bars_new(LacCompareBarsKind kind);
/* @compared: (nullable), borrowed until the next call. */
void lac_compare_bars_show(LacCompareBars *bars, const LacCompared *compared);

G_END_DECLS
