/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A figure of the timeline: some steps, every lane, as vectors. */
#include "report/timeline/timeline.h"

#include "base/error.h"
#include "io/runfile/marks.h"
#include "perf/analysis/iterations.h"
#include "report/figure/figure-private.h"
#include "report/text/number.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define TALLEST 1.4 /* of the width: what lies further down is cut off */

typedef struct {
  gint64 begin_ns, end_ns, first_step, last_step;
  gsize  n_steps; /* 0: the recording has none, and is shown from end to end */
} Range;

static gint64
place_of(const LacTimeline *timeline, double seconds)
{
  gint64 first, last;

  lac_timeline_get_extent(timeline, &first, &last);
  return first + (gint64) llround(CLAMP(seconds, 0, (double) (last - first) * 1e-9) * 1e9);
}

/* So many steps around the one that is asked for; without one in the middle of the run. */
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
  g_string_append_printf(
    text,
    _(", on %s with %u threads. Each lane is a thread: spans by depth, then the "
      "operations of each step in their order; hatched: several in one."),
    run->backend, run->threads);
  return g_string_free(text, FALSE);
}

gboolean
lac_figure_check_timeline(const LacFigureScene *scene, GError **error)
{
  const LacFigureRange *asked = &scene->spec->between;
  const LacRunFile     *run = scene->runs[0];
  gint64                begin, end;

  lac_capture_get_extent(run->capture, &begin, &end);
  if (!asked->is_given || (asked->high > 0 && asked->low < (double) (end - begin) * 1e-9))
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "between = %g,%g is outside of the records of %s, which go on for %g s", asked->low,
              asked->high, run->path, (double) (end - begin) * 1e-9);
  return FALSE;
}

double
lac_figure_draw_timeline(LacDrawing           *drawing,
                         const LacFigureScene *scene,
                         const LacFigurePlace *place)
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
  return height + lac_figure_draw_caption(drawing, place, place->y + height, caption);
}
