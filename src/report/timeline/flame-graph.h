/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawing of a flame graph: outermost spans on top, time from left to right in every language. One thread. */
#pragma once

#include "report/timeline/flame.h"
#include "report/timeline/hits.h"

G_BEGIN_DECLS

#define LAC_FLAME_ROW 19.0 /* distance of rows in the window */

/* Lengths as in report/canvas/canvas.h. */
typedef struct {
  double   x, y, width;
  double   row; /* distance of rows */
  double   font_size;
  guint    most_rows;  /* deeper bars are left out; 0: all */
  gboolean has_legend; /* of a difference: below, the meaning of the colours, and what is missing */
  gboolean is_selecting; /* all but the selected bars are faded */
  guint32  selected;     /* name */
} LacFlamePlace;

/* Draws the bars; those narrower than half a unit are left out. Of a difference, the width is the time in the second
 * recording and the colour the change, which is also written in the bars: blue less, brown more. @drawing: (nullable):
 * measures only. @hits: (nullable): receives the bars. Returns: the height used. */
double lac_flame_graph_draw(const LacFlame      *flame,
                            const LacSpanLooks  *looks,
                            const LacFlamePlace *place,
                            const LacPalette    *palette,
                            LacDrawing          *drawing,
                            GArray              *hits);

/* Returns: (transfer full): "step, 150 times"; of a difference "forward transform −12 %". */
char *lac_flame_dup_label(const LacFlame *flame, const LacSpanLooks *looks, gsize bar);

/* Returns: (transfer full): label and time, for tooltips and screen readers: "step, 150 times: 2 min 8 s, 89 %". */
char *lac_flame_dup_text(const LacFlame *flame, const LacSpanLooks *looks, gsize bar);

/* Returns the colour of a change, -1...1: blue, grey, brown. */
LacColour lac_flame_colour_of_change(double change, const LacPalette *palette);

G_END_DECLS
