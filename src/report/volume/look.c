/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ray casting from the eye: sum of the samples, and a translucent layer for each crossing of the surface. */
#include "report/volume/volume-private.h"

#include <math.h>

#define VEIL    0.34 /* opacity of one surface crossing */
#define AMBIENT 0.25 /* share of ambient light; the rest comes along the line of sight */

/* Finds the part of the line within the cells. */
static gboolean
clip_line(const LacVolume *volume, const double from[3], const double along[3], double t[2])
{
  t[0] = -INFINITY;
  t[1] = INFINITY;
  for (guint k = 0; k < 3; k++) {
    const double low = volume->first[k] - 0.5 * volume->step[k];
    const double high = low + volume->step[k] * (double) volume->n[k];
    double       a, b;

    if (fabs(along[k]) < 1e-6) {
      if (from[k] < low || from[k] > high)
        return FALSE;
      continue;
    }
    a = (low - from[k]) / along[k];
    b = (high - from[k]) / along[k];
    t[0] = MAX(t[0], MIN(a, b));
    t[1] = MIN(t[1], MAX(a, b));
  }
  return t[1] > t[0];
}

/* Returns the diffuse light on a surface, from the angle between its normal and the line of sight. */
static double
find_light(const LacVolume *volume, const double at[3], const double along[3])
{
  double slope[3], length = 0, facing = 0;

  for (guint k = 0; k < 3; k++) {
    double before[3] = {at[0], at[1], at[2]}, after[3] = {at[0], at[1], at[2]};

    before[k] -= volume->step[k];
    after[k] += volume->step[k];
    slope[k] = (lac_volume_sample(volume, after) - lac_volume_sample(volume, before)) /
               (2 * volume->step[k]);
    length += slope[k] * slope[k];
    facing += slope[k] * along[k];
  }
  return AMBIENT + (1 - AMBIENT) * fabs(facing) / sqrt(MAX(length, 1e-30));
}

LacSight
lac_volume_look(const LacVolume       *volume,
                const LacVolumeCamera *camera,
                double                 x,
                double                 y,
                double                 level)
{
  double   from[3], along[3], t[2], place[3], stride[3], step, before = 0, at[3];
  LacSight sight = {0};
  gsize    n;

  for (guint k = 0; k < 3; k++) {
    from[k] = camera->middle[k] + camera->half * (x * camera->right[k] + y * camera->up[k]);
    along[k] = -camera->toward[k];
  }
  if (!clip_line(volume, from, along, t))
    return sight;
  n = (gsize) ceil((t[1] - t[0]) / (LAC_VOLUME_STRIDE * volume->step[0]));
  step = (t[1] - t[0]) / (double) n;
  for (guint k = 0; k < 3; k++) {
    place[k] = (from[k] + (t[0] + 0.5 * step) * along[k] - volume->first[k]) / volume->step[k];
    stride[k] = step * along[k] / volume->step[k];
  }
  for (gsize i = 0; i < n; i++) {
    const double at_cell[3] = {place[0] + (double) i * stride[0], place[1] + (double) i * stride[1],
                               place[2] + (double) i * stride[2]};
    const double value = lac_volume_sample_cells(volume, at_cell);

    sight.integral += value * step;
    if (level > 0 && (before < level) != (value < level)) {
      const double back = (value - level) / (value - before) * step;
      const double here = t[0] + step * ((double) i + 0.5) - back;
      double       cover = (1 - sight.cover) * VEIL;

      for (guint k = 0; k < 3; k++)
        at[k] = from[k] + here * along[k];
      sight.light += cover * find_light(volume, at, along);
      sight.cover += cover;
    }
    before = value;
  }
  return sight;
}
