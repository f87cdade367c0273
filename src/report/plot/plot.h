/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small plots as drawing lists: curves on linear or logarithmic axes, how a field is drawn, round values along a scale. */
#pragma once

#include "field/frame.h"
#include "field/transfer.h"
#include "perf/recorder/record.h"
#include "report/canvas/canvas.h"
#include "report/canvas/colour-map.h"
#include "report/canvas/flow-lines.h"
#include "report/canvas/palette.h"

G_BEGIN_DECLS

typedef struct {
  const char   *label;
  const double *x, *y; /* NaN breaks the line */
  gsize         n;
  guint         look;       /* colour and, after six, dashes: 1, 2, ...; 0: by its position */
  gboolean      dashed;     /* whatever its look: a true value, an error beside its field */
  const double *low, *high; /* (nullable): [n] a band behind the line */
  gboolean      dots;       /* at every value: few of them, each measured by itself */
  const char   *unit;       /* (nullable): of y, which is drawn as base/unit.h shows it */
} LacSeries;

/* What tells curves apart: six colours, then the same dashed, then dotted. @look: from 1 */
LacColour lac_look_colour(const LacPalette *palette, guint look);
LacDash   lac_look_dash(guint look);

typedef struct {
  const char *x_label, *y_label; /* with unit in parentheses */
  gboolean    log_y;
  double      font_size;
  gboolean    log_x;
  double      x_from, x_to; /* the axis has these too; both 0: what the values span */
  const char *x_unit;       /* (nullable): they are drawn as base/unit.h shows it */
} LacPlotStyle;

/* Draws into the box (x, y, width, height). Decimates to two points a pixel column. */
void lac_plot_curves(LacDrawing         *drawing,
                     double              x,
                     double              y,
                     double              width,
                     double              height,
                     const LacSeries    *series,
                     gsize               n_series,
                     const LacPlotStyle *style,
                     const LacPalette   *palette);

/* Where such a plot has its axis along x, for a pointer over it: linear axes alone. */
typedef struct {
  double left, right, top, bottom; /* of the frame, in the box's lengths */
  double from, to;
} LacPlotAxis;
/* @size: width and height of a box at (0, 0). Returns: FALSE where there are no values. */
gboolean lac_plot_find_axis(const double        size[2],
                            const LacSeries    *series,
                            gsize               n_series,
                            const LacPlotStyle *style,
                            LacPlotAxis        *axis);

/* How the cells of a plane and its markers are drawn. */
typedef struct {
  const LacColourMap *map;
  double              low, high;
  double              font_size;
  const LacMarker    *markers;
  gsize               n_markers;
  LacTransfer         transfer; /* how the scale is bent */
  gboolean            isolines; /* over the cells */
  LacFlowLook         flow;     /* likewise, of */
  LacVectorPlane      velocity; /* no u: none */
} LacFieldStyle;

/* Scale of a plane's quantity: the truth's range where there is a truth; symmetric about 0 for a diverging map. */
void lac_scale_of(const LacPlane *truth, gboolean diverging, double *low, double *high);

#define LAC_MAX_LEVELS 16
/* Round values along a scale however it is bent, ascending. @most: 3 to LAC_MAX_LEVELS. Returns: how many. */
gsize lac_scale_marks(const LacWarp *warp, gsize most, double *marks);
/* The values of isolines under it. @levels: [LAC_MAX_LEVELS] */
gsize lac_scale_levels(const LacWarp *warp, double *levels);
/* Ticks at 1, 2, 5 times powers of ten within [low, high]; at most max. Returns: how many. */
gsize lac_ticks(double low, double high, gsize max, double *ticks);

G_END_DECLS
