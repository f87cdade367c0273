/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics of a run as plots, grouped by kind and unit; or one metric of several runs in one plot. */
#pragma once

#include "io/runfile/run-file.h"
#include "report/plot/plot.h"
#include "report/text/metric-group.h"

G_BEGIN_DECLS

#define LAC_CURVE_PLOT_MOST 12 /* curves per plot */

typedef struct {
  LacCurveKind kind;   /* common kind of the metrics */
  gsize        metric; /* index of the first metric */
  gsize        n;
  LacSeries    series[LAC_CURVE_PLOT_MOST];
  char        *labels[LAC_CURVE_PLOT_MOST];
  char        *name;     /* label of the axis; NULL: each curve has its own */
  double      *values;   /* storage of the series */
  gboolean     is_joint; /* one metric of several runs */
} LacCurvePlot;

void lac_curve_plot_clear(LacCurvePlot *plot);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacCurvePlot, lac_curve_plot_clear)

/* Returns: (transfer full): array of LacCurvePlot, over steps or over compute seconds. */
GArray *lac_curve_plots_new(const LacRunFile *run, gboolean against_seconds);

/* Plots each metric that is drawn by default, changes, and is recorded by the first run and at least one other.
 * Returns: (transfer full): array of LacCurvePlot, one per metric; at most @most. @names: [n_runs] */
GArray *lac_curve_plots_new_joint(LacRunFile *const *runs,
                                  gsize              n_runs,
                                  const char *const *names,
                                  gboolean           against_seconds,
                                  gsize              most);

/* Plots metric @metric of the first run for every run that has it. The plot is empty if no run has values. @names:
 * [n_runs] */
LacCurvePlot lac_curve_plot_joint(LacRunFile *const *runs,
                                  gsize              n_runs,
                                  const char *const *names,
                                  gsize              metric,
                                  gboolean           against_seconds);

typedef struct {
  double      x, y, width, height, font_size;
  const char *x_label;
  gboolean    has_mark; /* draws a vertical line at @mark on the x axis */
  double      mark;
} LacCurvePlace;

/* Returns: the extra height that a plot of @width needs for a legend of many rows. */
double lac_curve_plot_extra_height(const LacCurvePlot *plot, double width, double font_size);

void lac_curve_plot_draw(LacDrawing          *drawing,
                         const LacRunFile    *run,
                         const LacCurvePlot  *plot,
                         const LacCurvePlace *place,
                         const LacPalette    *palette);

G_END_DECLS
