/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolation of scattered values in the plane by moving least squares: a quadratic fitted to the nearest points,
 * with weights that decrease with distance. Exact for quadratics. Immutable.
 * Source: Lancaster and Salkauskas (1981), Math. Comp. 37, 141. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_SCATTERED_NEIGHBOURS 16

typedef struct _LacScattered LacScattered;

/* @places: [n][2]: positions, copied; n >= 1, all finite. */
LacScattered *lac_scattered_new(const double *places, gsize n);
void          lac_scattered_free(LacScattered *scattered);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacScattered, lac_scattered_free)

/* Computes the weights of the interpolation at (x, y): the interpolated value is the sum of @weights times the
 * values at @indices. Both arrays need room for %LAC_SCATTERED_NEIGHBOURS elements. If there are too few points or
 * they are collinear, no quadratic is determined; the weights are then the inverse squared distances. Any thread.
 * Returns: the number of weights. */
gsize lac_scattered_weigh(const LacScattered *scattered,
                          double              x,
                          double              y,
                          gsize              *indices,
                          double             *weights);

G_END_DECLS
