/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curves of a report: of one run, kinds and units together; of several, over each other. */
#include "report/compare-private.h"
#include "report/document-private.h"
#include "report/run-metrics.h"
#include "report/summary-private.h"

#include <math.h>
#include <string.h>

#define PLOT_HEIGHT  150.0
#define JOINT_HEIGHT 190.0
#define GAP          14.0
#define MOST_SERIES  12

/* The rows in which metric @m has a value: many are judged only now and then. @axis, @x, @y: [n_series] */
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

typedef struct {
  gsize     metric, n;
  LacSeries series[MOST_SERIES];
  char     *labels[MOST_SERIES];
  double   *values;
} Plot;

static void
plot_clear(gpointer data)
{
  Plot *plot = data;

  for (gsize i = 0; i < plot->n; i++)
    g_free(plot->labels[i]);
  g_free(plot->values);
}

/* Metrics of one kind and unit share a plot. @used: those that have theirs. */
static void
collect_series(const LacRunFile    *run,
               const LacRunMetrics *metrics,
               gboolean            *used,
               const double        *steps,
               Plot                *plot)
{
  const LacMetric   *first = &metrics->metrics[plot->metric];
  const LacCurveKind kind = lac_metric_kind(first);
  g_autofree guint  *looks = g_new0(guint, metrics->n);

  lac_metric_looks(kind, metrics->metrics, metrics->n, looks);
  plot->values = g_new(double, run->n_series *MOST_SERIES * 2);
  for (gsize m = plot->metric; m < metrics->n && plot->n < MOST_SERIES; m++) {
    double *x = plot->values + 2 * plot->n * run->n_series, *y = x + run->n_series;
    gsize   n_points;

    if (used[m] || lac_metric_kind(&metrics->metrics[m]) != kind ||
        g_strcmp0(metrics->metrics[m].unit, first->unit) != 0)
      continue;
    used[m] = TRUE;
    n_points = collect_points(run, m, steps, x, y);
    if (n_points == 0)
      continue;
    plot->labels[plot->n] = lac_run_metrics_dup_label(metrics, m);
    plot->series[plot->n] =
      (LacSeries){.label = plot->labels[plot->n], .x = x, .y = y, .n = n_points, .look = looks[m]};
    plot->n++;
  }
}

typedef struct {
  const LacRunFile *run;
  Plot             *plots[2]; /* beside each other; one that is alone takes the whole width */
} Row;

static void
draw_curves(LacDrawing         *drawing,
            LacPoint            at,
            double              width,
            const LacRunMetric *metric,
            const Plot         *plot,
            const LacPalette   *palette)
{
  g_autofree char *label = plot->n == 1 ? lac_label_with_unit(metric->label, metric->unit)
                                        : lac_label_with_unit("", metric->unit);
  LacSeries        series[MOST_SERIES];
  LacPlotStyle     style = {"step", g_strstrip(label), metric->log_axis, 7.5};
  memcpy(series, plot->series, plot->n * sizeof *series);
  if (plot->n == 1) /* the axis says it */
    series[0].label = NULL;
  if (*label == '\0')
    style.y_label = NULL;
  lac_plot_curves(drawing, at.x, at.y, width, PLOT_HEIGHT - 6, series, plot->n, &style, palette);
}

static double
draw_row(LacDrawing       *drawing,
         LacPoint          at,
         double            width,
         const LacPalette *palette,
         gconstpointer     data)
{
  const Row *row = data;
  double     half = row->plots[1] != NULL ? (width - GAP) / 2 : width;
  for (gsize i = 0; i < 2 && row->plots[i] != NULL && drawing != NULL; i++, at.x += half + GAP)
    draw_curves(drawing, at, half, &row->run->metrics[row->plots[i]->metric], row->plots[i],
                palette);
  return PLOT_HEIGHT;
}

static GArray *
collect_plots(const LacRunFile *run, const double *steps)
{
  GArray               *plots = g_array_new(FALSE, FALSE, sizeof(Plot));
  g_autofree gboolean  *used = g_new0(gboolean, run->n_metrics);
  g_auto(LacRunMetrics) metrics = {0};

  lac_run_metrics_init(&metrics, run);
  g_array_set_clear_func(plots, plot_clear);
  for (gsize m = 0; m < run->n_metrics; m++)
    used[m] = !lac_metric_is_drawn(metrics.metrics, metrics.n, m);
  for (gsize m = 0; m < run->n_metrics; m++) {
    Plot plot = {.metric = m};

    if (used[m])
      continue;
    collect_series(run, &metrics, used, steps, &plot);
    if (plot.n > 0)
      g_array_append_val(plots, plot);
    else
      plot_clear(&plot);
  }
  return plots;
}

void
lac_report_tell_curves(const LacRunFile *run, LacDocument *document)
{
  if (run->n_series < 2)
    return;
  g_autofree double *steps = g_new(double, run->n_series);
  for (gsize i = 0; i < run->n_series; i++)
    steps[i] = (double) run->series_step[i];
  g_autoptr(GArray) plots = collect_plots(run, steps);
  if (plots->len > 0)
    document->heading(document, "Curves");
  for (guint i = 0; i < plots->len; i += 2) {
    Row row = {run, {&g_array_index(plots, Plot, i)}};
    if (i + 1 < plots->len)
      row.plots[1] = &g_array_index(plots, Plot, i + 1);
    document->picture(document,
                      &(LacPicture){draw_row, &row, "metrics of the run over its steps", FALSE});
  }
}

typedef struct {
  LacSeries   *series;
  gsize        n;
  LacPlotStyle style;
} Joint;

static double
draw_joint(LacDrawing       *drawing,
           LacPoint          at,
           double            width,
           const LacPalette *palette,
           gconstpointer     data)
{
  const Joint *joint = data;
  if (drawing != NULL)
    lac_plot_curves(drawing, at.x, at.y, width, JOINT_HEIGHT, joint->series, joint->n,
                    &joint->style, palette);
  return JOINT_HEIGHT;
}

/* The key result of the first run, in every run that has it. */
void
lac_report_tell_joint_curve(LacRunFile *const *runs, gsize n_runs, LacDocument *document)
{
  gssize               key = lac_summary_key_metric(runs[0]);
  LacSeries            series[LAC_COMPARE_MOST];
  gsize                n = 0;
  g_autoptr(GPtrArray) owned = g_ptr_array_new_with_free_func(g_free);
  for (gsize r = 0; key >= 0 && r < n_runs; r++) {
    gsize m = 0, length = runs[r]->n_series;
    while (m < runs[r]->n_metrics &&
           g_strcmp0(runs[r]->metrics[m].key, runs[0]->metrics[key].key) != 0)
      m++;
    if (m == runs[r]->n_metrics || length == 0)
      continue;
    double *x = g_new(double, length), *y = g_new(double, length);
    g_ptr_array_add(owned, x);
    g_ptr_array_add(owned, y);
    length = collect_points(runs[r], m, runs[r]->series_seconds, x, y);
    series[n++] = (LacSeries){lac_compare_letters[r], x, y, length};
  }
  if (n == 0)
    return;
  const LacRunMetric *metric = &runs[0]->metrics[key];
  g_autofree char    *label = lac_label_with_unit(metric->label, metric->unit);
  Joint               joint = {series, n, {"compute time (s)", label, metric->log_axis, 7.5}};
  document->heading(document, "Curves over each other");
  document->picture(
    document,
    &(LacPicture){draw_joint, &joint, "the key result of each run over its compute time", FALSE});
}
