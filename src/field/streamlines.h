/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines along a plane velocity: evenly spaced streamlines, and the texture smeared along them (line integral convolution). Both follow
 * the direction alone, not the speed. */
#pragma once

#include "field/frame.h"

G_BEGIN_DECLS

/* Two components on one grid. */
typedef struct {
  const LacPlane *u, *v;    /* along columns and rows, of one shape and place */
  gboolean        periodic; /* both ways; lines still end at the rim */
} LacVectorPlane;

/* Of planes @pair of the frame. Returns: FALSE where they are no two components on one grid of more than a row and a column. */
gboolean lac_vector_plane_init(LacVectorPlane *vectors,
                               const LacFrame *frame,
                               const gsize     pair[2],
                               gboolean        periodic);

/* Speed along x and y at (u, v), 0...1. Returns: FALSE outside and where it is not finite. */
gboolean lac_vector_at(const LacVectorPlane *vectors, const double place[2], double speed[2]);

/**
 * lac_streamline_step:
 * @place: (inout): (u, v), moved along the flow
 * @length: arc length in the units of the axes; negative: against the flow
 *
 * Runge-Kutta of order 4 over the unit vectors. Returns: FALSE, with @place as it was, where the flow stands still, is not known, or
 * leaves the plane.
 */
gboolean lac_streamline_step(const LacVectorPlane *vectors, double place[2], double length);

typedef struct {
  GArray *points; /* of double[2]: (u, v), line after line */
  GArray *ends;   /* of guint: where each line ends in @points */
} LacStreamlines;

/**
 * lac_streamlines_new:
 * @apart: between neighbouring lines, as a share of the shorter side
 *
 * B. Jobard, W. Lefer (1997), Creating evenly-spaced streamlines of arbitrary density: new lines begin at @apart beside old ones and
 * end where they come nearer than half of it.
 */
LacStreamlines *lac_streamlines_new(const LacVectorPlane *vectors, double apart);
void            lac_streamlines_free(LacStreamlines *lines);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacStreamlines, lac_streamlines_free)

/* Noise for a texture, 0...1, the same for every call. Source: a hash by finalising (Murmur 3). */
float lac_noise_at(gsize column, gsize row);

/**
 * lac_smear:
 * @reach: cells of the texture that a line is followed, to either side
 * @texture: (out): [ny][nx], row 0 at the bottom: the mean of the noise along the line through each cell; where the flow stands still
 *   or is not known, the noise itself
 *
 * B. Cabral, L. Leedom (1993), Imaging vector fields using line integral convolution, doi:10.1145/166117.166151, by steps of
 * one cell of the texture.
 */
void lac_smear(const LacVectorPlane *vectors, gsize nx, gsize ny, guint reach, float *texture);

G_END_DECLS
