/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a detector adds to the light: shot noise, read noise, and pixels that do not work.
 *
 * Of an intensity I the detector sees  J = max(0, I + sqrt(I/S + sigma^2) n),  n normal; a detector of amplitudes gives sqrt(J). S is the number
 * of photons a pixel collects at intensity 1: snr = 10 log10 S. A dim image has a far worse ratio than that nominal one. */
#pragma once

#include "experiment/imaging/optics/optics.h"

G_BEGIN_DECLS

typedef struct {
  double  snr_db;       /* of a pixel at intensity 1; INFINITY: no shot noise */
  double  read_sigma;   /* of the intensity; 0: none */
  double  bad_fraction; /* of the pixels, the same ones in every image; they see nothing */
  guint64 seed;
} LacNoise;

#define LAC_NOISE_NONE ((LacNoise){.snr_db = INFINITY})

gboolean lac_noise_check(const LacNoise *noise, GError **error);

/* Variance of the intensity seen where @intensity falls in, before nothing negative is left. */
double lac_noise_variance(const LacNoise *noise, double intensity);

/* The mean of (y - x)^2 over the noise, y what is seen and x what would be without noise, both in @unit: what a reconstruction's misfit comes
 * down to. By quadrature: also where dark pixels are cut at 0. */
double lac_noise_expected_square(const LacNoise *noise, LacDetectorUnit unit, double value);

/* Adds noise to @image, [n] in @unit, exposure number @position: the same numbers wherever and whenever it is called. */
void
lac_noise_add(const LacNoise *noise, gsize position, LacDetectorUnit unit, double *image, gsize n);

/* Marks with 0 in @valid, [n], the pixels that do not work; others are 1. */
void lac_noise_mark_bad(const LacNoise *noise, guint8 *valid, gsize n);

G_END_DECLS
