/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plane of curves as a plot, shared by screen, figure and report. */
#pragma once

#include "field/frame.h"
#include "report/canvas/canvas.h"
#include "report/canvas/palette.h"

G_BEGIN_DECLS

typedef struct {
  double          x, y, width, height, font_size;
  gboolean        legend; /* drawn above the plot */
  const gboolean *hidden; /* (nullable): [n] curves that are hidden */
} LacChartPlace;

/* @channel: must have a chart; @plane: its plane. Standard errors are drawn as bands. */
void lac_chart_draw(LacDrawing          *drawing,
                    const LacChannel    *channel,
                    const LacPlane      *plane,
                    const LacChartPlace *place,
                    const LacPalette    *palette);

G_END_DECLS
