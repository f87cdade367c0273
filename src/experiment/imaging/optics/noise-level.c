/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of g(r) over sqrt r, in which it is smooth; beyond its end, the asymptotic series. */
#include "experiment/imaging/optics/noise-level.h"

#include <math.h>
#include <string.h>

#define PER_UNIT 64  /* table entries per unit of sqrt r */
#define N_ROOTS  321 /* up to sqrt r = 5; beyond it the series is accurate to 1e-4 */

struct _LacNoiseLevel {
  double dark, light; /* the intensity's variance is dark + light x^2 */
  double table[N_ROOTS];
};

LacNoiseLevel *
lac_noise_level_new(const LacNoise *noise)
{
  const LacNoise unit = {.snr_db = INFINITY, .read_sigma = 1}; /* s = 1 */
  LacNoiseLevel *level = g_new0(LacNoiseLevel, 1);

  level->dark = lac_noise_variance(noise, 0);
  level->light = lac_noise_variance(noise, 1) - level->dark;
  for (gsize i = 0; i < N_ROOTS; i++)
    level->table[i] =
      lac_noise_expected_square(&unit, LAC_DETECTOR_AMPLITUDE, (double) i / PER_UNIT);
  return level;
}

void
lac_noise_level_free(LacNoiseLevel *level)
{
  g_free(level);
}

double
lac_noise_level_expect_of(const LacNoiseLevel *level, double x, double s)
{
  const double r = s > 0 ? x * x / s : 0;
  const double place = sqrt(r) * PER_UNIT;
  const gsize  i = place < N_ROOTS - 1 ? (gsize) place : N_ROOTS - 1;

  if (!(s > 0))
    return 0;
  if (i + 1 >= N_ROOTS)
    return s / (4 * r) * (1 + 15 / (16 * r * r));
  return s * (level->table[i] + (place - (double) i) * (level->table[i + 1] - level->table[i]));
}

double
lac_noise_level_expect(const LacNoiseLevel *level, double x)
{
  return lac_noise_level_expect_of(level, x, sqrt(level->dark + level->light * x * x));
}

void
lac_noise_level_copy(const LacNoiseLevel *level, double *numbers)
{
  G_STATIC_ASSERT(LAC_NOISE_LEVEL_NUMBERS == N_ROOTS + 2 && PER_UNIT == 64);
  numbers[0] = level->dark;
  numbers[1] = level->light;
  memcpy(numbers + 2, level->table, sizeof level->table);
}
