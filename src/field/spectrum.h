/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Energy spectra of square periodic fields: Fourier modes summed over shells, so that the spectrum sums to the
 * energy. A bounded field has no such spectrum, because the jump at its boundary would appear as small scales; a
 * window gives the power spectrum of its interior instead. */
#pragma once

#include "field/frame.h"

G_BEGIN_DECLS

/* Returns the number of shells of an [n][n] field: |k| rounded to 0, 1, ... n / sqrt(2). */
gsize lac_spectrum_get_n_shells(gsize n);

/**
 * lac_spectrum_velocity:
 * @u, @v: [n][n], in the unit of velocity
 * @energy: [lac_spectrum_get_n_shells(n)], filled: E(k) = sum over k - 1/2 <= |k'| < k + 1/2 of
 *   (|u_k'|^2 + |v_k'|^2) / 2; the sum over k is the mean of (u^2 + v^2) / 2
 *
 * Returns: FALSE, with @energy untouched, when a value is not finite.
 */
gboolean lac_spectrum_velocity(const float *u, const float *v, gsize n, double *energy);

/* Computes the spectrum of lac_spectrum_velocity() from the vorticity, using |u_k|^2 + |v_k|^2 = |w_k|^2 / k^2.
 * @length: length of the period. The mean velocity is unknown: shell 0 is 0. */
gboolean lac_spectrum_vorticity(const float *w, gsize n, double length, double *energy);

typedef enum {
  LAC_POWER_RADIAL,  /* shells of |k|, as wide as the wavenumber step along the longer side */
  LAC_POWER_ALONG_X, /* k along the rows, averaged over all rows */
  LAC_POWER_ALONG_Y,
} LacPowerKind;

typedef struct {
  gsize  n;    /* 0: the plane has no spectrum */
  double unit; /* wavenumber of shell 1: 2 pi / period */
} LacPowerShells;
LacPowerShells lac_power_shells(const LacPlane *plane, LacPowerKind kind);

/**
 * lac_spectrum_power:
 * @minus: (nullable): subtracted cell by cell, of the same shape
 * @windowed: apply a Hann window of mean square 1, for bounded fields
 * @power: [lac_power_shells().n], filled; sums to the mean square of the (windowed) values
 *
 * Works on any plane. Returns: FALSE, with @power untouched, if a value is not finite.
 */
gboolean lac_spectrum_power(const LacPlane *plane,
                            const LacPlane *minus,
                            LacPowerKind    kind,
                            gboolean        windowed,
                            double         *power);

G_END_DECLS
