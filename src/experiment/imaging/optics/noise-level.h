/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far noise alone takes a measured amplitude from the true one: what a misfit is to be compared with (Morozov's discrepancy). Where the
 * intensity x^2 is seen as x^2 + s n, n normal, and the amplitude as y = sqrt(max(0, x^2 + s n)),
 *
 *   E (y - x)^2 = s g(x^2 / s),   g(0) = 1/sqrt(2 pi),   g(r) -> 1/(4 r).
 *
 * Source: Morozov (1966), Soviet Math. Dokl. 7, 414 */
#pragma once

#include "experiment/imaging/optics/noise.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacNoiseLevel LacNoiseLevel;

/* What lac_noise_expected_square() says of amplitudes, from a table: for every pixel at every step. */
LacNoiseLevel *lac_noise_level_new(const LacNoise *noise);
void           lac_noise_level_free(LacNoiseLevel *level);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacNoiseLevel, lac_noise_level_free)

/* E (y - x)^2 of a true amplitude @x. Any thread. 0 without noise. */
double lac_noise_level_expect(const LacNoiseLevel *level, double x);
/* The same where the intensity's standard deviation is @s, whatever the noise says. */
double lac_noise_level_expect_of(const LacNoiseLevel *level, double x, double s);

#define LAC_NOISE_LEVEL_NUMBERS 323

/* What the above is made of, for who computes it elsewhere: the intensity's variance is dark + light x^2; dark, light, then g(r) at
 * sqrt r = i / 64, i = 0 ...; beyond the last the series 1 / (4 r) (1 + 15 / (16 r^2)). @numbers: [LAC_NOISE_LEVEL_NUMBERS] */
void lac_noise_level_copy(const LacNoiseLevel *level, double *numbers);

G_END_DECLS
