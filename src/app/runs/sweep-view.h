/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chart of a sweep with its controls: result, swept parameter, bands, scale. Signal: look-changed: another result. */
#pragma once

#include "app/runs/sweep-chart.h"

G_BEGIN_DECLS

#define LAC_TYPE_SWEEP_VIEW (lac_sweep_view_get_type())
G_DECLARE_FINAL_TYPE(LacSweepView, lac_sweep_view, LAC, SWEEP_VIEW, GtkWidget)

/* @results: (nullable). @series: (nullable): the sweep of this window, for which random placements are computed once
 * its runs have ended. Keeps the choices where they apply. */
void lac_sweep_view_show(LacSweepView *view, LacSweepRuns *results, LacSweepSeries *series);

/* Returns: (transfer none) (nullable): own key of the result shown. */
const char    *lac_sweep_view_get_metric(LacSweepView *view);
LacSweepChart *lac_sweep_view_get_chart(LacSweepView *view); /* (transfer none) */
LacSweepBands *lac_sweep_view_get_bands(LacSweepView *view); /* (transfer none) */

G_END_DECLS
