/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Aberrations: the phase of a pupil as a sum of Zernike polynomials in Noll's order, each of unit variance over the
 * disc; coefficients are in radians. Source: Noll (1976), doi:10.1364/JOSA.66.000207 */
#pragma once

#include <glib.h>

#include <complex.h>

G_BEGIN_DECLS

/* The first term that blurs: 1 is piston, which only shifts the phase; 2 and 3 are tilts, which only shift the
 * image. */
#define LAC_ZERNIKE_DEFOCUS 4

/* Returns the translatable name, "defocus", "astigmatism at 45°" ..., of the terms from %LAC_ZERNIKE_DEFOCUS to 15. */
const char *lac_zernike_get_name(guint noll);

/* Evaluates a Zernike polynomial. @noll: 1 or more; @y, @x: in pupil radii; also defined outside the pupil. */
double lac_zernike(guint noll, double y, double x);

/* Samples the polynomials from @first on at the pixels of a box around the centre, @terms: [n][box][box]; @radius: in
 * these pixels */
void lac_zernike_sample(guint first, gsize n, gsize box, double radius, double *terms);

/* Computes exp(i sum of coefficients x terms), @pupil: [n_pixels]; @terms: [n][n_pixels] */
void lac_zernike_pupil(const double   *coefficients,
                       gsize           n,
                       const double   *terms,
                       gsize           n_pixels,
                       double complex *pupil);

G_END_DECLS
