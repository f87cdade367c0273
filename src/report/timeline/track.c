/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples of a track, the extremes of each block, and its line. */
#include "report/timeline/track.h"

#include <math.h>

#define BLOCK 64

typedef struct {
  gint64 time_ns;
  double value;
} Sample;

typedef struct {
  double low, high;
} Extremes;

struct _LacTrack {
  char    *label, *unit;
  GArray  *samples; /* of Sample */
  GArray  *blocks;  /* of Extremes, complete blocks only */
  gboolean is_logarithmic;
};

LacTrack *
lac_track_new(const char *label, const char *unit)
{
  LacTrack *track = g_new0(LacTrack, 1);
  track->label = g_strdup(label);
  track->unit = g_strdup(unit != NULL ? unit : "");
  track->samples = g_array_new(FALSE, FALSE, sizeof(Sample));
  track->blocks = g_array_new(FALSE, FALSE, sizeof(Extremes));
  return track;
}

void
lac_track_free(LacTrack *track)
{
  if (track == NULL)
    return;
  g_free(track->label);
  g_free(track->unit);
  g_array_unref(track->samples);
  g_array_unref(track->blocks);
  g_free(track);
}

void
lac_track_set_logarithmic(LacTrack *track)
{
  g_return_if_fail(track != NULL);
  track->is_logarithmic = TRUE;
}

const char *
lac_track_get_label(const LacTrack *track)
{
  g_return_val_if_fail(track != NULL, NULL);
  return track->label;
}

const char *
lac_track_get_unit(const LacTrack *track)
{
  g_return_val_if_fail(track != NULL, NULL);
  return track->unit;
}

gsize
lac_track_get_n(const LacTrack *track)
{
  g_return_val_if_fail(track != NULL, 0);
  return track->samples->len;
}

static const Sample *
sample_at(const LacTrack *track, gsize i)
{
  return &g_array_index(track->samples, Sample, i);
}

/* Appends a sample; one from another thread that arrives late takes the time of the last, to preserve order and
 * value. */
void
lac_track_add(LacTrack *track, gint64 time_ns, double value)
{
  g_return_if_fail(track != NULL && isfinite(value));
  gsize n = track->samples->len;
  if (n > 0)
    time_ns = MAX(time_ns, sample_at(track, n - 1)->time_ns);
  Sample sample = {time_ns, value};
  g_array_append_val(track->samples, sample);
  if ((n + 1) % BLOCK != 0)
    return;
  Extremes block = {value, value};
  for (gsize i = n + 1 - BLOCK; i <= n; i++) {
    block.low = MIN(block.low, sample_at(track, i)->value);
    block.high = MAX(block.high, sample_at(track, i)->value);
  }
  g_array_append_val(track->blocks, block);
}

void
lac_track_get_range(const LacTrack *track, gsize first, gsize n, double *low, double *high)
{
  g_return_if_fail(track != NULL && n > 0 && first + n <= track->samples->len);
  *low = *high = sample_at(track, first)->value;
  for (gsize i = first, end = first + n; i < end;) {
    if (i % BLOCK == 0 && i + BLOCK <= end) {
      const Extremes *block = &g_array_index(track->blocks, Extremes, i / BLOCK);
      *low = MIN(*low, block->low);
      *high = MAX(*high, block->high);
      i += BLOCK;
    } else {
      *low = MIN(*low, sample_at(track, i)->value);
      *high = MAX(*high, sample_at(track, i)->value);
      i++;
    }
  }
}

/* Returns the index of the first sample after @time_ns. */
static gsize
find_after(const LacTrack *track, gint64 time_ns)
{
  gsize low = 0, high = track->samples->len;
  while (low < high) {
    gsize middle = (low + high) / 2;
    if (sample_at(track, middle)->time_ns <= time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

gboolean
lac_track_get_at(const LacTrack *track, gint64 time_ns, double *value)
{
  g_return_val_if_fail(track != NULL && value != NULL, FALSE);
  gsize after = find_after(track, time_ns);
  if (after == 0)
    return FALSE;
  *value = sample_at(track, after - 1)->value;
  return TRUE;
}

static void
add_point(GArray *line, double x, double y)
{
  LacPoint point = {x, y};
  g_array_append_val(line, point);
}

typedef struct {
  double   low, scale, base;
  gboolean is_logarithmic;
} Box;

static double
height_of(const Box *box, double value)
{
  return box->base - ((box->is_logarithmic ? log(value) : value) - box->low) * box->scale;
}

/* Draws, per pixel column, a line up to the maximum, down to the minimum, and on from the last sample. */
void
lac_track_draw_scaled(const LacTrack        *track,
                      LacDrawing            *drawing,
                      const LacTimelineView *view,
                      const LacTrackScale   *scale,
                      LacColour              colour)
{
  g_return_if_fail(track != NULL && drawing != NULL && view != NULL && scale != NULL);
  double       ns_per_pixel = (double) (view->end_ns - view->begin_ns) / MAX(view->width, 1);
  const double top = scale->top, height = scale->height;
  double       low = scale->low, high = scale->high, y = NAN;
  gsize        i = find_after(track, view->begin_ns), end = find_after(track, view->end_ns);
  if (end <= (i > 0 ? i - 1 : 0) || ns_per_pixel <= 0)
    return;
  gboolean is_logarithmic = scale->is_logarithmic && low > 0;
  if (is_logarithmic) {
    low = log(low);
    high = log(high);
  }
  Box               box = {low, high > low ? height / (high - low) : 0,
             high > low ? top + height : top + height / 2, is_logarithmic};
  g_autoptr(GArray) line = g_array_new(FALSE, FALSE, sizeof(LacPoint));
  if (i > 0) {
    y = height_of(&box, sample_at(track, i - 1)->value);
    add_point(line, 0, y);
  }
  while (i < end) {
    double x = floor((double) (sample_at(track, i)->time_ns - view->begin_ns) / ns_per_pixel);
    gsize  next = find_after(track, view->begin_ns + (gint64) ((x + 1) * ns_per_pixel));
    double least, most;
    next = CLAMP(next, i + 1, end);
    lac_track_get_range(track, i, next - i, &least, &most);
    if (!isnan(y))
      add_point(line, x, y);
    add_point(line, x, height_of(&box, sample_at(track, i)->value));
    if (next - i > 2) {
      add_point(line, x, height_of(&box, most));
      add_point(line, x, height_of(&box, least));
    }
    y = height_of(&box, sample_at(track, next - 1)->value);
    add_point(line, x, y);
    i = next;
  }
  if (end < track->samples->len) /* continues beyond the view */
    add_point(line, view->width, y);
  lac_draw_lines(drawing, (const LacPoint *) (gpointer) line->data, line->len, 1.2, colour);
}

gboolean
lac_track_find_range(const LacTrack *track, const LacTimelineView *view, double *low, double *high)
{
  g_return_val_if_fail(track != NULL && view != NULL && low != NULL && high != NULL, FALSE);
  gsize i = find_after(track, view->begin_ns), end = find_after(track, view->end_ns);
  gsize first = i > 0 ? i - 1 : 0;
  if (end > first)
    lac_track_get_range(track, first, end - first, low, high);
  return end > first;
}

void
lac_track_draw(const LacTrack        *track,
               LacDrawing            *drawing,
               const LacTimelineView *view,
               double                 top,
               double                 height,
               LacColour              colour)
{
  LacTrackScale scale = {
    .top = top, .height = height, .is_logarithmic = track != NULL && track->is_logarithmic};
  if (lac_track_find_range(track, view, &scale.low, &scale.high))
    lac_track_draw_scaled(track, drawing, view, &scale, colour);
}
