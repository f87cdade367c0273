/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of time: the wall clock by phase and own time by operation; a flame graph, or that of a difference; counters. */
#include "perf/recorder/gauges.h"
#include "report/figure/figure-private.h"
#include "report/text/number.h"
#include "report/text/run-metrics.h"
#include "report/text/words.h"
#include "report/timeline/flame-graph.h"
#include "report/timeline/stacked-bar.h"
#include "report/timeline/track.h"
#include "report/timeline/words.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define BAR_HEIGHT 2.4 /* in font sizes */
#define ROW_HEIGHT 1.7
#define BAR_GAP    0.9

/* The records of a run in the selected range */
typedef struct {
  LacRunMetrics metrics;
  LacCallTree   tree;
  LacSpanLooks *looks;
} Study;

static void
study_clear(Study *study)
{
  lac_run_metrics_clear(&study->metrics);
  lac_call_tree_clear(&study->tree);
  lac_span_looks_free(study->looks);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Study, study_clear)

/* Colours are those of the whole recording, whatever the range, and of @first where it has the same name. */
static void
study_init(Study *study, const LacFigureScene *scene, gsize r, const Study *first)
{
  const LacFigureRange *asked = &scene->spec->between;
  const LacRunFile     *run = scene->runs[r];
  gint64                begin_ns, end_ns;
  g_auto(LacCallTree)   whole = lac_call_tree_make(run->capture, 0, 0);

  *study = (Study){0};
  lac_run_metrics_init(&study->metrics, run);
  study->looks = lac_span_looks_new(
    run->capture, &(LacSpanMethods){study->metrics.metrics, study->metrics.n,
                                    study->metrics.channels, study->metrics.n_channels});
  if (first != NULL)
    lac_span_looks_adopt(study->looks, first->looks);
  lac_span_looks_update(study->looks, &whole);
  lac_capture_get_extent(run->capture, &begin_ns, &end_ns);
  if (!asked->is_given) {
    study->tree = whole;
    whole = (LacCallTree){0};
    return;
  }
  const gint64 first_ns = begin_ns + (gint64) llround(fmax(asked->low, 0) * 1e9);
  study->tree = lac_call_tree_make(
    run->capture, first_ns,
    MAX(MIN(begin_ns + (gint64) llround(asked->high * 1e9), end_ns), first_ns + 1));
}

static void
append_head(GString *text, const LacFigureScene *scene)
{
  const LacRunFile *run = scene->runs[0];
  g_string_append(text, lac_word(run->title));
  if (*run->experiment != '\0')
    g_string_append_printf(text, " (%s)", run->experiment);
}

/* ---- bars ---- */

static LacTimeParts
find_operations(const Study *study, const LacRunFile *run)
{
  g_autoptr(LacCapture) range =
    lac_capture_dup_range(run->capture, study->tree.begin_ns, study->tree.end_ns);
  g_autoptr(LacAggregates) aggregates = lac_aggregates_new();
  gsize                    n;

  lac_aggregates_add_capture(aggregates, range);
  const LacAggregate *rows = lac_aggregates_get(aggregates, &n);
  return lac_time_parts_of_operations(&study->tree, rows, n);
}

/* Returns: (transfer full): "100 % = 2 min 8 s on 1 thread". */
static char *
dup_operations_whole(const LacTimeParts *parts, const LacRunFile *run)
{
  g_autofree char *whole = lac_stacked_bar_dup_whole(parts);
  if (run->threads == 0)
    return g_steal_pointer(&whole);
  return g_strdup_printf(ngettext("%s on %u thread", "%s on %u threads", run->threads), whole,
                         run->threads);
}

typedef struct {
  LacTimeParts phases, operations;
} Bars;

/* The drawing of one run's bars below each other */
typedef struct {
  LacDrawing           *drawing; /* (nullable) */
  const LacFigurePlace *place;
  const LacSpanLooks   *looks;
  double                y; /* of the next bar */
} Column;

static void
draw_bar(Column             *column,
         const LacTimeParts *parts,
         const char         *title,
         const char         *whole,
         gint64              scale_ns)
{
  const double             size = column->place->font_size;
  const LacStackedBarPlace bar = {.x = column->place->x,
                                  .y = column->y,
                                  .width = column->place->width,
                                  .height = BAR_HEIGHT * size,
                                  .font_size = size,
                                  .title = title,
                                  .whole = whole,
                                  .has_legend = TRUE,
                                  .scale_ns = scale_ns};
  column->y +=
    lac_stacked_bar_draw(parts, column->looks, &bar, &lac_palette_paper, column->drawing, NULL) +
    BAR_GAP * size;
}

/* @letter: "(a) ", or "" for a single run */
static void
draw_pair(Column           *column,
          const LacRunFile *run,
          const char       *letter,
          const Bars       *bars,
          const gint64      scales_ns[2])
{
  g_autofree char *whole = lac_stacked_bar_dup_whole(&bars->phases);
  g_autofree char *summed = dup_operations_whole(&bars->operations, run);
  g_autofree char *phases = g_strconcat(letter, _("Phases, by the clock"), NULL);
  g_autofree char *operations =
    g_strconcat(letter, _("Operations, own time summed over threads"), NULL);

  draw_bar(column, &bars->phases, phases, whole, scales_ns[0]);
  if (bars->operations.n > 0)
    draw_bar(column, &bars->operations, operations, summed, scales_ns[1]);
}

/* Draws the bars of all runs on common scales. Returns: the height used. */
static double
draw_pairs(LacDrawing *drawing, const LacFigureScene *scene, const LacFigurePlace *place)
{
  Study                    studies[LAC_FIGURE_MOST_RUNS];
  Bars                     bars[LAC_FIGURE_MOST_RUNS];
  gint64                   scales_ns[2] = {0, 0};
  Column                   column = {drawing, place, NULL, place->y};
  static const char *const letters[LAC_FIGURE_MOST_RUNS] = {"(a) ", "(b) ", "(c) ", "(d) "};

  for (gsize r = 0; r < scene->n_runs; r++) {
    study_init(&studies[r], scene, r, r > 0 ? &studies[0] : NULL);
    bars[r] = (Bars){lac_time_parts_of_phases(&studies[r].tree, NULL),
                     find_operations(&studies[r], scene->runs[r])};
    scales_ns[0] = MAX(scales_ns[0], bars[r].phases.whole_ns);
    scales_ns[1] = MAX(scales_ns[1], bars[r].operations.whole_ns);
  }
  for (gsize r = 0; r < scene->n_runs; r++) {
    column.looks = studies[r].looks;
    draw_pair(&column, scene->runs[r], scene->n_runs > 1 ? letters[r] : "", &bars[r], scales_ns);
  }
  for (gsize r = 0; r < scene->n_runs; r++) {
    lac_time_parts_clear(&bars[r].phases);
    lac_time_parts_clear(&bars[r].operations);
    study_clear(&studies[r]);
  }
  return column.y - place->y;
}

double
lac_figure_draw_phases(LacDrawing           *drawing,
                       const LacFigureScene *scene,
                       const LacFigurePlace *place)
{
  const double       height = draw_pairs(drawing, scene, place);
  g_autoptr(GString) text = g_string_new(NULL);

  append_head(text, scene);
  g_string_append(text,
                  _(": wall clock by phase, and own time by operation, summed over threads."));
  if (scene->n_runs > 1)
    lac_figure_append_runs(scene, text);
  return height + lac_figure_draw_caption(drawing, place, place->y + height, text->str);
}

/* ---- flame graph ---- */

static double
draw_bars(LacDrawing           *drawing,
          const LacFigurePlace *place,
          const LacFlame       *flame,
          const LacSpanLooks   *looks)
{
  const LacFlamePlace at = {.x = place->x,
                            .y = place->y,
                            .width = place->width,
                            .row = ROW_HEIGHT * place->font_size,
                            .font_size = place->font_size,
                            .has_legend = TRUE};
  return lac_flame_graph_draw(flame, looks, &at, &lac_palette_paper, drawing, NULL);
}

double
lac_figure_draw_flame(LacDrawing *drawing, const LacFigureScene *scene, const LacFigurePlace *place)
{
  const gboolean     is_difference = scene->n_runs > 1;
  g_auto(Study)      first = {0}, last = {0};
  g_autoptr(GString) text = g_string_new(NULL);

  study_init(&first, scene, 0, NULL);
  if (is_difference)
    study_init(&last, scene, 1, &first);
  const Study     *shown = is_difference ? &last : &first;
  g_auto(LacFlame) flame = is_difference
                             ? lac_flame_make_difference(scene->runs[0]->capture, &first.tree,
                                                         scene->runs[1]->capture, &last.tree)
                             : lac_flame_make(&first.tree);
  g_autofree char *time = lac_duration_text((double) flame.whole_ns * 1e-9);
  const double     height = draw_bars(drawing, place, &flame, shown->looks);

  append_head(text, scene);
  if (is_difference)
    g_string_append_printf(
      text, _(": change of the time from (a) to (b) by call path; width: time in (b), %s in all."),
      time);
  else
    g_string_append_printf(text, _(": time by call path, %s in all; outer calls above inner ones."),
                           time);
  if (is_difference)
    lac_figure_append_runs(scene, text);
  return height + lac_figure_draw_caption(drawing, place, place->y + height, text->str);
}

/* ---- in a report ---- */

double
lac_figure_draw_time(LacDrawing *drawing, LacRunFile *run, const LacFigurePlace *place)
{
  g_return_val_if_fail(run != NULL && place != NULL, 0);
  const LacFigureSpec  spec = {.kind = LAC_FIGURE_PHASES};
  const LacFigureScene scene = {.runs = {run}, .n_runs = 1, .spec = &spec};
  LacFigurePlace       below = *place;
  g_auto(Study)        study = {0};

  if (run->capture == NULL)
    return 0;
  study_init(&study, &scene, 0, NULL);
  if (study.tree.n == 0)
    return 0;
  g_auto(LacFlame) flame = lac_flame_make(&study.tree);
  const double     height = draw_pairs(drawing, &scene, place);
  below.y += height;
  return height + draw_bars(drawing, &below, &flame, study.looks);
}

/* ---- counters below a timeline, on the same clock ---- */

#define COUNTER_HEIGHT 2.6 /* in font sizes */
#define COUNTER_GAP    0.4

static const LacGauge shown[] = {LAC_GAUGE_RESIDENT, LAC_GAUGE_DEVICE_MEMORY,
                                 LAC_GAUGE_CPU_UTILISATION, LAC_GAUGE_GPU_UTILISATION,
                                 LAC_GAUGE_SAMPLES};

/* Returns: (transfer full) (nullable): the samples of a counter; NULL without any. */
static LacTrack *
make_track(const LacCapture *capture, LacGauge gauge)
{
  const char         *name = lac_gauge_name(gauge);
  const gint64        id = lac_capture_find_name(capture, name);
  g_autoptr(LacTrack) track = lac_track_new(lac_timeline_word(name), lac_gauge_find_unit(name));

  for (gsize i = 0, n = lac_capture_get_n_records(capture); id >= 0 && i < n; i++) {
    const LacRecord *record = lac_capture_at(capture, i);

    if (record->kind == LAC_RECORD_COUNTER && record->name == id)
      lac_track_add(track, record->start_ns, record->value);
  }
  return lac_track_get_n(track) > 0 ? g_steal_pointer(&track) : NULL;
}

static char *
dup_value(const LacTrack *track, double value)
{
  const char *unit = lac_track_get_unit(track);

  if (g_str_equal(unit, "B"))
    return lac_bytes_text(value);
  if (g_str_equal(unit, "1"))
    return lac_percent_text(value);
  g_autofree char *number = lac_number_text(value);
  return g_strdup_printf("%s %s", number, unit);
}

static void
draw_counter(LacDrawing *drawing, const LacTrack *track, const LacTimelineView *view, double top)
{
  const LacPalette *palette = &lac_palette_paper;
  const double      size = view->font_size;
  double            low, high;

  lac_draw_rectangle(drawing, 0, top, view->width, 0.5, palette->grid);
  lac_draw_text(drawing, 0, top + 1.1 * size, LAC_ALIGN_LEFT, size, palette->foreground,
                lac_track_get_label(track));
  lac_track_draw(track, drawing, view, top + 1.4 * size, (COUNTER_HEIGHT - 1.5) * size,
                 palette->foreground);
  if (!lac_track_find_range(track, view, &low, &high))
    return;
  g_autofree char *least = dup_value(track, low), *most = dup_value(track, high);
  g_autofree char *range = low < high ? g_strdup_printf("%s – %s", least, most) : g_strdup(most);
  lac_draw_text(drawing, view->width, top + 1.1 * size, LAC_ALIGN_RIGHT, size, palette->foreground,
                range);
}

double
lac_figure_draw_counters(LacDrawing            *drawing,
                         const LacCapture      *capture,
                         const LacTimelineView *view)
{
  double top = COUNTER_GAP * view->font_size;

  for (gsize i = 0; i < G_N_ELEMENTS(shown); i++) {
    g_autoptr(LacTrack) track = make_track(capture, shown[i]);

    if (track == NULL)
      continue;
    draw_counter(drawing, track, view, top);
    top += COUNTER_HEIGHT * view->font_size;
  }
  return top > COUNTER_GAP * view->font_size ? top : 0;
}
