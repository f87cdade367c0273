/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expected squared error of a measured amplitude due to noise alone: the level that a misfit is compared with
 * (Morozov's discrepancy principle). Let the intensity x^2 be measured as x^2 + s n, n standard normal, and the
 * amplitude as y = sqrt(max(0, x^2 + s n)). Then
 *
 *   E (y - x)^2 = s g(x^2 / s),   g(0) = 1/sqrt(2 pi),   g(r) -> 1/(4 r).
 *
 * Source: Morozov (1966), Soviet Math. Dokl. 7, 414 */
#pragma once

#include "experiment/imaging/optics/noise.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacNoiseLevel LacNoiseLevel;

/* Tabulates lac_noise_expected_square() for amplitudes: fast enough to evaluate for every pixel at every step. */
LacNoiseLevel *lac_noise_level_new(const LacNoise *noise);
void           lac_noise_level_free(LacNoiseLevel *level);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacNoiseLevel, lac_noise_level_free)

/* Returns E (y - x)^2 for a true amplitude @x; 0 without noise. Any thread. */
double lac_noise_level_expect(const LacNoiseLevel *level, double x);
/* Returns the same when the measured intensity has the standard deviation @s, independent of the noise model. */
double lac_noise_level_expect_of(const LacNoiseLevel *level, double x, double s);

#define LAC_NOISE_LEVEL_NUMBERS 323

/* Copies the table for kernels that evaluate it themselves. The variance of the intensity is dark + light x^2.
 * @numbers: [LAC_NOISE_LEVEL_NUMBERS]: dark, light, then g(r) at sqrt r = i / 64, i = 0 ...; beyond the last entry
 * use the series 1 / (4 r) (1 + 15 / (16 r^2)). */
void lac_noise_level_copy(const LacNoiseLevel *level, double *numbers);

G_END_DECLS
