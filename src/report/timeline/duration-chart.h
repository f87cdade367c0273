/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram of call durations of an operation: of one run with percentiles, or of two runs overlaid. */
#pragma once

#include "report/canvas/canvas.h"
#include "report/canvas/palette.h"
#include "report/timeline/durations.h"

G_BEGIN_DECLS

typedef struct {
  LacDurationBins bins;
  double          percentiles_ns[LAC_N_PERCENTILES];
  const char     *label; /* (nullable): NULL for a single series */
} LacDurationSeries;

/* One series: percentile lines with values (p75 and p99.9 where they fit), counts as bar heights. Two series: p50
 * only, bar heights are shares of the calls of each series, and both use the same bins. */
typedef struct {
  double            width, height, font_size; /* at (0, 0) */
  LacDurationSeries series[2];
  gsize             n;
  double            low_ns, high_ns; /* selected range; empty where equal */
} LacDurationChart;

/* @durations: [n], 1 or 2. Returns: FALSE without any calls. */
gboolean lac_duration_chart_take(LacDurationChart *chart, LacDurations *const *durations, gsize n);

void lac_duration_chart_draw(const LacDurationChart *chart,
                             LacDrawing             *drawing,
                             const LacPalette       *palette);

/* Convert @x to a duration, clamped to the axis, and a duration to x. */
double lac_duration_chart_get_ns(const LacDurationChart *chart, double x);
double lac_duration_chart_get_x(const LacDurationChart *chart, double ns);

G_END_DECLS
