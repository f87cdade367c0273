/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scene of a figure at one step, for a figure or for one picture of a film. */
#include "base/error.h"
#include "io/runfile/marks.h"
#include "perf/analysis/iterations.h"
#include "report/figure/figure-private.h"
#include "report/figure/members.h"
#include "report/plot/spectra.h"
#include "report/text/number.h"
#include "report/text/run-metrics.h"
#include "report/text/words.h"
#include "report/timeline/timeline.h"

#include <glib/gi18n-lib.h>

#include <math.h>

/* ---- timeline figure: some steps, all lanes ---- */

#define TALLEST 1.4 /* relative to the width; anything lower is clipped */

typedef struct {
  gint64 begin_ns, end_ns, first_step, last_step;
  gsize  n_steps; /* 0: the recording has no steps and is shown completely */
} Range;

static gint64
place_of(const LacTimeline *timeline, double seconds)
{
  gint64 first, last;

  lac_timeline_get_extent(timeline, &first, &last);
  return first + (gint64) llround(CLAMP(seconds, 0, (double) (last - first) * 1e-9) * 1e9);
}

/* Finds the range of n_steps steps around the selected one, or in the middle of the run without a selection. */
static Range
find_range(const LacFigureScene *scene)
{
  const LacRunFile     *run = scene->runs[0];
  g_auto(LacIterations) all = lac_iterations_find(run->capture);
  const LacFrame       *frame = scene->frames[0];
  const gboolean        is_asked = scene->is_film || (frame != NULL && frame->step < run->steps);
  gsize                 n = MIN(all.n, (gsize) scene->spec->n_steps), at = all.n / 2;
  Range                 range = {0};

  lac_capture_get_extent(run->capture, &range.begin_ns, &range.end_ns);
  if (n == 0)
    return range;
  for (gsize i = 0; is_asked && frame != NULL && i < all.n; i++)
    if (all.iterations[i].step <= frame->step)
      at = i;
  at = MIN(at >= n / 2 ? at - n / 2 : 0, all.n - n);
  const LacIteration *first = &all.iterations[at], *last = &all.iterations[at + n - 1];
  return (Range){first->start_ns, last->start_ns + last->duration_ns, first->step, last->step, n};
}

static char *
make_caption(const LacFigureScene *scene, const Range *range)
{
  const LacRunFile *run = scene->runs[0];
  g_autofree char  *span = lac_duration_text((double) (range->end_ns - range->begin_ns) * 1e-9);
  GString          *text = g_string_new(NULL);

  g_autofree char *first = g_strdup_printf("%" G_GINT64_FORMAT, range->first_step);
  g_autofree char *last = g_strdup_printf("%" G_GINT64_FORMAT, range->last_step);

  g_string_printf(text, _("%s (%s): timeline, %s"), lac_word(run->title), run->experiment, span);
  if (range->n_steps > 0)
    g_string_append_printf(text, _(" of steps %s to %s"), first, last);
  g_string_append_printf(text,
                         _(", on %s with %u threads. Each lane is a thread: spans by depth, then "
                           "the operations of each step in order; hatched: several bars in one."),
                         run->backend, run->threads);
  return g_string_free(text, FALSE);
}

gboolean
lac_figure_is_of_records(LacFigureKind kind)
{
  return kind == LAC_FIGURE_TIMELINE || kind == LAC_FIGURE_PHASES || kind == LAC_FIGURE_FLAME;
}

/* Checks that a run has records in the selected time range. */
static gboolean
check_records(const LacFigureScene *scene, const LacRunFile *run, GError **error)
{
  const LacFigureRange *asked = &scene->spec->between;
  gint64                begin, end;

  if (run->capture == NULL || lac_capture_get_n_records(run->capture) == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s has no records to draw the %s from",
                run->path, lac_figure_kind_word(scene->spec->kind));
    return FALSE;
  }
  lac_capture_get_extent(run->capture, &begin, &end);
  if (!asked->is_given || (asked->high > 0 && asked->low < (double) (end - begin) * 1e-9))
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "between = %g,%g is outside the records of %s, which span %g s", asked->low,
              asked->high, run->path, (double) (end - begin) * 1e-9);
  return FALSE;
}

static gboolean
check_all_records(const LacFigureScene *scene, GError **error)
{
  for (gsize r = 0; r < scene->n_runs; r++)
    if (!check_records(scene, scene->runs[r], error))
      return FALSE;
  return TRUE;
}

static double
figure_draw_timeline(LacDrawing *drawing, const LacFigureScene *scene, const LacFigurePlace *place)
{
  const LacFigureRange  *asked = &scene->spec->between;
  const LacRunFile      *run = scene->runs[0];
  g_autoptr(LacCapture)  marked = lac_run_marks_ref_capture(run->path, run->capture);
  g_autoptr(LacTimeline) timeline = lac_timeline_new(marked);
  g_autoptr(LacDrawing)  drawn = lac_drawing_new();

  lac_timeline_close(timeline);
  const Range           range = asked->is_given && !scene->is_film
                                  ? (Range){place_of(timeline, asked->low), place_of(timeline, asked->high)}
                                  : find_range(scene);
  const LacTimelineView view = {
    .begin_ns = range.begin_ns,
    .end_ns = MAX(range.end_ns, range.begin_ns + 1),
    .width = place->width,
    .height = TALLEST * place->width,
    .font_size = place->font_size,
  };
  double           height;
  g_autofree char *caption = make_caption(scene, &range);

  height = MIN(lac_timeline_draw(timeline, drawn, &view, &lac_palette_paper), view.height);
  if (drawing != NULL) {
    lac_draw_clip(drawing, place->x, place->y, place->width, height);
    lac_drawing_append(drawing, drawn, place->x, place->y);
    lac_draw_unclip(drawing);
  }
  g_autoptr(LacDrawing) counters = lac_drawing_new();
  const double          more = lac_figure_draw_counters(counters, marked, &view);
  if (drawing != NULL)
    lac_drawing_append(drawing, counters, place->x, place->y + height);
  height += more;
  return height + lac_figure_draw_caption(drawing, place, place->y + height, caption);
}

/* ---- scene ---- */

/* Returns: index of the channel @key, or of the default channel for NULL; -1 with an error. */
static gssize
choose_channel(const LacRunFile *run, const char *key, GError **error)
{
  if (key != NULL) {
    gssize found = lac_run_file_find_channel(run, key);
    if (found >= 0)
      return found;
    g_autoptr(GString) keys = g_string_new(NULL);
    for (gsize i = 0; i < run->n_channels; i++)
      g_string_append_printf(keys, "%s%s", i > 0 ? ", " : "", run->channels[i].key);
    g_set_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY,
                "channel = %s is not in this run; it has %s", key, keys->str);
    return -1;
  }
  for (gsize i = 0; i < run->n_channels; i++)
    if (run->channels[i].role == LAC_ROLE_RECONSTRUCTION)
      return (gssize) i;
  if (run->n_channels > 0)
    return 0;
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s has no channel to draw", run->path);
  return -1;
}

/* Finds in another run the same channel, or one of the same quantity. */
static gssize
find_counterpart(const LacRunFile *run, const LacRunChannel *channel)
{
  gssize found = lac_run_file_find_channel(run, channel->key);

  for (gsize i = 0; found < 0 && i < run->n_channels; i++)
    if (run->channels[i].role == LAC_ROLE_RECONSTRUCTION &&
        g_strcmp0(run->channels[i].quantity, channel->quantity) == 0)
      found = (gssize) i;
  return found;
}

/* Derives the channel from the velocity if the run does not have it. */
static void
derive(LacFigureScene *scene)
{
  const char *key = scene->spec->channel;

  if (key == NULL || lac_run_file_find_channel(scene->runs[0], key) >= 0)
    return;
  for (gsize r = 0; r < scene->n_runs; r++) {
    scene->derived[r] = lac_derived_run_new(scene->runs[r]);
    scene->runs[r] = lac_derived_run_get(scene->derived[r]);
  }
}

static gboolean
find_channels(LacFigureScene *scene, GError **error)
{
  gssize first;

  derive(scene);
  first = choose_channel(scene->runs[0], scene->spec->channel, error);
  if (first < 0)
    return FALSE;
  scene->channels[0] = (gsize) first;
  for (gsize r = 1; r < scene->n_runs; r++) {
    const LacRunChannel *channel = &scene->runs[0]->channels[first];
    gssize               found = find_counterpart(scene->runs[r], channel);

    if (found < 0) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                  "%s has no channel to compare with %s of the first run", scene->runs[r]->path,
                  channel->key);
      return FALSE;
    }
    scene->channels[r] = (gsize) found;
  }
  return TRUE;
}

static gboolean
check_flow(const LacFigureScene *scene, GError **error)
{
  const LacFlowLook *flow = &scene->spec->look.flow;

  if (!flow->arrows && !flow->streamlines && !flow->texture)
    return TRUE;
  for (gsize r = 0; r < scene->n_runs; r++)
    if (lac_figure_has_velocity(scene->runs[r]))
      return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
              "arrows, streamlines and flow texture need a velocity, and %s has none",
              scene->runs[0]->path);
  return FALSE;
}

static gboolean
check(const LacFigureScene *scene, GError **error)
{
  const LacRunFile *run = scene->runs[0];

  if (scene->n_runs > LAC_FIGURE_MOST_RUNS)
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "%" G_GSIZE_FORMAT " runs are too many for one figure; at most %d", scene->n_runs,
                LAC_FIGURE_MOST_RUNS);
  else if (scene->spec->kind == LAC_FIGURE_COMPARISON && scene->n_runs < 2)
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE, "a comparison needs a second run beside %s",
                run->path);
  else if (scene->spec->kind == LAC_FIGURE_FLAME && scene->n_runs > 2)
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "a flame graph shows one run or the difference of two, and %" G_GSIZE_FORMAT
                " are given",
                scene->n_runs);
  else if (scene->spec->kind == LAC_FIGURE_CURVES && run->n_series < 2)
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s has fewer than two rows of metrics; a curve needs at least two", run->path);
  else
    return !lac_figure_is_of_records(scene->spec->kind) || check_all_records(scene, error);
  return FALSE;
}

gboolean
lac_figure_scene_has_channel(const LacFigureScene *scene)
{
  return !lac_figure_is_of_records(scene->spec->kind) && scene->spec->kind != LAC_FIGURE_CURVES;
}

gboolean
lac_figure_scene_init(LacFigureScene      *scene,
                      LacRunFile *const   *runs,
                      gsize                n_runs,
                      const LacFigureSpec *spec,
                      GError             **error)
{
  *scene = (LacFigureScene){.n_runs = n_runs, .spec = spec};
  if (spec->kind == LAC_FIGURE_FIELDS || spec->kind == LAC_FIGURE_SPECTRUM ||
      spec->kind == LAC_FIGURE_TIMELINE)
    scene->n_runs = 1;
  for (gsize r = 0; r < MIN(scene->n_runs, LAC_FIGURE_MOST_RUNS); r++)
    scene->runs[r] = runs[r];
  if (!lac_figure_spec_check(spec, error) || !check(scene, error))
    return FALSE;
  if (!lac_figure_scene_has_channel(scene) ||
      (find_channels(scene, error) && check_flow(scene, error)))
    return TRUE;
  lac_figure_scene_clear(scene);
  return FALSE;
}

void
lac_figure_scene_clear(LacFigureScene *scene)
{
  for (gsize r = 0; r < G_N_ELEMENTS(scene->frames); r++)
    g_clear_pointer(&scene->frames[r], lac_frame_unref);
  for (gsize r = 0; r < G_N_ELEMENTS(scene->derived); r++)
    g_clear_pointer(&scene->derived[r], lac_derived_run_free);
}

static gssize
find_frame(const LacFigureScene *scene, gsize r, gint64 step)
{
  if (!scene->spec->against_seconds)
    return lac_run_file_find_frame(scene->runs[r], step);
  return lac_run_file_find_frame_at(scene->runs[r], lac_run_file_get_seconds(scene->runs[0], step));
}

/* Fails with the reason when there is no spectrum. */
static gboolean
check_spectrum(const LacFigureScene *scene, GError **error)
{
  g_auto(LacRunMetrics) declared = {0};
  const char           *why;

  if (scene->spec->kind != LAC_FIGURE_SPECTRUM)
    return TRUE;
  lac_run_metrics_init(&declared, scene->runs[0]);
  why =
    lac_spectra_why_not(&(LacSpectraOf){declared.channels, declared.n_channels, scene->frames[0],
                                        lac_figure_scene_get_quantity(scene)});
  if (why == NULL)
    return TRUE;
  g_set_error_literal(error, LAC_ERROR, LAC_ERROR_BAD_FILE, why);
  return FALSE;
}

static LacFrame *
load_frame(const LacFigureScene *scene, gsize r, gsize i, GError **error)
{
  return scene->derived[r] != NULL
           ? lac_derived_run_load_frame(scene->derived[r], i, scene->channels[r], error)
           : lac_run_file_load_frame(scene->runs[r], i, error);
}

gboolean
lac_figure_scene_load(LacFigureScene *scene, gsize i, GError **error)
{
  gint64 step = scene->runs[0]->frame_step[i];

  for (gsize r = 0; r < scene->n_runs; r++) {
    gssize kept = r == 0 ? (gssize) i : find_frame(scene, r, step);

    g_clear_pointer(&scene->frames[r], lac_frame_unref);
    if (kept < 0 && !lac_figure_scene_has_channel(scene))
      continue;
    if (kept < 0) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                  "%s has no saved frame to draw: it ended before the first one",
                  scene->runs[r]->path);
      return FALSE;
    }
    scene->frames[r] = load_frame(scene, r, (gsize) kept, error);
    if (scene->frames[r] == NULL)
      return FALSE;
  }
  return check_spectrum(scene, error);
}

LacFigureScales
lac_figure_scene_measure(const LacFigureScene *scene)
{
  if (scene->spec->kind == LAC_FIGURE_COMPARISON)
    return lac_figure_measure_comparison(scene);
  if (scene->spec->kind == LAC_FIGURE_FIELDS)
    return lac_figure_measure(scene->runs[0], scene->frames[0], scene->channels[0],
                              &scene->spec->look);
  return (LacFigureScales){0};
}

double
lac_figure_scene_draw(const LacFigureScene *scene, LacDrawing *drawing, const LacFigurePlace *place)
{
  switch (scene->spec->kind) {
  case LAC_FIGURE_FIELDS: return lac_figure_draw(drawing, scene->runs[0], scene->frames[0], place);
  case LAC_FIGURE_SPECTRUM: return lac_figure_draw_spectrum(drawing, scene, place);
  case LAC_FIGURE_CURVES: return lac_figure_draw_curves(drawing, scene, place);
  case LAC_FIGURE_TIMELINE: return figure_draw_timeline(drawing, scene, place);
  case LAC_FIGURE_PHASES: return lac_figure_draw_phases(drawing, scene, place);
  case LAC_FIGURE_FLAME: return lac_figure_draw_flame(drawing, scene, place);
  case LAC_FIGURE_COMPARISON: return lac_figure_draw_comparison(drawing, scene, place);
  case LAC_N_FIGURES: break;
  }
  g_return_val_if_reached(0);
}
