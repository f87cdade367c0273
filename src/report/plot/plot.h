/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small plots as drawing lists: curves on linear or logarithmic axes, fields, round values along a scale. */
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
  guint         look;       /* index of colour and, beyond six, dash: 1, 2, ...; 0: by position */
  gboolean      dashed;     /* always dashed: a true value, or an error beside its field */
  const double *low, *high; /* (nullable): [n] a band behind the line */
  gboolean      dots;       /* a dot at every value, for few independent measurements */
  const char   *unit;       /* (nullable): unit of y, drawn in the display unit of base/unit.h */
} LacSeries;

#define LAC_LOOK_TRUTH G_MAXUINT /* the true field: in the colour of the text, solid */

/* Line styles of curves: six colours solid, then dashed, then dotted. @look: from 1 */
LacColour lac_look_colour(const LacPalette *palette, guint look);
LacDash   lac_look_dash(guint look);

typedef struct {
  const char *x_label, *y_label; /* with unit in parentheses */
  gboolean    log_y;
  double      font_size;
  gboolean    log_x;
  double      x_from, x_to; /* range the axis must include; both 0: range of the values */
  const char *x_unit;       /* (nullable): drawn in the display unit of base/unit.h */
  gboolean names_at_ends; /* names beside the last points, in their colours, instead of a legend */
  gboolean
    percent_y; /* the values are percentages: the ticks have a per cent sign, no powers of ten */
  const double *x_ticks; /* (nullable): positions of the ticks along x, ascending */
  gsize         n_x_ticks;
  double        stripe; /* if @has_stripe: x of a shaded stripe behind the curves */
  gboolean      has_stripe;
} LacPlotStyle;

/* Draws into the box (x, y, width, height). Decimates to two points per pixel column. */
void lac_plot_curves(LacDrawing         *drawing,
                     double              x,
                     double              y,
                     double              width,
                     double              height,
                     const LacSeries    *series,
                     gsize               n_series,
                     const LacPlotStyle *style,
                     const LacPalette   *palette);

/* Frame and x range of a plot by lac_plot_curves(), to locate a pointer; linear axes only. */
typedef struct {
  double left, right, top, bottom; /* frame, in the coordinates of the box */
  double from, to;
} LacPlotAxis;
/* @size: width and height of a box at (0, 0). Returns: FALSE if there are no values. */
gboolean lac_plot_find_axis(const double        size[2],
                            const LacSeries    *series,
                            gsize               n_series,
                            const LacPlotStyle *style,
                            LacPlotAxis        *axis);

/* Drawing style of the cells of a plane and its markers. */
typedef struct {
  const LacColourMap *map;
  double              low, high;
  double              font_size;
  const LacMarker    *markers;
  gsize               n_markers;
  LacTransfer         transfer; /* transfer function of the scale */
  gboolean            isolines; /* draws isolines over the cells */
  LacFlowLook         flow;     /* flow lines over the cells, from @velocity */
  LacVectorPlane      velocity; /* u is NULL: none */
} LacFieldStyle;

/* Computes the scale of a plane's quantity: the range of the true field if there is one; symmetric about 0 for a
 * diverging map. */
void lac_scale_of(const LacPlane *truth, gboolean diverging, double *low, double *high);

#define LAC_MAX_LEVELS 16
/* Computes ascending round values along a scale with a transfer function. @most: 3 to LAC_MAX_LEVELS. Returns: their
 * number. */
gsize lac_scale_marks(const LacWarp *warp, gsize most, double *marks);
/* Computes the levels of isolines on the scale of @warp. @levels: [LAC_MAX_LEVELS] */
gsize lac_scale_levels(const LacWarp *warp, double *levels);
/* Computes ticks at 1, 2, 5 times powers of ten within [low, high]; at most @max. Returns: their number. */
gsize lac_ticks(double low, double high, gsize max, double *ticks);

G_END_DECLS
