/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops over the pixels of detectors and objects. */
#include "backend/cpu/waves/real.h"

#include <math.h>
#include <string.h>

#define CHUNK 512 /* pixels, whose amplitudes stay in the cache */

/* Fills in the amplitudes of pixels @first ... of a slot's fields. */
static void
find_amplitudes(const Pair *fields,
                size_t      n_along,
                size_t      n,
                size_t      first,
                size_t      count,
                Real       *amplitudes)
{
  const Real share = 1 / (Real) n_along;

  for (size_t i = 0; i < count; i++)
    amplitudes[i] = 0;
  for (size_t along = 0; along < n_along; along++) {
    const Pair *restrict u = fields + along * n + first;

    LAC_SIMD for (size_t i = 0; i < count; i++) amplitudes[i] +=
      u[i].re * u[i].re + u[i].im * u[i].im;
  }
  LAC_SIMD for (size_t i = 0; i < count; i++) amplitudes[i] = SQUARE_ROOT(share * amplitudes[i]);
}

/* Expected (a - m)^2 of a noisy amplitude, as in cuda/waves.cu. */
typedef struct {
  const double *noise, *sigma; /* @sigma: (nullable): of the slot's pixels */
  int           sees_amplitudes;
} Noise;

/* Computes s g(x^2 / s) in place of the standard deviations s of the intensities: from the table, then from the series
 * beyond it. Each loop is free of branches, so that it is one of vectors. */
static void
expect(const double *restrict g, const double *restrict x, size_t count, double *restrict s)
{
  const double last = LAC_WAVE_NOISE - 3, end = nextafter(last, 0); /* of the table */
  const double most = last / 64 * (last / 64);
  double       ratios[CHUNK], levels[CHUNK];

  LAC_SIMD for (size_t i = 0; i < count; i++)
  {
    const double safe = s[i] > 0 ? s[i] : 1, r = x[i] * x[i] / safe, place = sqrt(r) * 64;

    ratios[i] = r;
    levels[i] = place < end ? place : end;
  }
  LAC_SIMD for (size_t i = 0; i < count; i++)
  {
    const int    at = (int) levels[i];
    const double low = g[at];

    levels[i] = low + (levels[i] - (double) at) * (g[at + 1] - low);
  }
  LAC_SIMD for (size_t i = 0; i < count; i++)
  {
    const double inverse = 1 / ratios[i], level = levels[i];
    const double series = inverse / 4 * (1 + 15.0 / 16 * inverse * inverse);

    s[i] *= ratios[i] < most ? level : series;
  }
}

/* Fills in the expected (a - m)^2 of pixels from `first` on, at amplitudes x. */
static void
find_expected(const Noise *level,
              size_t       first,
              size_t       count,
              const double *restrict x,
              double *restrict expected)
{
  const double *sigma = level->sigma ? level->sigma + first : NULL;
  const double  dark = level->noise[0], light = level->noise[1];

  if (sigma && level->sees_amplitudes) {
    LAC_SIMD for (size_t i = 0; i < count; i++) expected[i] = sigma[i] * sigma[i];
    return;
  }
  if (sigma)
    memcpy(expected, sigma, count * sizeof *expected);
  else
    LAC_SIMD for (size_t i = 0; i < count; i++) expected[i] = sqrt(dark + light * x[i] * x[i]);
  expect(level->noise + 2, x, count, expected);
}

/* ---- the distance and the step of a sweep ---- */

static void
add_distances(const Real *restrict amplitudes,
              const double *restrict measured,
              size_t           count,
              LacWaveDistance *sum)
{
  Real distance = 0, energy = 0, held_out = 0;

  LAC_SIMD_SUM(distance, energy, held_out)
  for (size_t i = 0; i < count; i++) {
    const Real m = R(measured[i]), off = amplitudes[i] - m;
    const Real apart = amplitudes[i] - (R(LAC_WAVE_HELD_OUT) - m);

    distance += m >= 0 ? off * off : 0;
    energy += m >= 0 ? m * m : 0;
    held_out += m <= R(LAC_WAVE_HELD_OUT) ? apart * apart : 0;
  }
  sum->distance += (double) distance;
  sum->energy += (double) energy;
  sum->held_out += (double) held_out;
}

static void
add_residuals(const Real *restrict amplitudes,
              const double *restrict measured,
              size_t           count,
              int              sees_amplitudes,
              LacWaveDistance *sum)
{
  Real residual = 0, scale = 0;

  LAC_SIMD_SUM(residual, scale)
  for (size_t i = 0; i < count; i++) {
    const Real m = R(measured[i]), all = m >= 0 ? m : R(LAC_WAVE_HELD_OUT) - m, a = amplitudes[i];
    const Real value = sees_amplitudes ? all : all * all;
    const Real off = (sees_amplitudes ? a : a * a) - value;
    const int  counts = (m >= 0) | (m <= R(LAC_WAVE_HELD_OUT));

    residual += counts ? off * off : 0;
    scale += counts ? value * value : 0;
  }
  sum->residual += (double) residual;
  sum->scale += (double) scale;
}

static void
add_expected(const Noise     *level,
             const Real      *amplitudes,
             const double    *measured,
             size_t           first,
             size_t           count,
             LacWaveDistance *sum)
{
  double exact[CHUNK], squares[CHUNK], expected = 0, variance = 0;

  LAC_SIMD for (size_t i = 0; i < count; i++) exact[i] = (double) amplitudes[i];
  find_expected(level, first, count, exact, squares);
  LAC_SIMD_SUM(expected, variance)
  for (size_t i = 0; i < count; i++) {
    const double e = measured[first + i] >= 0 ? squares[i] : 0;

    expected += e;
    variance += 2 * e * e;
  }
  sum->expected += expected;
  sum->variance += variance;
}

/* Multiplies fields by base + share (m / a - 1). */
static void
follow(const LacWaveLook *look,
       Pair *restrict u,
       const Real *restrict amplitudes,
       const double *restrict measured,
       double dark,
       size_t count)
{
  const Real base = R(look->base), share = R(look->share);

  LAC_SIMD for (size_t i = 0; i < count; i++)
  {
    const Real m = R(measured[i]), a = amplitudes[i], moved = share * (m / a - 1);
    const Real factor = (m >= 0) & (a > R(dark)) ? base + moved : base;

    u[i] = (Pair){factor * u[i].re, factor * u[i].im};
  }
}

void
LAC_WAVE(look)(const LacWaveSweep *args, const LacWaveLook *look)
{
  const size_t    n = args->detector * args->detector, first = (size_t) look->slot.visit * n;
  const double   *measured = args->amplitudes + first;
  const Noise     level = {args->noise, args->sigma ? args->sigma + first : NULL,
                           args->sees_amplitudes};
  LacWaveDistance sum = {0};
  Real            amplitudes[CHUNK];

  for (size_t at = 0; at < n; at += CHUNK) {
    const size_t count = n - at < CHUNK ? n - at : CHUNK;

    find_amplitudes(look->fields, args->n_along, n, at, count, amplitudes);
    if (look->distance) {
      add_distances(amplitudes, measured + at, count, &sum);
      add_residuals(amplitudes, measured + at, count, args->sees_amplitudes, &sum);
    }
    if (look->distance && args->noise)
      add_expected(&level, amplitudes, measured, at, count, &sum);
    for (size_t along = 0; look->follows && along < args->n_along; along++)
      follow(look, (Pair *) look->fields + along * n + at, amplitudes, measured + at, args->dark,
             count);
  }
  if (look->distance)
    *look->distance = sum;
}

void
LAC_WAVE(combine)(size_t n, double a, const void *x, double b, void *y)
{
  const Real *restrict from = x;
  Real *restrict to = y;
  const Real p = R(a), q = R(b);

  LAC_SIMD for (size_t i = 0; i < 2 * n; i++) to[i] = p * from[i] + q * to[i];
}

/* ---- the comparison by a loss ---- */

/* Sums of a slot, in double precision. */
typedef struct {
  double count, size, energy, off_size, distance, expected, variance;
} Sums;

static void
find_exact_amplitudes(const Pair *fields,
                      size_t      n_along,
                      size_t      n,
                      size_t      first,
                      size_t      count,
                      double     *amplitudes)
{
  for (size_t i = 0; i < count; i++)
    amplitudes[i] = 0;
  for (size_t along = 0; along < n_along; along++) {
    const Pair *restrict u = fields + along * n + first;

    LAC_SIMD for (size_t i = 0; i < count; i++)
    {
      const double re = (double) u[i].re, im = (double) u[i].im;

      amplitudes[i] += re * re + im * im;
    }
  }
  LAC_SIMD for (size_t i = 0; i < count; i++) amplitudes[i] =
    sqrt(amplitudes[i] / (double) n_along);
}

static void
add_sums(const double *restrict amplitudes,
         const double *restrict measured,
         size_t count,
         Sums  *sums)
{
  double counted = 0, size = 0, energy = 0, off_size = 0, distance = 0;

  LAC_SIMD_SUM(counted, size, energy, off_size, distance)
  for (size_t i = 0; i < count; i++) {
    const double weight = measured[i] >= 0 ? 1 : 0, m = weight * measured[i];
    const double off = weight * (amplitudes[i] - measured[i]);

    counted += weight;
    size += m;
    energy += m * m;
    off_size += fabs(off);
    distance += off * off;
  }
  sums->count += counted;
  sums->size += size;
  sums->energy += energy;
  sums->off_size += off_size;
  sums->distance += distance;
}

static int
has_noise(const Noise *level)
{
  return level->noise && (level->sigma || level->noise[0] > 0 || level->noise[1] > 0);
}

static Sums
sum_up(const LacWaves *args, const Noise *level, const Pair *fields, const double *measured)
{
  const size_t n = args->detector * args->detector;
  const int    is_noisy = has_noise(level);
  Sums         sums = {0};
  double       amplitudes[CHUNK], squares[CHUNK], expected = 0, variance = 0;

  for (size_t at = 0; at < n; at += CHUNK) {
    const size_t count = n - at < CHUNK ? n - at : CHUNK;

    find_exact_amplitudes(fields, args->n_along, n, at, count, amplitudes);
    add_sums(amplitudes, measured + at, count, &sums);
    if (is_noisy)
      find_expected(level, at, count, amplitudes, squares);
    LAC_SIMD_SUM(expected, variance)
    for (size_t i = 0; i < (is_noisy ? count : 0); i++) {
      const double e = measured[at + i] >= 0 ? squares[i] : 0;

      expected += e;
      variance += 2 * e * e;
    }
  }
  sums.expected = expected;
  sums.variance = variance;
  return sums;
}

/* Factors from distances to a loss. */
typedef struct {
  double l1, l2;
} Scales;

static Scales
find_scales(const LacWaves *args, const Sums *sums)
{
  const double count = sums->count, n = (double) (args->detector * args->detector);
  const double floor = sqrt(sums->expected / n);

  if (!(count > 0))
    return (Scales){0, 0};
  if (!args->normalised)
    return (Scales){args->weight_l1 / count, args->weight_l2 / count};
  return (Scales){args->weight_l1 / (sums->size + count * (floor + 1e-8)),
                  args->weight_l2 / (sums->energy + count * (floor * floor + 1e-8))};
}

/* @others: of the pixels, the derivatives of other losses */
static void
slope(const LacWaves *args,
      const Scales   *scales,
      const double   *measured,
      const double   *others,
      Pair           *fields)
{
  static const double none[CHUNK];
  const size_t        n = args->detector * args->detector;
  const double share = 1 / (double) args->n_along, l1 = share * scales->l1, l2 = share * scales->l2;
  double       amplitudes[CHUNK];
  Real         factors[CHUNK];

  for (size_t at = 0; at < n; at += CHUNK) {
    const size_t  count = n - at < CHUNK ? n - at : CHUNK;
    const double *m = measured + at, *other = others ? others + at : none;

    find_exact_amplitudes(fields, args->n_along, n, at, count, amplitudes);
    LAC_SIMD for (size_t i = 0; i < count; i++)
    {
      const double a = amplitudes[i], off = m[i] < 0 ? 0 : a - m[i];
      const double sign = off > 0 ? 1 : off < 0 ? -1 : 0;
      const double bar = (l1 * sign + l2 * 2 * off + share * other[i]) / a;

      factors[i] = R(a > 0 ? bar : 0);
    }
    for (size_t along = 0; along < args->n_along; along++) {
      Pair *restrict u = fields + along * n + at;

      LAC_SIMD for (size_t i = 0; i < count; i++) u[i] =
        (Pair){factors[i] * u[i].re, factors[i] * u[i].im};
    }
  }
}

void
LAC_WAVE(compare)(const LacWaves *args, size_t slot)
{
  const size_t  n = args->detector * args->detector, first = (size_t) args->slots[slot].visit * n;
  const double *measured = args->amplitudes + first;
  const Noise   level = {args->noise, args->sigma ? args->sigma + first : NULL,
                         args->sees_amplitudes};
  Pair         *fields = (Pair *) args->fields + slot * args->n_along * n;
  const Sums    sums = sum_up(args, &level, fields, measured);
  const Scales  scales = find_scales(args, &sums);
  const double *others = args->dissimilarities ? args->dissimilarities + slot * (1 + n) : NULL;

  args->misfits[slot] = (LacWaveMisfit){
    .loss = scales.l1 * sums.off_size + scales.l2 * sums.distance + (others ? others[0] : 0),
    .distance = sums.distance,
    .expected = sums.expected,
    .variance = sums.variance,
    .energy = sums.energy,
  };
  slope(args, &scales, measured, others ? others + 1 : NULL, fields);
}

/* ---- the object ---- */

static double
sign_of(size_t n)
{
  return n % 2 ? -1 : 1;
}

/* Element @i of the object; 0 outside the mask. */
static DoublePair
object_at(const LacWaves *args, size_t i)
{
  const double size = args->offset + args->gain * args->picture[i];

  if (args->mask && args->mask[i] == 0)
    return (DoublePair){0, 0};
  if (!args->phase)
    return (DoublePair){size, 0};
  return (DoublePair){size * cos(args->phase[i]), size * sin(args->phase[i])};
}

void
LAC_WAVE(object)(const LacWaves *args, size_t row)
{
  const size_t s = args->support, start = (args->grid - s) / 2;
  Pair        *field = (Pair *) args->field + row * args->grid;

  for (size_t x = 0; x < args->grid; x++)
    field[x] = (Pair){0, 0};
  if (row < start || row >= start + s)
    return;
  for (size_t x = 0; x < s; x++) {
    const DoublePair o = object_at(args, (row - start) * s + x);
    const double     sign = sign_of(row + start + x);

    field[start + x] = (Pair){R(sign * o.re), R(sign * o.im)};
  }
}

void
LAC_WAVE(bars)(const LacWaves *args, size_t row)
{
  const size_t s = args->support, start = (args->grid - s) / 2;
  const Pair  *field = (const Pair *) args->field + (start + row) * args->grid + start;

  for (size_t x = 0; x < s; x++) {
    const size_t i = row * s + x;
    const double weight = args->mask && args->mask[i] == 0 ? 0 : *args->weight * sign_of(row + x);
    const double re = weight * (double) field[x].re, im = -weight * (double) field[x].im;

    if (!args->phase) {
      args->picture_bar[i] = args->gain * re;
      continue;
    }
    const DoublePair o = object_at(args, i);

    args->picture_bar[i] = args->gain * (re * cos(args->phase[i]) - im * sin(args->phase[i]));
    args->phase_bar[i] = -(re * o.im + im * o.re);
  }
}
