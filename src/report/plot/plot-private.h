/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pieces that plots, figures and reports share: scales with their ticks, axes, cells, colour bars. */
#pragma once

#include "report/plot/plot.h"

G_BEGIN_DECLS

#define LAC_MAX_TICKS 16

/* An axis: what its ends stand for and which values are written. */
typedef struct {
  double   low, high; /* their decimal logarithms where the axis is logarithmic */
  gboolean logarithmic;
  gsize    n_ticks;
  double   ticks[LAC_MAX_TICKS];      /* like low and high */
  char     labels[LAC_MAX_TICKS][24]; /* a label may be empty */
} LacScale;

/* @low, @high: values; both above 0 for a logarithmic axis. An empty range is widened. */
LacScale lac_scale_make(double low, double high, gboolean logarithmic);

/* The axis of @unit as it is shown, before its ticks are chosen; a linear one alone. */
void lac_scale_show(LacScale *scale, const char *unit);
/* As many ticks as fit beside each other in @width (along x) or above each other in @height (along y). */
void lac_scale_fit_x(LacScale *scale, double width, double font_size);
void lac_scale_fit_y(LacScale *scale, double height, double font_size);
/* 0 at low, 1 at high; not finite where the value has no place on the axis. */
double lac_scale_place(const LacScale *scale, double value);
double lac_scale_label_width(const LacScale *scale, double font_size);

/* Ticks with their numbers, and the name of the axis, below and left of the box. */
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

/* The cells of a plane, drawn as they are, and its markers. */
void
lac_plot_cells(LacDrawing *drawing, LacBox box, const LacPlane *plane, const LacFieldStyle *style);
/* What the box of a plane spans: half a cell beyond the outer centres. */
LacScale lac_plane_scale_x(const LacPlane *plane);
LacScale lac_plane_scale_y(const LacPlane *plane);

/* A colour bar with its numbers below it, then the label. */
typedef struct {
  const LacColourMap *map;
  double              low, high;
  const char         *label;
  double              font_size;
  LacTransfer         transfer;
} LacBarStyle;
void
lac_plot_bar(LacDrawing *drawing, LacBox box, const LacBarStyle *style, const LacPalette *palette);

/* Of the labels of @series, set one after the other in rows of @width. */
double lac_plot_legend_height(const LacSeries *series, gsize n_series, double width, double size);

G_END_DECLS
