/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Discs and polygons cut out of a domain, or to which it is cut. */
#pragma once

#include "base/rng.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  double   centre[2], radius; /* a disc; radius 0: a polygon */
  gsize    n_corners;
  double  *corners;    /* [n_corners][2], owned by the case */
  gboolean is_outside; /* the hole is everything outside of the disc or polygon */
} LacHole;

/* Returns TRUE when the point is inside the hole. */
gboolean lac_hole_contains(const LacHole *hole, double x, double y);
/* Return the length of the boundary, and draw a random point on it. */
double lac_hole_get_rim(const LacHole *hole);
void   lac_hole_sample_rim(const LacHole *hole, LacRng *rng, double *place);

G_END_DECLS
