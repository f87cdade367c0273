/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profile in a report: findings, shares as bars, iterations as a curve, some steps as a timeline. */
#include "report/document/document-private.h"
#include "report/plot/plot.h"
#include "report/plot/roofline-chart.h"
#include "report/summary/findings.h"
#include "report/timeline/timeline.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>

#define STRIP_HEIGHT 300.0 /* maximum height of the timeline */
#define STRIP_STEPS  3
#define PLOT_HEIGHT  130.0
#define BAR_HEIGHT   15.0
#define BARS_ABOVE   4.0 /* distance to the table */
#define MOST_BARS    10
#define SIZE         7.5

void
lac_report_add_findings(LacDocument *document, const LacCapture *capture)
{
  g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
  g_auto(LacAnalysis)  analysis = lac_analysis_make(capture);
  for (gsize i = 0; i < analysis.n; i++)
    g_ptr_array_add(texts, lac_finding_dup_text(&analysis.findings[i], capture));
  if (texts->len == 0)
    return;
  document->heading(document, _("Findings"));
  document->items(document, (const char *const *) texts->pdata, texts->len);
}

typedef struct {
  const LacCapture   *capture;
  const LacAggregate *rows[MOST_BARS]; /* operations, longest first */
  gsize               n;
} Bars;

static double
draw_bars(LacDrawing       *drawing,
          LacPoint          at,
          double            width,
          const LacPalette *palette,
          gconstpointer     data)
{
  const Bars *bars = data;
  double      labels = width * 0.32, numbers = 36, room = width - labels - numbers;
  for (gsize i = 0; i < bars->n && drawing != NULL; i++) {
    const LacAggregate *row = bars->rows[i];
    double           y = at.y + BARS_ABOVE + BAR_HEIGHT * (double) i, base = y + BAR_HEIGHT * 0.68;
    const char      *name = lac_capture_get_name(bars->capture, row->name);
    g_autofree char *fitted = lac_text_dup_fitted(name, SIZE, FALSE, labels - 6);
    char             share[32];
    double           length = MAX(room * row->share / bars->rows[0]->share, 0.5);
    g_ascii_formatd(share, sizeof share, "%.1f", 100 * row->share);
    g_autofree char *percent = g_strdup_printf("%s %%", share);
    lac_draw_text(drawing, at.x + labels - 6, base, LAC_ALIGN_RIGHT, SIZE, palette->foreground,
                  fitted);
    lac_draw_rectangle(drawing, at.x + labels, y + 2, length, BAR_HEIGHT - 4, palette->series[0]);
    lac_draw_text(drawing, at.x + labels + length + 4, base, LAC_ALIGN_LEFT, SIZE, palette->faint,
                  percent);
  }
  return BARS_ABOVE + BAR_HEIGHT * (double) bars->n + 4;
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

void
lac_report_add_shares(LacDocument *document, const LacCapture *capture)
{
  Bars                     bars = {.capture = capture};
  gsize                    n;
  g_autoptr(LacAggregates) aggregates = lac_aggregates_new();
  lac_aggregates_add_capture(aggregates, capture);
  const LacAggregate *rows = lac_aggregates_get(aggregates, &n);
  const gboolean      any = lac_aggregates_operations_matter(rows, n);
  for (gsize i = 0; i < n && bars.n < MOST_BARS; i++)
    if (rows[i].is_operation == any && rows[i].share > 0)
      bars.rows[bars.n++] = &rows[i];
  if (bars.n > 0)
    document->picture(
      document, &(LacPicture){draw_bars, &bars,
                              _("bar chart: share of each operation in the total time"), FALSE});
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
  document->paragraph(document, lac_roofline_explanation(), TRUE);
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
    gsize               first = (all->n - STRIP_STEPS) / 2;
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
