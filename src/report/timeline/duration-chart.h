/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls of an operation by their length, of one run with its percentiles, or of two over each other. */
#pragma once

#include "report/canvas/canvas.h"
#include "report/canvas/palette.h"
#include "report/timeline/durations.h"

G_BEGIN_DECLS

typedef struct {
  LacDurationBins bins;
  double          percentiles_ns[LAC_N_PERCENTILES];
  const char     *label; /* (nullable): of one alone */
} LacDurationSeries;

/* Of one, the percentiles are lines with their values, p75 and p99.9 where there is room for theirs, and heights are counts; of two,
 * p50 alone, and heights are shares of the calls of each. Both have the same ends. */
typedef struct {
  double            width, height, font_size; /* at (0, 0) */
  LacDurationSeries series[2];
  gsize             n;
  double            low_ns, high_ns; /* chosen; none where they are equal */
} LacDurationChart;

/* @durations: [n], 1 or 2. Returns: FALSE where there are no calls at all. */
gboolean lac_duration_chart_take(LacDurationChart *chart, LacDurations *const *durations, gsize n);

void lac_duration_chart_draw(const LacDurationChart *chart,
                             LacDrawing             *drawing,
                             const LacPalette       *palette);

/* The duration at @x, within what the chart has; and where a duration stands. */
double lac_duration_chart_get_ns(const LacDurationChart *chart, double x);
double lac_duration_chart_get_x(const LacDurationChart *chart, double ns);

G_END_DECLS
