/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/plot/bars.h"

#include <math.h>

#define GAP   2.0 /* between two bars */
#define LEAST 1.5 /* width of a visible bar */

void
lac_bars_draw(LacDrawing      *drawing,
              LacBox           box,
              const LacBar    *bars,
              gsize            n,
              double           full,
              const LacColour *trough)
{
  const double height = (box.height - GAP * ((double) n - 1)) / (double) n;

  for (gsize i = 0; i < n; i++) {
    const double y = box.y + (height + GAP) * (double) i;

    if (trough != NULL)
      lac_draw_rectangle(drawing, box.x, y, box.width, height, *trough);
    if (!(bars[i].value >= 0) || !(full > 0))
      continue;
    lac_draw_rectangle(drawing, box.x, y, CLAMP(bars[i].value / full * box.width, LEAST, box.width),
                       height, bars[i].colour);
  }
}
