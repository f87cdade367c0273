/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of a plane at a place between its cells, and along a straight line through it. */
#pragma once

#include "field/frame.h"

G_BEGIN_DECLS

/* At (u, v), 0...1 over the cells from rim to rim. Linear between the centres, @periodic: across the rim too, else the
 * rim's value out to it. NaN outside, and next to NaN. */
double lac_plane_at(const LacPlane *plane, double u, double v, gboolean periodic);

/* Physical coordinates of (u, v): the planes' limits are centres of cells, 0 and 1 lie half a cell further. */
void lac_plane_locate(const LacPlane *plane, const double place[2], double at[2]);

/* A straight line between two places in (u, v). */
typedef struct {
  double   from[2], to[2];
  gsize    n; /* points on it, evenly spaced, both ends with them; 2 at least */
  gboolean periodic;
} LacSection;

/* @distance, @values: [n]: from the first point, in the units of the axes; what is there */
void lac_section_fill(const LacPlane   *plane,
                      const LacSection *section,
                      double           *distance,
                      double           *values);

G_END_DECLS
