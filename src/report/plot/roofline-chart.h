/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The roofline chart: how fast each operation is over how much it computes for a byte, below the two roofs of the machine. */
#pragma once

#include "perf/analysis/roofline.h"
#include "report/canvas/canvas.h"
#include "report/canvas/palette.h"

G_BEGIN_DECLS

#define LAC_ROOFLINE_MOST   10
#define LAC_ROOFLINE_HEIGHT 240.0

typedef struct {
  const char *name; /* of the capture */
  double      intensity, rate, share;
} LacRooflinePoint;

typedef struct {
  LacPeak          peak;
  LacRooflinePoint points[LAC_ROOFLINE_MOST]; /* what takes longest first */
  gsize            n;                         /* 0: there is nothing to draw */
} LacRooflineChart;

/* Of the operations that compute and of which bytes are known; none without the machine's peak. */
LacRooflineChart
lac_roofline_chart_of(const LacCapture *capture, const LacAggregate *rows, gsize n_rows);

/* Into the box (x, y, width, LAC_ROOFLINE_HEIGHT); every label lies within it and on no other. */
void lac_roofline_draw(const LacRooflineChart *chart,
                       LacDrawing             *drawing,
                       LacPoint                at,
                       double                  width,
                       const LacPalette       *palette);

/* What one sees there, translated. */
const char *lac_roofline_explanation(void);

G_END_DECLS
