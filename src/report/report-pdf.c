/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report on A4 pages. */
#include "report/compare-private.h"
#include "report/figure.h"
#include "report/plot.h"
#include "report/report-private.h"
#include "report/run-metrics.h"
#include "report/summary-private.h"
#include "report/timeline.h"
#include "report/trust.h"

#include <math.h>
#include <string.h>

#define TILE_HEIGHT  46.0
#define FIRST_TILE   1.75 /* times as wide as the others */
#define PLOT_HEIGHT  150.0
#define JOINT_HEIGHT 190.0
#define MOST_SERIES  12
#define STRIP_HEIGHT 300.0 /* at most, of the timeline */
#define STRIP_STEPS  3

typedef struct {
  const char *label;
  char       *value;
} Tile;

static const LacParagraphStyle plain = {LAC_PAGE_TEXT, FALSE, {0.1F, 0.1F, 0.1F, 1}};
static const LacParagraphStyle faint = {8, FALSE, {0.41F, 0.41F, 0.41F, 1}};

/* The first tile holds the key result, whose name is long. */
static void
draw_tiles(LacPages *pages, Tile *tiles, gsize n)
{
  double gap = 8, y, x = LAC_PAGE_MARGIN;
  double unit =
    (lac_pages_get_width(pages) - gap * (double) (n - 1)) / ((double) n + FIRST_TILE - 1);
  LacDrawing *drawing = lac_pages_place(pages, TILE_HEIGHT + 12, &y);
  for (gsize i = 0; i < n; i++) {
    double           width = i == 0 ? FIRST_TILE * unit : unit, size = 15;
    g_autofree char *label = lac_text_dup_fitted(tiles[i].label, 7.5, FALSE, width - 14);
    while (size > 8 && lac_text_width(tiles[i].value, size, TRUE) > width - 14)
      size -= 0.5;
    g_autofree char *value = lac_text_dup_fitted(tiles[i].value, size, TRUE, width - 14);
    lac_draw_rectangle(drawing, x, y, width, TILE_HEIGHT, (LacColour){0.955F, 0.96F, 0.97F, 1});
    lac_draw_rectangle(drawing, x, y, 2.5, TILE_HEIGHT, lac_palette_paper.series[0]);
    lac_draw_text(drawing, x + 9, y + 15, LAC_ALIGN_LEFT, 7.5, lac_palette_paper.faint, label);
    lac_draw_text_bold(drawing, x + 9, y + 36, LAC_ALIGN_LEFT, size, lac_palette_paper.foreground,
                       value);
    g_free(tiles[i].value);
    x += width + gap;
  }
}

static void
add_title(LacPages *pages, const LacSummary *summary)
{
  const LacRunFile *run = summary->run;
  g_autofree char  *name = g_path_get_basename(run->path);
  g_autofree char  *started = lac_summary_started(run);
  g_autofree char *line = g_strdup_printf("%s · started %s · %s", run->experiment, started, name);
  lac_pages_heading(pages, run->title, TRUE, 120);
  lac_pages_paragraph(pages, &faint, line);
  lac_pages_skip(pages, 10);

  gssize key = lac_summary_key_metric(run);
  Tile   tiles[4];
  gsize  n = 0;
  if (key >= 0)
    tiles[n++] = (Tile){run->metrics[key].label, lac_summary_metric_text(&run->metrics[key])};
  tiles[n++] = (Tile){"Outcome", g_strdup(run->outcome)};
  tiles[n++] = (Tile){"Compute time", lac_duration_text(run->seconds)};
  tiles[n++] = (Tile){"Time a step", lac_duration_text(summary->seconds_per_step)};
  draw_tiles(pages, tiles, n);
  if (run->detail != NULL && *run->detail != '\0') {
    lac_pages_paragraph(pages, &plain, run->detail);
    lac_pages_skip(pages, 6);
  }
  if (*run->caution != '\0') {
    g_autofree char *caution = g_strdup_printf("Caution: %s", run->caution);
    lac_pages_paragraph(pages, &plain, caution);
    lac_pages_skip(pages, 6);
  }
  g_autofree char *setup = lac_duration_text(run->setup_seconds);
  g_autofree char *memory = lac_summary_memory_text(summary);
  g_autofree char *how =
    g_strdup_printf("%" G_GINT64_FORMAT
                    " steps on the %s backend; precision: %s; threads: %u; seed %" G_GUINT64_FORMAT
                    "; set-up %s%s%s.",
                    run->steps, run->backend, run->precision, run->threads, run->seed, setup,
                    *memory != '\0' ? "; memory: " : "", memory);
  lac_pages_paragraph(pages, &plain, how);
}

static void
add_table(LacPages         *pages,
          const LacSummary *summary,
          const char       *heading,
          void (*fill)(const LacSummary *, LacTable *))
{
  g_auto(LacTable) table = {0};
  fill(summary, &table);
  if (table.kinds->len == 0)
    return;
  lac_pages_heading(pages, heading, FALSE, 60);
  lac_pages_table(pages, &table);
}

static void
add_trust(LacPages *pages, const LacRunFile *run)
{
  g_autoptr(GArray) lines = lac_trust_lines(run);

  if (lines->len > 0)
    lac_pages_heading(pages, "How far to trust it", FALSE, 30);
  for (guint i = 0; i < lines->len; i++) {
    const LacTrustLine *line = &g_array_index(lines, LacTrustLine, i);
    g_autofree char    *text = g_strdup_printf("%s %s.", line->title, line->sentence);

    lac_pages_paragraph(pages, &plain, text);
    lac_pages_skip(pages, 3);
  }
}

static gboolean
add_figure(LacPages *pages, const LacRunFile *run, GError **error)
{
  gssize kept = lac_run_file_find_frame(run, G_MAXINT64);
  if (kept < 0 || run->n_channels == 0)
    return TRUE;
  g_autoptr(LacFrame) frame = lac_run_file_load_frame(run, (gsize) kept, error);
  if (frame == NULL)
    return FALSE;
  gsize channel = 0;
  while (channel + 1 < run->n_channels && run->channels[channel].role != LAC_ROLE_RECONSTRUCTION)
    channel++;
  if (run->channels[channel].role != LAC_ROLE_RECONSTRUCTION)
    channel = 0;
  LacFigurePlace place = {0, 0, lac_pages_get_width(pages), 7, channel, TRUE, NULL};
  double         y, height = lac_figure_draw(NULL, run, frame, &place);
  lac_pages_heading(pages, "The field", FALSE, height);
  LacDrawing *drawing = lac_pages_place(pages, height, &y);
  place.x = LAC_PAGE_MARGIN;
  place.y = y;
  lac_figure_draw(drawing, run, frame, &place);
  return TRUE;
}

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

static void
draw_curves(LacDrawing *drawing, LacPoint at, double width, const LacRunMetric *metric, Plot *plot)
{
  g_autofree char *label = plot->n == 1 ? lac_label_with_unit(metric->label, metric->unit)
                                        : lac_label_with_unit("", metric->unit);
  LacPlotStyle     style = {"step", g_strstrip(label), metric->log_axis, 7.5};
  if (plot->n == 1) /* the axis says it */
    plot->series[0].label = NULL;
  if (*label == '\0')
    style.y_label = NULL;
  lac_plot_curves(drawing, at.x, at.y, width, PLOT_HEIGHT - 6, plot->series, plot->n, &style,
                  &lac_palette_paper);
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

/* Two plots beside each other; one that is left alone takes the whole width. */
static void
add_curves(LacPages *pages, const LacRunFile *run)
{
  if (run->n_series < 2)
    return;
  g_autofree double *steps = g_new(double, run->n_series);
  for (gsize i = 0; i < run->n_series; i++)
    steps[i] = (double) run->series_step[i];
  g_autoptr(GArray) plots = collect_plots(run, steps);
  double            y = 0, gap = 14, whole = lac_pages_get_width(pages), half = (whole - gap) / 2;
  LacDrawing       *drawing = NULL;
  for (guint i = 0; i < plots->len; i++) {
    Plot    *plot = &g_array_index(plots, Plot, i);
    gboolean is_left = i % 2 == 0, is_alone = is_left && i + 1 == plots->len;
    if (i == 0)
      lac_pages_heading(pages, "Curves", FALSE, PLOT_HEIGHT);
    if (is_left)
      drawing = lac_pages_place(pages, PLOT_HEIGHT, &y);
    LacPoint at = {LAC_PAGE_MARGIN + (is_left ? 0 : half + gap), y};
    draw_curves(drawing, at, is_alone ? whole : half, &run->metrics[plot->metric], plot);
  }
}

/* From the begin of one step in the middle of the run to the end of another. */
static gboolean
find_middle(const LacCapture *capture, gint64 *first_step, gint64 *begin, gint64 *end)
{
  gsize  n = lac_capture_get_n_records(capture);
  gint64 last = -1;
  for (gsize i = 0; i < n; i++)
    if (lac_capture_at(capture, i)->kind == LAC_RECORD_SPAN)
      last = MAX(last, lac_capture_at(capture, i)->step);
  if (last < 0)
    return FALSE;
  *first_step = MAX(0, last / 2 - STRIP_STEPS / 2);
  *begin = G_MAXINT64;
  *end = G_MININT64;
  for (gsize i = 0; i < n; i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    if (record->kind != LAC_RECORD_SPAN || record->step < *first_step ||
        record->step >= *first_step + STRIP_STEPS)
      continue;
    *begin = MIN(*begin, record->start_ns);
    *end = MAX(*end, record->start_ns + record->duration_ns);
  }
  return *end > *begin;
}

static void
add_timeline(LacPages *pages, const LacRunFile *run)
{
  gint64 first, begin, end;
  if (!find_middle(run->capture, &first, &begin, &end))
    return;
  g_autoptr(LacTimeline) timeline = lac_timeline_new(run->capture);
  lac_timeline_close(timeline);
  g_autoptr(LacDrawing) strip = lac_drawing_new();
  double                width = lac_pages_get_width(pages);
  LacTimelineView       view = {begin, end, width, STRIP_HEIGHT, 7};
  double height = MIN(lac_timeline_draw(timeline, strip, &view, &lac_palette_paper), STRIP_HEIGHT);
  g_autofree char *heading =
    g_strdup_printf("Timeline, %d steps from step %" G_GINT64_FORMAT " on", STRIP_STEPS, first);
  lac_pages_heading(pages, heading, FALSE, height + 4);
  double      y;
  LacDrawing *drawing = lac_pages_place(pages, height + 4, &y);
  lac_draw_clip(drawing, LAC_PAGE_MARGIN, y, width, height);
  lac_drawing_append(drawing, strip, LAC_PAGE_MARGIN, y);
  lac_draw_unclip(drawing);
}

static gboolean
add_run(LacPages *pages, const LacRunFile *run, GError **error)
{
  g_auto(LacSummary) summary = {0};
  lac_summary_init(&summary, run);
  add_title(pages, &summary);
  if (!add_figure(pages, run, error))
    return FALSE;
  add_table(pages, &summary, "Results", lac_summary_results);
  add_trust(pages, run);
  add_table(pages, &summary, "Gates", lac_summary_gates);
  add_curves(pages, run);
  add_table(pages, &summary, "Where the time went", lac_summary_operations);
  add_timeline(pages, run);
  add_table(pages, &summary, "Settings", lac_summary_settings);
  add_table(pages, &summary, "Events", lac_summary_events);
  add_table(pages, &summary, "Provenance", lac_summary_facts);
  return TRUE;
}

/* The key result of the first run, in every run that has it. */
static void
add_joint_curve(LacPages *pages, LacRunFile *const *runs, gsize n_runs)
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
  LacPlotStyle        style = {"compute time (s)", label, metric->log_axis, 7.5};
  lac_pages_heading(pages, "Curves over each other", FALSE, JOINT_HEIGHT);
  double      y;
  LacDrawing *drawing = lac_pages_place(pages, JOINT_HEIGHT, &y);
  double      width = lac_pages_get_width(pages);
  lac_plot_curves(drawing, LAC_PAGE_MARGIN, y, width, JOINT_HEIGHT, series, n, &style,
                  &lac_palette_paper);
}

static void
add_comparison(LacPages *pages, LacRunFile *const *runs, gsize n_runs)
{
  static const struct {
    const char *heading;
    void (*fill)(LacRunFile *const *, gsize, LacTable *);
  } parts[] = {
    {"Runs", lac_compare_runs},
    {"Settings that differ", lac_compare_settings},
    {"Results", lac_compare_metrics},
    {"Cost", lac_compare_cost},
  };
  g_autofree char *title = g_strdup_printf("Comparison of %" G_GSIZE_FORMAT " runs", n_runs);
  lac_pages_heading(pages, title, TRUE, 60);
  for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
    g_auto(LacTable) table = {0};
    parts[i].fill(runs, n_runs, &table);
    lac_pages_heading(pages, parts[i].heading, FALSE, 60);
    lac_pages_table(pages, &table);
  }
  add_joint_curve(pages, runs, n_runs);
}

gboolean
lac_report_write_pdf(LacRunFile *const *runs, gsize n_runs, const char *path, GError **error)
{
  g_autofree char    *name = g_path_get_basename(runs[0]->path);
  g_autofree char    *several = g_strdup_printf("%" G_GSIZE_FORMAT " runs", n_runs);
  g_autofree char    *started = lac_summary_started(runs[0]);
  g_autofree char    *foot = g_strdup_printf("%s · %s", runs[0]->experiment, started);
  g_autoptr(LacPages) pages = lac_pages_new(n_runs > 1 ? several : name, foot);
  if (n_runs > 1)
    add_comparison(pages, runs, n_runs);
  for (gsize i = 0; i < n_runs; i++) {
    if (n_runs > 1)
      lac_pages_break(pages);
    if (!add_run(pages, runs[i], error))
      return FALSE;
  }
  g_autoptr(GString) keywords = g_string_new(name);
  for (gsize i = 0; i < runs[0]->n_facts; i++)
    g_string_append_printf(keywords, "; %s: %s", runs[0]->facts[i].key, runs[0]->facts[i].value);
  g_autofree char *title = g_strdup_printf("Report: %s", n_runs > 1 ? several : runs[0]->title);
  return lac_pages_write(pages, path, title, keywords->str, error);
}
