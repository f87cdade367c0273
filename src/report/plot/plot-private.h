/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Building blocks of plots, figures and reports: scales with ticks, axes, cells, colour bars. */
#pragma once

#include "report/plot/plot.h"

G_BEGIN_DECLS

#define LAC_MAX_TICKS 16

/* An axis: its range and labelled ticks. */
typedef struct {
  double   low, high; /* decimal logarithms for a logarithmic axis */
  gboolean logarithmic;
  gsize    n_ticks;
  double   ticks[LAC_MAX_TICKS];      /* in the units of low and high */
  char     labels[LAC_MAX_TICKS][24]; /* a label may be empty */
} LacScale;

/* @low, @high: values; both above 0 for a logarithmic axis. An empty range is widened. */
LacScale lac_scale_make(double low, double high, gboolean logarithmic);

/* Converts the axis from @unit to the displayed unit, before ticks are chosen; linear axes only. */
void lac_scale_show(LacScale *scale, const char *unit);
/* Choose as many ticks as fit in @width (along x) or @height (along y). */
void lac_scale_fit_x(LacScale *scale, double width, double font_size);
void lac_scale_fit_y(LacScale *scale, double height, double font_size);
/* Replaces powers of ten and plain numbers by percentages; the values are in per cent. */
void lac_scale_label_percent(LacScale *scale);
/* Puts the ticks at @values; a number that would touch the one before it is left out. */
void
lac_scale_put_ticks(LacScale *scale, const double *values, gsize n, double width, double font_size);
/* Returns the relative position of @value: 0 at low, 1 at high; not finite outside the domain of the axis. */
double lac_scale_place(const LacScale *scale, double value);
double lac_scale_label_width(const LacScale *scale, double font_size);

/* Draw ticks with numbers and the axis label, below and left of the box. */
void lac_plot_axis_x(LacDrawing       *drawing,
                     LacBox            box,
                     const LacScale   *scale,
                     const char       *label,
                     double            font_size,
                     const LacPalette *palette);
void lac_plot_axis_y(LacDrawing       *drawing,
                     LacBox            box,
                     const LacScale   *scale,
                     const char       *label,
                     double            font_size,
                     const LacPalette *palette);
void lac_plot_frame(LacDrawing *drawing, LacBox box, double line_width, LacColour colour);

/* Name of a curve, beside its last point. */
typedef struct {
  double      y; /* of the point */
  const char *text;
  LacColour   colour;
} LacPlotName;
/* Draws names from the right edge of @box to @right, moved apart where they would overlap. Sorts @names. */
void lac_plot_names(LacDrawing  *drawing,
                    LacBox       box,
                    double       right,
                    LacPlotName *names,
                    gsize        n,
                    double       font_size);

/* Draws the cells of a plane without interpolation, and its markers. */
void
lac_plot_cells(LacDrawing *drawing, LacBox box, const LacPlane *plane, const LacFieldStyle *style);
/* Return the extent of a plane: half a cell beyond the outer centres. */
LacScale lac_plane_scale_x(const LacPlane *plane);
LacScale lac_plane_scale_y(const LacPlane *plane);

/* Colour bar with its numbers below it, then the label. */
typedef struct {
  const LacColourMap *map;
  double              low, high;
  const char         *label;
  double              font_size;
  LacTransfer         transfer;
} LacBarStyle;
void
lac_plot_bar(LacDrawing *drawing, LacBox box, const LacBarStyle *style, const LacPalette *palette);

/* Returns the height of the legend of @series, wrapped into rows of @width. */
double lac_plot_legend_height(const LacSeries *series, gsize n_series, double width, double size);

G_END_DECLS
