/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of a plane between its cell centres and along a straight line. */
#pragma once

#include "field/frame.h"

G_BEGIN_DECLS

/* Returns the value at (u, v), 0...1 from edge to edge of the plane. Bilinear between cell centres; if @periodic,
 * also across the boundary, else constant beyond the outermost centres. NaN outside the plane and next to NaN. */
double lac_plane_at(const LacPlane *plane, double u, double v, gboolean periodic);

/* Converts @place, (u, v), to physical coordinates. The limits of a plane are cell centres; u = 0 and u = 1 lie half
 * a cell beyond them. */
void lac_plane_locate(const LacPlane *plane, const double place[2], double at[2]);

/* A straight line between two points in (u, v). */
typedef struct {
  double   from[2], to[2];
  gsize    n; /* number of evenly spaced points, including both ends; at least 2 */
  gboolean periodic;
} LacSection;

/* Fills @distance, [n], with the distance of each point from the first in axis units, and @values, [n], with the
 * values of the plane at these points. */
void lac_section_fill(const LacPlane   *plane,
                      const LacSection *section,
                      double           *distance,
                      double           *values);

G_END_DECLS
