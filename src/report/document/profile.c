/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time in a report: findings, bars of phases and operations, a flame graph, iterations as a curve, some steps as a
 * timeline. */
#include "report/document/document-private.h"
#include "report/plot/plot.h"
#include "report/plot/roofline-chart.h"
#include "report/summary/answer.h"
#include "report/summary/findings.h"
#include "report/summary/kinds.h"
#include "report/summary/speed.h"
#include "report/text/run-metrics.h"
#include "report/timeline/flame-graph.h"
#include "report/timeline/stacked-bar.h"
#include "report/timeline/timeline.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>

#define STRIP_HEIGHT 300.0 /* maximum height of the timeline */
#define STRIP_STEPS  3
#define PLOT_HEIGHT  130.0
#define BAR_HEIGHT   16.0
#define BARS_ABOVE   4.0 /* distance to the table */
#define FLAME_ROW    12.0
#define FLAME_ROWS   8
#define SIZE         7.5

void
lac_report_add_findings(LacDocument *document, const LacRunFile *run)
{
  g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
  g_auto(LacAnalysis)  analysis = lac_analysis_make(run->capture);
  g_autoptr(GArray)    advice = lac_speed_advice_of_run(run->path, run->capture);
  for (gsize i = 0; i < analysis.n; i++)
    g_ptr_array_add(texts, lac_finding_dup_text(&analysis.findings[i], run->capture));
  for (guint i = 0; i < advice->len; i++)
    g_ptr_array_add(texts,
                    lac_speed_advice_dup_text(&g_array_index(advice, LacSpeedAdvice, i), FALSE));
  if (texts->len == 0)
    return;
  document->heading(document, _("Findings"));
  document->items(document, (const char *const *) texts->pdata, texts->len);
}

typedef struct {
  const LacSpanLooks *looks;
  LacTimeParts        parts;
  const char         *title;
  char               *whole;
} Bar;

static double
draw_bar(LacDrawing       *drawing,
         LacPoint          at,
         double            width,
         const LacPalette *palette,
         gconstpointer     data)
{
  const Bar               *bar = data;
  const LacStackedBarPlace place = {.x = at.x,
                                    .y = at.y + BARS_ABOVE,
                                    .width = width,
                                    .height = BAR_HEIGHT,
                                    .font_size = SIZE,
                                    .title = bar->title,
                                    .whole = bar->whole,
                                    .has_legend = TRUE};
  return 2 * BARS_ABOVE +
         lac_stacked_bar_draw(&bar->parts, bar->looks, &place, palette, drawing, NULL);
}

static void
add_bar(LacDocument *document, Bar *bar, const char *words)
{
  bar->whole = lac_stacked_bar_dup_whole(&bar->parts);
  if (bar->parts.n > 0)
    document->picture(document, &(LacPicture){draw_bar, bar, words, FALSE});
  lac_time_parts_clear(&bar->parts);
  g_free(bar->whole);
}

typedef struct {
  const LacSpanLooks *looks;
  LacFlame            flame;
} Flame;

static double
draw_flame(LacDrawing       *drawing,
           LacPoint          at,
           double            width,
           const LacPalette *palette,
           gconstpointer     data)
{
  const Flame        *flame = data;
  const LacFlamePlace place = {.x = at.x,
                               .y = at.y + BARS_ABOVE,
                               .width = width,
                               .row = FLAME_ROW,
                               .font_size = SIZE - 1,
                               .most_rows = FLAME_ROWS};
  return 2 * BARS_ABOVE +
         lac_flame_graph_draw(&flame->flame, flame->looks, &place, palette, drawing, NULL);
}

static double
draw_roofline(LacDrawing       *drawing,
              LacPoint          at,
              double            width,
              const LacPalette *palette,
              gconstpointer     data)
{
  if (drawing != NULL)
    lac_roofline_draw(data, drawing, at, width, palette);
  return LAC_ROOFLINE_HEIGHT;
}

/* The call tree of a run, and the colours and labels of its spans. */
typedef struct {
  LacCallTree   tree;
  LacSpanLooks *looks;
} Spans;

static void
spans_init(Spans *spans, const LacRunFile *run)
{
  g_auto(LacRunMetrics) metrics = {0};

  lac_run_metrics_init(&metrics, run);
  spans->tree = lac_call_tree_make(run->capture, 0, 0);
  spans->looks =
    lac_span_looks_new(run->capture, &(LacSpanMethods){metrics.metrics, metrics.n, metrics.channels,
                                                       metrics.n_channels});
  lac_span_looks_update(spans->looks, &spans->tree);
}

static void
spans_clear(Spans *spans)
{
  lac_call_tree_clear(&spans->tree);
  g_clear_pointer(&spans->looks, lac_span_looks_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Spans, spans_clear)

char *
lac_report_dup_time_answer(const LacRunFile *run)
{
  g_auto(Spans) spans = {0};

  spans_init(&spans, run);
  return lac_answer_time(&spans.tree, spans.looks, NULL);
}

void
lac_report_add_shares(LacDocument *document, const LacSummary *summary)
{
  g_auto(Spans) spans = {0};

  spans_init(&spans, summary->run);
  if (spans.tree.n == 0)
    return;
  Bar phases = {spans.looks, lac_time_parts_of_phases(&spans.tree, NULL), _("Wall clock, by phase"),
                NULL};
  Bar operations = {
    spans.looks,
    lac_time_parts_of_operations(&spans.tree, summary->operations, summary->n_operations),
    _("Own time of operations, summed over threads"), NULL};
  Flame flame = {spans.looks, lac_flame_make(&spans.tree)};
  add_bar(document, &phases, _("bar: share of each phase in the wall clock"));
  add_bar(document, &operations, _("bar: share of each operation in the time of all threads"));
  const LacKindTimes kinds = lac_kinds_of_capture(summary->run->capture);
  g_autofree char   *words = lac_kinds_dup_text(&kinds);
  if (words != NULL) {
    g_autofree char *text = g_strdup_printf(_("Own time by kind of work: %s."), words);
    document->paragraph(document, text, TRUE);
  }
  document->picture(document,
                    &(LacPicture){draw_flame, &flame, _("flame graph: time by call path"), FALSE});
  lac_flame_clear(&flame.flame);
}

void
lac_report_add_roofline(LacDocument *document, const LacCapture *capture)
{
  g_autoptr(LacAggregates) aggregates = lac_aggregates_new();
  gsize                    n;
  lac_aggregates_add_capture(aggregates, capture);
  const LacAggregate    *rows = lac_aggregates_get(aggregates, &n);
  const LacRooflineChart chart = lac_roofline_chart_of(capture, rows, n);
  if (chart.n == 0)
    return;
  document->heading(document, _("Roofline of this machine"));
  document->picture(document,
                    &(LacPicture){draw_roofline, &chart,
                                  _("roofline: speed of each operation over its arithmetic "
                                    "intensity, below the limits of the machine"),
                                  FALSE});
  document->paragraph(document, lac_roofline_explanation(&chart.peak), TRUE);
}

typedef struct {
  LacSeries    series[2];
  gsize        n;
  LacPlotStyle style;
} Chart;

static double
draw_chart(LacDrawing       *drawing,
           LacPoint          at,
           double            width,
           const LacPalette *palette,
           gconstpointer     data)
{
  const Chart *chart = data;
  if (drawing != NULL)
    lac_plot_curves(drawing, at.x, at.y, width, PLOT_HEIGHT - 6, chart->series, chart->n,
                    &chart->style, palette);
  return PLOT_HEIGHT;
}

static void
add_iterations(const LacIterations *all, LacDocument *document)
{
  if (all->n < 3)
    return;
  g_autofree double *steps = g_new(double, all->n), *times = g_new(double, all->n);
  double             ends[2], medians[2] = {all->median_ns * 1e-6, all->median_ns * 1e-6};
  for (gsize i = 0; i < all->n; i++) {
    steps[i] = (double) all->iterations[i].step;
    times[i] = (double) all->iterations[i].duration_ns * 1e-6;
  }
  ends[0] = steps[0];
  ends[1] = steps[all->n - 1];
  Chart chart = {
    .series = {{.label = _("each iteration"), .x = steps, .y = times, .n = all->n},
               {.label = _("median"), .x = ends, .y = medians, .n = 2, .look = 2, .dashed = TRUE}},
    .n = 2,
    .style = {_("step"), _("time (ms)"), FALSE, SIZE},
  };
  document->heading(document, _("Iterations"));
  document->picture(document,
                    &(LacPicture){draw_chart, &chart, _("duration of each iteration"), FALSE});
}

typedef struct {
  const LacTimeline *timeline;
  gint64             begin_ns, end_ns;
} Strip;

static double
draw_strip(LacDrawing       *drawing,
           LacPoint          at,
           double            width,
           const LacPalette *palette,
           gconstpointer     data)
{
  const Strip          *strip = data;
  g_autoptr(LacDrawing) drawn = lac_drawing_new();
  LacTimelineView       view = {.begin_ns = strip->begin_ns,
                                .end_ns = strip->end_ns,
                                .width = width,
                                .height = STRIP_HEIGHT,
                                .font_size = 7};
  double height = MIN(lac_timeline_draw(strip->timeline, drawn, &view, palette), STRIP_HEIGHT);
  if (drawing == NULL)
    return height;
  lac_draw_clip(drawing, at.x, at.y, width, height);
  lac_drawing_append(drawing, drawn, at.x, at.y);
  lac_draw_unclip(drawing);
  return height;
}

/* Returns: the last iteration that begins before @ns */
static gsize
find_at(const LacIterations *all, gint64 ns)
{
  gsize i = 0;

  while (i + 1 < all->n && all->iterations[i + 1].start_ns <= ns)
    i++;
  return i;
}

/* Returns: the iteration in the middle; with a device, the one nearest to it during which kernels were timed */
static gsize
find_shown(const LacCapture *capture, const LacIterations *all)
{
  const gsize      middle = all->n / 2;
  const gint64     middle_ns = all->iterations[middle].start_ns;
  gint64           nearest = G_MAXINT64;
  gsize            n;
  const LacRecord *records;

  for (gsize first = 0; (records = lac_capture_get(capture, first, &n)) != NULL; first += n)
    for (gsize i = 0; i < n; i++)
      if (records[i].kind == LAC_RECORD_KERNEL &&
          ABS(records[i].start_ns - middle_ns) < ABS(nearest - middle_ns))
        nearest = records[i].start_ns;
  return nearest == G_MAXINT64 ? middle : find_at(all, nearest);
}

/* Adds a timeline of some iterations in the middle; without iterations, of the whole recording. */
static void
add_timeline(LacCapture *capture, const LacIterations *all, LacDocument *document)
{
  g_autofree char *heading = NULL;
  Strip            strip;
  lac_capture_get_extent(capture, &strip.begin_ns, &strip.end_ns);
  if (strip.end_ns <= strip.begin_ns)
    return;
  if (all->n > STRIP_STEPS) {
    const gsize         shown = find_shown(capture, all), most = all->n - STRIP_STEPS;
    const gsize         first = MIN(shown > STRIP_STEPS / 2 ? shown - STRIP_STEPS / 2 : 0, most);
    const LacIteration *begin = &all->iterations[first], *end = begin + STRIP_STEPS - 1;
    strip.begin_ns = begin->start_ns;
    strip.end_ns = end->start_ns + end->duration_ns;
    heading =
      g_strdup_printf(_("Timeline, %d steps from step %" PRId64 " on"), STRIP_STEPS, begin->step);
  }
  g_autoptr(LacTimeline) timeline = lac_timeline_new(capture);
  lac_timeline_close(timeline);
  strip.timeline = timeline;
  document->heading(document, heading != NULL ? heading : _("Timeline"));
  document->picture(
    document,
    &(LacPicture){draw_strip, &strip, _("timeline: spans and operations of each lane"), FALSE});
}

void
lac_report_add_timeline(LacDocument *document, LacCapture *capture)
{
  g_auto(LacIterations) iterations = lac_iterations_find(capture);
  add_iterations(&iterations, document);
  add_timeline(capture, &iterations, document);
}
