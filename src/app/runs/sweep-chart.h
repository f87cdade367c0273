/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The key result of every method against the swept parameter. */
#pragma once

#include "app/session/sweep-bands.h"
#include "app/toolkit/drawing-view.h"

G_BEGIN_DECLS

#define LAC_TYPE_SWEEP_CHART (lac_sweep_chart_get_type())
G_DECLARE_FINAL_TYPE(LacSweepChart, lac_sweep_chart, LAC, SWEEP_CHART, LacDrawingView)

void lac_sweep_chart_set_series(LacSweepChart *chart, LacSweepSeries *series); /* (nullable) */

void lac_sweep_chart_set_bands(LacSweepChart *chart,
                               LacSweepBands *bands); /* retained; drawn behind the runs */

G_END_DECLS
