/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helpers shared by the parts of the volume picture. */
#pragma once

#include "report/volume/volume.h"

G_BEGIN_DECLS

/* Returns TRUE for a nucleus with a position in space. */
gboolean lac_marker_is_nucleus(const LacMarker *marker);

static inline double
lac_between(double a, double b, double share)
{
  return a + (b - a) * share;
}

/* Interpolates at @place, in units of cells with (0, 0, 0) at the centre of the first; clamped beyond the outermost
 * centres. */
static inline double
lac_volume_sample_cells(const LacVolume *volume, const double place[3])
{
  const gsize  strides[3] = {1, volume->n[0], volume->n[0] * volume->n[1]};
  const float *cell = volume->values;
  gsize        next[3]; /* 0 at the last cell, which is its own neighbour */
  double       beyond[3], plane[2];

  for (guint k = 0; k < 3; k++) {
    const double last = (double) (volume->n[k] - 1), within = CLAMP(place[k], 0, last);
    const gsize  low = (gsize) (gint64) within;

    cell += low * strides[k];
    next[k] = low + 1 < volume->n[k] ? strides[k] : 0;
    beyond[k] = within - (double) low;
  }
  for (guint z = 0; z < 2; z++) {
    const float *c = cell + z * next[2];

    plane[z] = lac_between(
      lac_between((double) c[0], (double) c[next[0]], beyond[0]),
      lac_between((double) c[next[1]], (double) c[next[0] + next[1]], beyond[0]), beyond[1]);
  }
  return lac_between(plane[0], plane[1], beyond[2]);
}

G_END_DECLS
