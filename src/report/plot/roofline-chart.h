/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Roofline chart: speed of each operation against its arithmetic intensity, below the compute and bandwidth limits of
 * the machine. */
#pragma once

#include "perf/analysis/roofline.h"
#include "report/canvas/canvas.h"
#include "report/canvas/palette.h"

G_BEGIN_DECLS

#define LAC_ROOFLINE_MOST   10
#define LAC_ROOFLINE_HEIGHT 240.0

typedef struct {
  const char *name; /* owned by the capture */
  double      intensity, rate, share;
} LacRooflinePoint;

typedef struct {
  LacPeak          peak;
  LacRooflinePoint points[LAC_ROOFLINE_MOST]; /* longest total time first */
  gsize            n;                         /* 0: chart not available */
} LacRooflineChart;

/* Selects operations with known counts of floating-point operations and bytes; none without the machine's peaks. */
LacRooflineChart
lac_roofline_chart_of(const LacCapture *capture, const LacAggregate *rows, gsize n_rows);

/* Draws into the box (x, y, width, LAC_ROOFLINE_HEIGHT); labels stay within it and do not overlap. */
void lac_roofline_draw(const LacRooflineChart *chart,
                       LacDrawing             *drawing,
                       LacPoint                at,
                       double                  width,
                       const LacPalette       *palette);

/* Returns a translated explanation of the chart. */
const char *lac_roofline_explanation(const LacPeak *peak);

G_END_DECLS
