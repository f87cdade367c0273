/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plane of curves as a plot: the same on screen, in a figure and in a report. */
#pragma once

#include "field/frame.h"
#include "report/canvas/canvas.h"
#include "report/canvas/palette.h"

G_BEGIN_DECLS

typedef struct {
  double          x, y, width, height, font_size;
  gboolean        legend; /* above the plot */
  const gboolean *hidden; /* (nullable): [n] curves that are not drawn */
} LacChartPlace;

/* @channel: with a chart; @plane: of it. Errors of one standard deviation are bands. */
void lac_chart_draw(LacDrawing          *drawing,
                    const LacChannel    *channel,
                    const LacPlane      *plane,
                    const LacChartPlace *place,
                    const LacPalette    *palette);

G_END_DECLS
