/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One metric of several runs in one plot, against step or seconds. */
#pragma once

#include "app/toolkit/drawing-view.h"
#include "io/runfile/run-file.h"

G_BEGIN_DECLS

#define LAC_TYPE_COMPARE_CURVES (lac_compare_curves_get_type())
G_DECLARE_FINAL_TYPE(LacCompareCurves, lac_compare_curves, LAC, COMPARE_CURVES, LacDrawingView)

/* @runs: of LacRunFile; takes a reference. @metric: a key. */
void lac_compare_curves_show(LacCompareCurves *curves, GPtrArray *runs, const char *metric);
/* Removes the curves; a message in place of the chart reports that there are none. */
void lac_compare_curves_clear(LacCompareCurves *curves);
void lac_compare_curves_set_seconds(LacCompareCurves *curves, gboolean against_seconds);

G_END_DECLS
