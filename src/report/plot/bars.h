/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thin horizontal bars in a table cell: a value of its limit, or one value above another. */
#pragma once

#include "report/canvas/canvas.h"

G_BEGIN_DECLS

typedef struct {
  double    value; /* at least 0; NaN: not drawn */
  LacColour colour;
} LacBar;

/* Draws @n bars from top to bottom, from the left edge of @box. @full: the value of its whole width, which longer bars
 * do not exceed. @trough: (nullable): colour of the rest of the width. */
void lac_bars_draw(LacDrawing      *drawing,
                   LacBox           box,
                   const LacBar    *bars,
                   gsize            n,
                   double           full,
                   const LacColour *trough);

G_END_DECLS
