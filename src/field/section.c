/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bilinear sampling of planes. */
#include "field/section.h"

#include <math.h>

/* Returns the index of cell @i of @n, wrapped or clamped beyond the boundary. */
static gsize
reach(gint64 i, gsize n, gboolean periodic)
{
  gint64 count = (gint64) n;
  if (periodic)
    return (gsize) (((i % count) + count) % count);
  return (gsize) CLAMP(i, 0, count - 1);
}

double
lac_plane_at(const LacPlane *plane, double u, double v, gboolean periodic)
{
  if (!periodic && !(u >= 0 && u <= 1 && v >= 0 && v <= 1))
    return (double) NAN;
  double       x = u * (double) plane->nx - 0.5, y = v * (double) plane->ny - 0.5;
  double       left = floor(x), below = floor(y), fx = x - left, fy = y - below;
  gsize        i = reach((gint64) left, plane->nx, periodic);
  gsize        k = reach((gint64) left + 1, plane->nx, periodic);
  const float *lower = plane->data + reach((gint64) below, plane->ny, periodic) * plane->nx;
  const float *upper = plane->data + reach((gint64) below + 1, plane->ny, periodic) * plane->nx;
  return (1 - fy) * ((1 - fx) * (double) lower[i] + fx * (double) lower[k]) +
         fy * ((1 - fx) * (double) upper[i] + fx * (double) upper[k]);
}

void
lac_plane_locate(const LacPlane *plane, const double place[2], double at[2])
{
  double dx = plane->nx > 1 ? (plane->x_max - plane->x_min) / (double) (plane->nx - 1) : 0;
  double dy = plane->ny > 1 ? (plane->y_max - plane->y_min) / (double) (plane->ny - 1) : 0;
  at[0] = plane->x_min - dx / 2 + place[0] * dx * (double) plane->nx;
  at[1] = plane->y_min - dy / 2 + place[1] * dy * (double) plane->ny;
}

void
lac_section_fill(const LacPlane *plane, const LacSection *section, double *distance, double *values)
{
  g_return_if_fail(plane != NULL && section != NULL && section->n >= 2);
  const double *from = section->from, *to = section->to;
  double        begin[2], end[2];
  lac_plane_locate(plane, from, begin);
  lac_plane_locate(plane, to, end);
  double length = hypot(end[0] - begin[0], end[1] - begin[1]);
  for (gsize i = 0; i < section->n; i++) {
    double part = (double) i / (double) (section->n - 1);
    distance[i] = part * length;
    values[i] = lac_plane_at(plane, from[0] + part * (to[0] - from[0]),
                             from[1] + part * (to[1] - from[1]), section->periodic);
  }
}
