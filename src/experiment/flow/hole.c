/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Point-in-hole tests and boundary sampling. */
#include "experiment/flow/hole.h"

#include <math.h>

/* Counts the edges crossed by a ray to the right. */
static gboolean
is_in_polygon(const LacHole *hole, double x, double y)
{
  gboolean inside = FALSE;

  for (gsize i = 0, j = hole->n_corners - 1; i < hole->n_corners; j = i++) {
    const double *a = hole->corners + 2 * i, *b = hole->corners + 2 * j;

    if ((a[1] > y) != (b[1] > y) && x < a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]))
      inside = !inside;
  }
  return inside;
}

static gboolean
is_in_shape(const LacHole *hole, double x, double y)
{
  if (hole->radius > 0)
    return hypot(x - hole->centre[0], y - hole->centre[1]) < hole->radius;
  return is_in_polygon(hole, x, y);
}

gboolean
lac_hole_contains(const LacHole *hole, double x, double y)
{
  return is_in_shape(hole, x, y) != (hole->is_outside != FALSE);
}

static double
edge_length(const LacHole *hole, gsize i)
{
  const double *a = hole->corners + 2 * i;
  const double *b = hole->corners + 2 * ((i + 1) % hole->n_corners);

  return hypot(b[0] - a[0], b[1] - a[1]);
}

double
lac_hole_get_rim(const LacHole *hole)
{
  double sum = 0;

  if (hole->radius > 0)
    return 2 * G_PI * hole->radius;
  for (gsize i = 0; i < hole->n_corners; i++)
    sum += edge_length(hole, i);
  return sum;
}

void
lac_hole_sample_rim(const LacHole *hole, LacRng *rng, double *place)
{
  double along = lac_hole_get_rim(hole) * lac_rng_uniform(rng);
  gsize  i = 0;

  if (hole->radius > 0) {
    place[0] = hole->centre[0] + hole->radius * cos(along / hole->radius);
    place[1] = hole->centre[1] + hole->radius * sin(along / hole->radius);
    return;
  }
  while (i + 1 < hole->n_corners && along > edge_length(hole, i))
    along -= edge_length(hole, i++);
  for (guint axis = 0; axis < 2; axis++) {
    const double from = hole->corners[2 * i + axis];
    const double to = hole->corners[2 * ((i + 1) % hole->n_corners) + axis];

    place[axis] = from + (to - from) * CLAMP(along / edge_length(hole, i), 0, 1);
  }
}
