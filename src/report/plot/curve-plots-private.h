/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics of a run as plots: those of one kind and unit together; of several runs, one metric over each other. */
#pragma once

#include "io/runfile/run-file.h"
#include "report/plot/plot.h"
#include "report/text/metric-group.h"

G_BEGIN_DECLS

#define LAC_CURVE_PLOT_MOST 12 /* curves of a plot */

typedef struct {
  LacCurveKind kind;   /* of several metrics together: what they have in common */
  gsize        metric; /* the first */
  gsize        n;
  LacSeries    series[LAC_CURVE_PLOT_MOST];
  char        *labels[LAC_CURVE_PLOT_MOST];
  char        *name;     /* of the axis; NULL: the curves have each their own */
  double      *values;   /* what the series point into */
  gboolean     is_joint; /* one metric of several runs */
} LacCurvePlot;

void lac_curve_plot_clear(LacCurvePlot *plot);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacCurvePlot, lac_curve_plot_clear)

/* Returns: (transfer full): of LacCurvePlot, over steps or over seconds of computing. */
GArray *lac_curve_plots_new(const LacRunFile *run, gboolean against_seconds);

/* What goes on in the first run and in others too: the metrics that a plot shows, without those that never change.
 * Returns: (transfer full): of LacCurvePlot, one a metric; at most @most. @names: [n_runs] */
GArray *lac_curve_plots_new_joint(LacRunFile *const *runs,
                                  gsize              n_runs,
                                  const char *const *names,
                                  gboolean           against_seconds,
                                  gsize              most);

/* Metric @metric of the first run in every run that has it. Empty where none has values. @names: [n_runs] */
LacCurvePlot lac_curve_plot_joint(LacRunFile *const *runs,
                                  gsize              n_runs,
                                  const char *const *names,
                                  gsize              metric,
                                  gboolean           against_seconds);

typedef struct {
  double      x, y, width, height, font_size;
  const char *x_label;
  gboolean    has_mark; /* a line across, at @mark on the axis */
  double      mark;
} LacCurvePlace;

/* Returns: by how much a plot of that width is to be higher than usual, so that a legend of many rows leaves its axes their height. */
double lac_curve_plot_extra_height(const LacCurvePlot *plot, double width, double font_size);

void lac_curve_plot_draw(LacDrawing          *drawing,
                         const LacRunFile    *run,
                         const LacCurvePlot  *plot,
                         const LacCurvePlace *place,
                         const LacPalette    *palette);

G_END_DECLS
