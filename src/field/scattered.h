/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers known at scattered places of the plane, read anywhere: a quadratic fitted to the nearest places, which count less
 * the farther they are. Exact where the numbers are a quadratic of the place. Immutable.
 * Source: Lancaster and Salkauskas (1981), Math. Comp. 37, 141 (moving least squares). */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_SCATTERED_NEIGHBOURS 16

typedef struct _LacScattered LacScattered;

/* @places: [n][2], copied; n at least 1, all finite. */
LacScattered *lac_scattered_new(const double *places, gsize n);
void          lac_scattered_free(LacScattered *scattered);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacScattered, lac_scattered_free)

/* The value at (x, y) is the sum of @weights times the numbers at @indices; both of %LAC_SCATTERED_NEIGHBOURS. Places that lie
 * on a line, or too few of them, do not carry a quadratic: then weights fall with the square of the distance. Any thread.
 * Returns: how many there are. */
gsize lac_scattered_weigh(const LacScattered *scattered,
                          double              x,
                          double              y,
                          gsize              *indices,
                          double             *weights);

G_END_DECLS
