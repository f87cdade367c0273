/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Energy by wavenumber of a square periodic field: the sum over shells of Fourier modes, so that the spectrum adds up
 * to the energy. A bounded field has no such spectrum: its jump at the rim would be read as small scales; through a window it has
 * at least the power of what is within. */
#pragma once

#include "field/frame.h"

G_BEGIN_DECLS

/* Shells of an [n][n] field: |k| rounded to 0, 1, ... n / sqrt(2). */
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

/* The same from the vorticity alone, through |u_k|^2 + |v_k|^2 = |w_k|^2 / k^2; @length: of the period. The mean
 * velocity is not in it: the shell 0 is 0. */
gboolean lac_spectrum_vorticity(const float *w, gsize n, double length, double *energy);

typedef enum {
  LAC_POWER_RADIAL,  /* by |k|, in shells as wide as the longer side resolves */
  LAC_POWER_ALONG_X, /* by k of the rows, the mean over all of them */
  LAC_POWER_ALONG_Y,
} LacPowerKind;

typedef struct {
  gsize  n;    /* 0: the plane has no such spectrum */
  double unit; /* wavenumber of shell 1: 2 pi over the period */
} LacPowerShells;
LacPowerShells lac_power_shells(const LacPlane *plane, LacPowerKind kind);

/**
 * lac_spectrum_power:
 * @minus: (nullable): subtracted cell by cell, of the same shape
 * @windowed: through Hann's window of mean square 1, for a field that is bounded
 * @power: [lac_power_shells().n], filled: their sum is the mean square of the (windowed) values
 *
 * Of any plane. Returns: FALSE, with @power untouched, when a value is not finite.
 */
gboolean lac_spectrum_power(const LacPlane *plane,
                            const LacPlane *minus,
                            LacPowerKind    kind,
                            gboolean        windowed,
                            double         *power);

G_END_DECLS
