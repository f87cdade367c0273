/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames: planes, markers and metrics in one allocation. */
#include "field/frame.h"

#include <float.h>
#include <math.h>

static gsize
cells_of(const LacPlane *plane)
{
  return plane->nx * plane->ny;
}

LacFrame *
lac_frame_new(gsize n_planes, const gsize (*sizes)[2], gsize n_markers, gsize n_metrics)
{
  LacFrame *frame = g_new0(LacFrame, 1);

  frame->ref_count = 1;
  frame->step = -1;
  frame->n_planes = n_planes;
  frame->planes = g_new0(LacPlane, n_planes);
  for (gsize i = 0; i < n_planes; i++) {
    frame->planes[i].nx = sizes[i][0];
    frame->planes[i].ny = sizes[i][1];
    frame->planes[i].data = g_new0(float, cells_of(&frame->planes[i]));
  }
  frame->n_markers = n_markers;
  frame->markers = g_new0(LacMarker, n_markers);
  frame->n_metrics = n_metrics;
  frame->metrics = g_new0(double, n_metrics);
  for (gsize i = 0; i < n_metrics; i++)
    frame->metrics[i] = NAN;
  return frame;
}

LacFrame *
lac_frame_ref(LacFrame *frame)
{
  g_atomic_int_inc(&frame->ref_count);
  return frame;
}

void
lac_frame_unref(LacFrame *frame)
{
  if (!frame || !g_atomic_int_dec_and_test(&frame->ref_count))
    return;
  for (gsize i = 0; i < frame->n_planes; i++)
    g_free(frame->planes[i].data);
  g_free(frame->planes);
  g_free(frame->markers);
  g_free(frame->metrics);
  g_free(frame);
}

/* Sums of every eighth value: independent, so that the processor adds several at once. */
enum { LANES = 8 };

typedef struct {
  double  squares[LANES];
  float   low[LANES], high[LANES];
  guint32 n_finite[LANES];
} LaneSums;

static void
add_value(LaneSums *sums, guint lane, float value)
{
  const gboolean counts = fabsf(value) <= FLT_MAX;
  const double   here = counts ? value : 0;

  sums->n_finite[lane] += (guint32) counts;
  sums->squares[lane] += here * here;
  sums->low[lane] = counts && value < sums->low[lane] ? value : sums->low[lane];
  sums->high[lane] = counts && value > sums->high[lane] ? value : sums->high[lane];
}

void
lac_plane_measure(LacPlane *plane)
{
  const gsize n = cells_of(plane), n_whole = n - n % LANES;
  gsize       n_finite = 0;
  double      squares = 0;
  float       low = INFINITY, high = -INFINITY;
  LaneSums    sums;

  for (guint lane = 0; lane < LANES; lane++) {
    sums.squares[lane] = 0;
    sums.low[lane] = INFINITY;
    sums.high[lane] = -INFINITY;
    sums.n_finite[lane] = 0;
  }
  for (gsize i = 0; i < n_whole; i += LANES)
    for (guint lane = 0; lane < LANES; lane++)
      add_value(&sums, lane, plane->data[i + lane]);
  for (gsize i = n_whole; i < n; i++)
    add_value(&sums, (guint) (i - n_whole), plane->data[i]);
  for (guint lane = 0; lane < LANES; lane++) {
    n_finite += sums.n_finite[lane];
    squares += sums.squares[lane];
    low = MIN(low, sums.low[lane]);
    high = MAX(high, sums.high[lane]);
  }
  plane->n_not_finite = n - n_finite;
  plane->min = n_finite ? low : NAN;
  plane->max = n_finite ? high : NAN;
  plane->mean_square = n_finite ? squares / (double) n_finite : (double) NAN;
}
