/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collecting the series of a run into plots. */
#include "report/plot/curve-plots-private.h"
#include "report/plot/plot-private.h"
#include "report/text/number.h"
#include "report/text/run-metrics.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

/* Collects the rows in which metric @m has a value: many are evaluated only every few steps. @axis, @x, @y:
 * [n_series] */
static gsize
collect_points(const LacRunFile *run, gsize m, const double *axis, double *x, double *y)
{
  gsize n = 0;
  for (gsize i = 0; i < run->n_series; i++)
    if (isfinite(run->series[i * run->n_metrics + m])) {
      x[n] = axis[i];
      y[n++] = run->series[i * run->n_metrics + m];
    }
  return n;
}

void
lac_curve_plot_clear(LacCurvePlot *plot)
{
  for (gsize i = 0; i < plot->n; i++)
    g_free(plot->labels[i]);
  g_free(plot->name);
  g_free(plot->values);
  *plot = (LacCurvePlot){0};
}

static void
clear_plot(gpointer data)
{
  lac_curve_plot_clear(data);
}

/* Collects metrics of one kind and unit into a plot. @used: metrics already assigned to a plot. */
static void
collect_series(const LacRunFile    *run,
               const LacRunMetrics *metrics,
               gboolean            *used,
               const double        *axis,
               LacCurvePlot        *plot)
{
  const LacMetric   *first = &metrics->metrics[plot->metric];
  const LacCurveKind kind = lac_metric_kind(first);
  g_autofree guint  *looks = g_new0(guint, metrics->n);

  lac_metric_looks(kind, metrics->metrics, metrics->n, looks);
  plot->kind = kind;
  plot->values = g_new(double, run->n_series *LAC_CURVE_PLOT_MOST * 2);
  for (gsize m = plot->metric; m < metrics->n && plot->n < LAC_CURVE_PLOT_MOST; m++) {
    double *x = plot->values + 2 * plot->n * run->n_series, *y = x + run->n_series;
    gsize   n_points;

    if (used[m] || lac_metric_kind(&metrics->metrics[m]) != kind ||
        g_strcmp0(metrics->metrics[m].unit, first->unit) != 0)
      continue;
    used[m] = TRUE;
    n_points = collect_points(run, m, axis, x, y);
    if (n_points == 0)
      continue;
    plot->labels[plot->n] = lac_run_metrics_dup_label(metrics, m);
    plot->series[plot->n] =
      (LacSeries){.label = plot->labels[plot->n], .x = x, .y = y, .n = n_points, .look = looks[m]};
    plot->n++;
  }
}

/* Returns: (transfer full): [n_series] */
static double *
dup_axis(const LacRunFile *run, gboolean against_seconds)
{
  double *axis = g_new(double, MAX(run->n_series, 1));

  for (gsize i = 0; i < run->n_series; i++)
    axis[i] = against_seconds ? run->series_seconds[i] : (double) run->series_step[i];
  return axis;
}

GArray *
lac_curve_plots_new(const LacRunFile *run, gboolean against_seconds)
{
  GArray               *plots = g_array_new(FALSE, FALSE, sizeof(LacCurvePlot));
  g_autofree gboolean  *used = g_new0(gboolean, MAX(run->n_metrics, 1));
  g_autofree double    *axis = dup_axis(run, against_seconds);
  g_auto(LacRunMetrics) metrics = {0};

  lac_run_metrics_init(&metrics, run);
  g_array_set_clear_func(plots, clear_plot);
  for (gsize m = 0; m < run->n_metrics; m++)
    used[m] = !lac_metric_is_drawn(metrics.metrics, metrics.n, m);
  for (gsize m = 0; m < run->n_metrics; m++) {
    LacCurvePlot plot = {.metric = m};

    if (used[m])
      continue;
    collect_series(run, &metrics, used, axis, &plot);
    if (plot.n == 1)
      plot.name = lac_word_dup_short(run->metrics[plot.metric].label);
    if (plot.n > 0)
      g_array_append_val(plots, plot);
    else
      lac_curve_plot_clear(&plot);
  }
  return plots;
}

static gssize
find_metric(const LacRunFile *run, const char *key)
{
  for (gsize m = 0; m < run->n_metrics; m++)
    if (g_strcmp0(run->metrics[m].key, key) == 0)
      return (gssize) m;
  return -1;
}

/* Returns the label of a curve; an error takes the name of its method. */
static char *
dup_joint_name(const LacRunMetrics *metrics, gsize m)
{
  g_autofree char *label = lac_run_metrics_dup_label(metrics, m);

  return g_str_has_suffix(metrics->metrics[m].key, ".error")
           ? g_strdup_printf(_("%s: error"), label)
           : g_steal_pointer(&label);
}

LacCurvePlot
lac_curve_plot_joint(LacRunFile *const *runs,
                     gsize              n_runs,
                     const char *const *names,
                     gsize              metric,
                     gboolean           against_seconds)
{
  LacCurvePlot          plot = {.metric = metric, .is_joint = TRUE};
  gsize                 room = 0;
  g_auto(LacRunMetrics) metrics = {0};

  lac_run_metrics_init(&metrics, runs[0]);
  plot.name = dup_joint_name(&metrics, metric);
  for (gsize r = 0; r < n_runs; r++)
    room += 2 * runs[r]->n_series;
  plot.values = g_new(double, MAX(room, 1));
  double *x = plot.values;
  for (gsize r = 0; r < n_runs && r < LAC_CURVE_PLOT_MOST; r++) {
    gssize             m = find_metric(runs[r], runs[0]->metrics[metric].key);
    g_autofree double *axis = dup_axis(runs[r], against_seconds);
    double            *y = x + runs[r]->n_series;
    gsize              n = m < 0 ? 0 : collect_points(runs[r], (gsize) m, axis, x, y);

    if (n == 0)
      continue;
    plot.labels[plot.n] = g_strdup(names[r]);
    plot.series[plot.n] =
      (LacSeries){.label = plot.labels[plot.n], .x = x, .y = y, .n = n, .look = (guint) r + 1};
    plot.n++;
    x = y + runs[r]->n_series;
  }
  return plot;
}

static gboolean
changes(const LacCurvePlot *plot)
{
  for (gsize s = 0; s < plot->n; s++)
    for (gsize i = 1; i < plot->series[s].n; i++)
      if (plot->series[s].y[i] != plot->series[s].y[0])
        return TRUE;
  return FALSE;
}

GArray *
lac_curve_plots_new_joint(LacRunFile *const *runs,
                          gsize              n_runs,
                          const char *const *names,
                          gboolean           against_seconds,
                          gsize              most)
{
  GArray               *plots = g_array_new(FALSE, FALSE, sizeof(LacCurvePlot));
  g_auto(LacRunMetrics) metrics = {0};

  lac_run_metrics_init(&metrics, runs[0]);
  g_array_set_clear_func(plots, clear_plot);
  for (gsize m = 0; m < metrics.n && plots->len < most; m++) {
    LacCurvePlot plot;

    if (!lac_metric_is_drawn(metrics.metrics, metrics.n, m))
      continue;
    plot = lac_curve_plot_joint(runs, n_runs, names, m, against_seconds);
    if (plot.n > 1 && changes(&plot))
      g_array_append_val(plots, plot);
    else
      lac_curve_plot_clear(&plot);
  }
  return plots;
}

/* Finds the smallest and largest value of the plot. */
static void
find_reach(const LacCurvePlot *plot, gboolean log_axis, double reach[2])
{
  reach[0] = INFINITY;
  reach[1] = -INFINITY;
  for (gsize s = 0; s < plot->n; s++)
    for (gsize i = 0; i < plot->series[s].n; i++) {
      double value = plot->series[s].y[i];

      if (log_axis && !(value > 0))
        continue;
      reach[0] = MIN(reach[0], value);
      reach[1] = MAX(reach[1], value);
    }
}

/* Returns FALSE for a label longer than the axis; the label then becomes the legend of its curve, and the axis shows
 * only the unit. */
static gboolean
fits_axis(const char *label, const LacCurvePlace *place)
{
  return lac_text_width(label, place->font_size, FALSE) <= place->height - 4 * place->font_size;
}

/* "(Ha)", or NULL. */
static char *
dup_unit(const char *unit)
{
  g_autofree char *label = lac_label_with_shown_unit("", unit);
  g_strstrip(label);
  return *label != '\0' ? g_steal_pointer(&label) : NULL;
}

/* Returns the label of a single curve, or what several curves have in common. */
static char *
dup_axis_label(const LacCurvePlot *plot, const LacRunMetric *metric, LacCurveKind kind)
{
  if (plot->name != NULL)
    return lac_label_with_shown_unit(plot->name, metric->unit);
  switch (kind) {
  case LAC_CURVES_ERRORS: return lac_label_with_shown_unit(_("error"), metric->unit);
  case LAC_CURVES_LOSSES: return lac_label_with_shown_unit(_("loss"), metric->unit);
  case LAC_CURVES_COEFFICIENTS:
  case LAC_CURVES_OTHERS:
  case LAC_N_CURVES: break;
  }
  return dup_unit(metric->unit);
}

double
lac_curve_plot_extra_height(const LacCurvePlot *plot, double width, double font_size)
{
  const gboolean has_legend = plot->n > 1 || plot->is_joint;
  const double   beside = 7.5 * font_size; /* numbers and label of the axis */

  if (!has_legend)
    return 0;
  return MAX(
    lac_plot_legend_height(plot->series, plot->n, width - beside, font_size) - 1.5 * font_size, 0);
}

/* Draws the quantity of several runs above their legend where it is too long for the axis. Returns: the height used. */
static double
draw_heading(LacDrawing *drawing, const LacCurvePlace *place, const char *name, LacColour colour)
{
  const double     indent = 2.6 * place->font_size; /* space for the panel letter */
  g_autofree char *fitted =
    lac_text_dup_fitted(name, place->font_size, FALSE, place->width - indent);

  lac_draw_text(drawing, place->x + indent, place->y + place->font_size, LAC_ALIGN_LEFT,
                place->font_size, colour, fitted);
  return 1.6 * place->font_size;
}

void
lac_curve_plot_draw(LacDrawing          *drawing,
                    const LacRunFile    *run,
                    const LacCurvePlot  *plot,
                    const LacCurvePlace *place,
                    const LacPalette    *palette)
{
  const LacRunMetric *metric = &run->metrics[plot->metric];
  g_autofree char *whole = dup_axis_label(plot, metric, plot->kind), *unit = dup_unit(metric->unit);
  const gboolean   is_named = plot->n == 1 && !plot->is_joint;
  const gboolean   is_above = plot->name != NULL && !fits_axis(whole, place);
  const double     mark_x[2] = {place->mark, place->mark};
  double           reach[2];
  gsize            n = plot->n;
  LacSeries        series[LAC_CURVE_PLOT_MOST + 1];
  LacPlotStyle     style = {place->x_label, is_above ? unit : whole, metric->log_axis,
                            place->font_size};

  memcpy(series, plot->series, plot->n * sizeof *series);
  const double heading =
    is_above && !is_named ? draw_heading(drawing, place, plot->name, palette->foreground) : 0;
  if (is_named)
    series[0].label = is_above ? plot->name : NULL;
  find_reach(plot, metric->log_axis, reach);
  if (place->has_mark && reach[1] > reach[0])
    series[n++] = (LacSeries){.x = mark_x, .y = reach, .n = 2, .look = LAC_CURVE_PLOT_MOST + 1};
  lac_plot_curves(drawing, place->x, place->y + heading, place->width, place->height - heading,
                  series, n, &style, palette);
}
