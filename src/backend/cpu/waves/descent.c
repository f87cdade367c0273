/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops of the methods that descend: the likelihood of a slot, its misfit along a direction, and normal equations. */
#include "backend/cpu/waves/real.h"

#include <math.h>

#define CHUNK 512 /* pixels, whose amplitudes stay in the cache */

/* Pixels of a slot. */
typedef struct {
  size_t        count;
  double        amplitudes[CHUNK], slopes[CHUNK];
  const double *measured, *sigma; /* sigma: (nullable) */
} Pixels;

static double
score_amplitudes(const LacWaveLikelihood *likelihood, Pixels *pixels)
{
  const double *restrict m = pixels->measured, *restrict a = pixels->amplitudes;
  const double *restrict sigma = pixels->sigma;
  double *restrict slopes = pixels->slopes;
  double loss = 0;

  LAC_SIMD_SUM(loss)
  for (size_t i = 0; i < pixels->count; i++) {
    const double weight = sigma ? 1 / (2 * sigma[i] * sigma[i]) : 2 * likelihood->photons;
    const double off = a[i] - m[i], slope = 2 * weight * (1 - m[i] / a[i]);

    slopes[i] = (m[i] >= 0) & (a[i] > 0) ? slope : 0;
    loss += m[i] >= 0 ? weight * off * off : 0;
  }
  return loss;
}

static double
score_known_intensities(Pixels *pixels)
{
  const double *restrict m = pixels->measured, *restrict a = pixels->amplitudes;
  const double *restrict sigma = pixels->sigma;
  double *restrict slopes = pixels->slopes;
  double loss = 0;

  LAC_SIMD_SUM(loss)
  for (size_t i = 0; i < pixels->count; i++) {
    const double weight = 1 / (2 * sigma[i] * sigma[i]), off = a[i] * a[i] - m[i] * m[i];

    slopes[i] = m[i] >= 0 ? 4 * weight * off : 0;
    loss += m[i] >= 0 ? weight * off * off : 0;
  }
  return loss;
}

static double
score_poisson(const LacWaveLikelihood *likelihood, Pixels *pixels)
{
  const double s = likelihood->photons, e = likelihood->dark;
  double       loss = 0;

  for (size_t i = 0; i < pixels->count; i++) {
    const double seen = pixels->measured[i] * pixels->measured[i];
    const double intensity = pixels->amplitudes[i] * pixels->amplitudes[i];
    const double above = intensity - seen;

    pixels->slopes[i] = pixels->measured[i] >= 0 ? 2 * s * above / (intensity + e) : 0;
    if (pixels->measured[i] >= 0)
      loss += s * (above - (seen + e) * log1p(above / (seen + e)));
  }
  return loss;
}

static double
score(const LacWaveSweep *args, Pixels *pixels)
{
  if (args->likelihood.is_poisson)
    return score_poisson(&args->likelihood, pixels);
  return pixels->sigma && !args->sees_amplitudes ? score_known_intensities(pixels)
                                                 : score_amplitudes(&args->likelihood, pixels);
}

/* The amplitude is the root of the mean intensity of the fields. */
double
LAC_WAVE(score)(const LacWaveSweep *args, LacWaveSlot slot, void *fields)
{
  const size_t n = args->detector * args->detector, first = (size_t) slot.visit * n;
  const double share = 1 / (double) args->n_along, scale = share * args->likelihood.scale;
  double       loss = 0;
  Pixels       pixels;

  for (size_t at = 0; at < n; at += CHUNK) {
    pixels.count = n - at < CHUNK ? n - at : CHUNK;
    pixels.measured = args->amplitudes + first + at;
    pixels.sigma = args->sigma ? args->sigma + first + at : NULL;
    for (size_t i = 0; i < pixels.count; i++)
      pixels.amplitudes[i] = 0;
    for (size_t along = 0; along < args->n_along; along++) {
      const Pair *restrict u = (const Pair *) fields + along * n + at;

      LAC_SIMD for (size_t i = 0; i < pixels.count; i++) pixels.amplitudes[i] +=
        (double) u[i].re * (double) u[i].re + (double) u[i].im * (double) u[i].im;
    }
    LAC_SIMD for (size_t i = 0; i < pixels.count; i++) pixels.amplitudes[i] =
      sqrt(share * pixels.amplitudes[i]);
    loss += score(args, &pixels);
    for (size_t along = 0; along < args->n_along; along++) {
      Pair *restrict u = (Pair *) fields + along * n + at;

      LAC_SIMD for (size_t i = 0; i < pixels.count; i++)
      {
        const Real factor = R(scale * pixels.slopes[i]);

        u[i] = (Pair){factor * u[i].re, factor * u[i].im};
      }
    }
  }
  return loss * args->likelihood.scale;
}

/* Sums over the stops of a line, of pixels; with u = waves + t steps and v = steps. */
typedef struct {
  double square[CHUNK], along[CHUNK], step[CHUNK]; /* |u|^2, Re(u* v), |v|^2 */
} Line;

static void
add_stop(const Pair *restrict waves, const Pair *restrict steps, double t, size_t count, Line *line)
{
  double *restrict square = line->square, *restrict along = line->along;
  double *restrict step = line->step;

  LAC_SIMD for (size_t i = 0; i < count; i++)
  {
    const double re = (double) steps[i].re, im = (double) steps[i].im;
    const double x = (double) waves[i].re + t * re, y = (double) waves[i].im + t * im;

    square[i] += x * x + y * y;
    along[i] += x * re + y * im;
    step[i] += re * re + im * im;
  }
}

/* With a = sqrt(|u|^2) and a' = Re(u* v) / a: 2 (a - m) a', and 2 |v|^2 - 2 (m / a) (|v|^2 - a'^2). */
static void
add_slopes(const Line *line,
           const double *restrict m,
           double         share,
           size_t         count,
           LacWaveSlopes *sum)
{
  double first = 0, second = 0, most = 0;

  LAC_SIMD_SUM(first, second, most)
  for (size_t i = 0; i < count; i++) {
    const double a = sqrt(share * line->square[i]), step = share * line->step[i];
    const double safe = a > 0 ? a : 1, slope = a > 0 ? share * line->along[i] / safe : 0;
    const double bend = a > 0 ? 2 * m[i] / safe * (step - slope * slope) : 0;

    first += m[i] >= 0 ? 2 * (a - m[i]) * slope : 0;
    second += m[i] >= 0 ? 2 * step - bend : 0;
    most += m[i] >= 0 ? 2 * step : 0;
  }
  sum->first += first;
  sum->second += second;
  sum->most += most;
}

LacWaveSlopes
LAC_WAVE(slopes)(const LacWaveSweep *args, LacWaveSlot slot)
{
  const size_t n = args->detector * args->detector, first = (size_t) slot.visit * args->n_along * n;
  const Pair  *waves = (const Pair *) args->waves + first;
  const Pair  *steps = (const Pair *) args->steps + first;
  const double *measured = args->amplitudes + (size_t) slot.visit * n;
  LacWaveSlopes sum = {0, 0, 0};

  for (size_t at = 0; at < n; at += CHUNK) {
    const size_t count = n - at < CHUNK ? n - at : CHUNK;
    Line         line;

    for (size_t i = 0; i < count; i++)
      line.square[i] = line.along[i] = line.step[i] = 0;
    for (size_t along = 0; along < args->n_along; along++)
      add_stop(waves + along * n + at, steps + along * n + at, *args->t, count, &line);
    add_slopes(&line, measured + at, 1 / (double) args->n_along, count, &sum);
  }
  return sum;
}

void
LAC_WAVE(tangent)(const LacWaveSweep *args,
                  LacWaveSlot         slot,
                  const void         *fields,
                  const void         *changes,
                  double             *tangent)
{
  const size_t  n = args->detector * args->detector;
  const double  share = 1 / (double) args->n_along;
  const Pair   *u = fields, *v = changes ? changes : fields;
  const double *measured = args->amplitudes + (size_t) slot.visit * n;

  for (size_t at = 0; at < n; at += CHUNK) {
    const size_t count = n - at < CHUNK ? n - at : CHUNK;
    const double *restrict m = measured + at;
    double *restrict to = tangent + at;
    Line line;

    for (size_t i = 0; i < count; i++)
      line.square[i] = line.along[i] = line.step[i] = 0;
    for (size_t along = 0; along < args->n_along; along++)
      add_stop(u + along * n + at, v + along * n + at, 0, count, &line);
    for (size_t i = 0; i < count; i++) {
      const double a = sqrt(share * line.square[i]);
      const double slope = a > 0 ? share * line.along[i] / a : 0;

      to[i] = m[i] >= 0 ? (changes ? slope : m[i] - a) : 0;
    }
  }
}

static double
multiply(const double *restrict x, const double *restrict y, size_t n)
{
  double sum = 0;

  LAC_SIMD_SUM(sum)
  for (size_t i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

void
LAC_WAVE(normals)(const double *tangents, size_t n_terms, size_t n, double *normals)
{
  for (size_t j = 0; j < n_terms; j++)
    for (size_t k = 0; k <= n_terms; k++)
      normals[j * (n_terms + 1) + k] =
        k < j ? normals[k * (n_terms + 1) + j] : multiply(tangents + j * n, tangents + k * n, n);
}
