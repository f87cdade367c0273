/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detector noise: shot noise, read noise and bad pixels.
 *
 * For an intensity I the detector records  J = max(0, I + sqrt(I/S + sigma^2) n),  n standard normal; an amplitude
 * detector returns sqrt(J).
 * S is the number of photons that a pixel collects at intensity 1: snr = 10 log10 S. A dim image has a far lower
 * ratio than this nominal one. */
#pragma once

#include "experiment/imaging/optics/optics.h"

G_BEGIN_DECLS

typedef struct {
  double
    snr_db; /* signal-to-noise ratio of a pixel at intensity 1, in dB; INFINITY: no shot noise */
  double read_sigma; /* standard deviation of the read noise, in units of intensity; 0: none */
  double
    bad_fraction; /* fraction of bad pixels, the same ones in every image; they record nothing */
  guint64 seed;
} LacNoise;

#define LAC_NOISE_NONE ((LacNoise){.snr_db = INFINITY})

gboolean lac_noise_check(const LacNoise *noise, GError **error);

/* Returns the variance of the measured intensity at true intensity @intensity, before clipping at 0. */
double lac_noise_variance(const LacNoise *noise, double intensity);

/* Returns the expected value of (y - x)^2, with y the noisy and x the noise-free value, both in @unit: the misfit
 * that a perfect reconstruction reaches. Evaluated by quadrature, so it also holds for dark pixels that are clipped
 * at 0. */
double lac_noise_expected_square(const LacNoise *noise, LacDetectorUnit unit, double value);

/* Adds noise to @image, [n] in @unit, of exposure @position. The noise depends on the arguments alone, not on call
 * order or thread. */
void
lac_noise_add(const LacNoise *noise, gsize position, LacDetectorUnit unit, double *image, gsize n);

/* Sets @valid, [n], to 0 at bad pixels and to 1 elsewhere. */
void lac_noise_mark_bad(const LacNoise *noise, guint8 *valid, gsize n);

G_END_DECLS
