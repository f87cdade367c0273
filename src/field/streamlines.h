/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evenly spaced streamlines and line integral convolution (LIC) of a plane velocity. Both use only the direction of
 * the velocity, not its magnitude. */
#pragma once

#include "field/frame.h"

G_BEGIN_DECLS

/* The two velocity components on one grid. */
typedef struct {
  const LacPlane *u, *v;    /* components along x and y, of equal shape and extent */
  gboolean        periodic; /* periodic in both directions; lines still end at the boundary */
} LacVectorPlane;

/* Initialises @vectors from planes @pair of the frame. Returns: FALSE unless they are two components on one grid of
 * at least 2 x 2 cells. */
gboolean lac_vector_plane_init(LacVectorPlane *vectors,
                               const LacFrame *frame,
                               const gsize     pair[2],
                               gboolean        periodic);

/* Interpolates the velocity at @place, 0...1 from edge to edge. @speed: (out): the components of the velocity along x
 * and y. Returns: FALSE outside the plane and where the velocity is not finite. */
gboolean lac_vector_at(const LacVectorPlane *vectors, const double place[2], double speed[2]);

/**
 * lac_streamline_step:
 * @place: (inout): (u, v), moved along the flow
 * @length: arc length in axis units; negative: upstream
 *
 * Fourth-order Runge-Kutta over the normalised velocity. Returns: FALSE, with @place unchanged, where the velocity is
 * zero or NaN, or the step leaves the plane.
 */
gboolean lac_streamline_step(const LacVectorPlane *vectors, double place[2], double length);

typedef struct {
  GArray *points; /* array of double[2]: (u, v), line by line */
  GArray *ends;   /* array of guint: end index of each line in @points */
} LacStreamlines;

/**
 * lac_streamlines_new:
 * @apart: separation of neighbouring lines, as a fraction of the shorter side
 *
 * New lines are seeded at distance @apart from existing ones, and a line ends where it comes closer to another than half
 * of @apart. Source: B. Jobard, W. Lefer (1997), Creating evenly-spaced streamlines of arbitrary density.
 */
LacStreamlines *lac_streamlines_new(const LacVectorPlane *vectors, double apart);
void            lac_streamlines_free(LacStreamlines *lines);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacStreamlines, lac_streamlines_free)

/* Returns deterministic noise for a texture, 0...1. Source: the finaliser of MurmurHash3. */
float lac_noise_at(gsize column, gsize row);

/**
 * lac_smear:
 * @reach: length of the line in either direction, in texture cells
 * @texture: (out): [ny][nx], row 0 at the bottom: mean of the noise along the line through each cell, or the noise
 *   itself where the velocity is zero or NaN
 *
 * Line integral convolution in steps of one texture cell. Source: B. Cabral, L. Leedom (1993), Imaging vector fields
 * using line integral convolution, doi:10.1145/166117.166151.
 */
void lac_smear(const LacVectorPlane *vectors, gsize nx, gsize ny, guint reach, float *texture);

G_END_DECLS
