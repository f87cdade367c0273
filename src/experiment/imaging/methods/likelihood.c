/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Likelihood: scan positions in parallel over the pool, their sum in order, then one transform back. */
#include "experiment/imaging/methods/likelihood.h"

#include <math.h>

#define PHOTONS_WITHOUT_NOISE 1e4
#define DARK_COUNTS           0.1 /* photons: keeps the logarithm finite where nothing is detected */
#define SMALLEST_STEP         1e-3 /* of the object: below it the total variation is quadratic */

struct _LacLikelihood {
  LacImagingEstimate   *h;
  LacLikelihoodSettings settings;
  double                photons, dark; /* dark: in units of intensity */
  double               *losses;        /* [n_positions] */
  double complex       *spectrum_bar;  /* [n_band] */
  double                scale;         /* 1 / number of measured pixels */
};

LacLikelihood *
lac_likelihood_new(LacImagingEstimate *h, const LacLikelihoodSettings *settings)
{
  const LacNoise *noise = &h->problem.exposures->noise;
  const double    dark = lac_noise_variance(noise, 0);
  const double    light = lac_noise_variance(noise, 1);
  LacLikelihood  *likelihood = g_new0(LacLikelihood, 1);
  gsize           n_measured = 0;

  likelihood->h = h;
  likelihood->settings = *settings;
  likelihood->photons = light > 0 ? 1 / light : PHOTONS_WITHOUT_NOISE;
  likelihood->dark = DARK_COUNTS / likelihood->photons + sqrt(dark);
  likelihood->losses = g_new0(double, h->n_positions);
  likelihood->spectrum_bar = g_new0(double complex, h->n_band);
  for (gsize i = 0; i < h->n_positions * h->d * h->d; i++)
    n_measured += h->amplitudes[i] >= 0;
  likelihood->scale = 1 / (double) MAX(1, n_measured);
  lac_imaging_estimate_keep_patches(h);
  return likelihood;
}

void
lac_likelihood_free(LacLikelihood *likelihood)
{
  if (!likelihood)
    return;
  g_free(likelihood->losses);
  g_free(likelihood->spectrum_bar);
  g_free(likelihood);
}

/* Returns: the loss of one pixel; @slope: (out): its derivative divided by the amplitude. */
static double
score_pixel(const LacLikelihood *likelihood, double a, double m, double *slope)
{
  const double s = likelihood->photons, e = likelihood->dark;
  const double intensity = a * a, seen = m * m;

  if (likelihood->settings.kind == LAC_LIKELIHOOD_GAUSSIAN) {
    *slope = a > 0 ? 4 * s * (1 - m / a) : 0;
    return 2 * s * (a - m) * (a - m);
  }
  *slope = 2 * s * (intensity - seen) / (intensity + e);
  return s * (intensity - seen - (seen + e) * log1p((intensity - seen) / (seen + e)));
}

/* Returns the same for a pixel of known standard deviation, in the unit of the exposures. */
static double
score_known(LacDetectorUnit unit, double sigma, double a, double m, double *slope)
{
  const double weight = 1 / (2 * sigma * sigma), apart = a * a - m * m;

  if (unit == LAC_DETECTOR_AMPLITUDE) {
    *slope = a > 0 ? 2 * weight * (1 - m / a) : 0;
    return weight * (a - m) * (a - m);
  }
  *slope = 4 * weight * apart;
  return weight * apart * apart;
}

/* Adds one scan position: dL/du = slope u / n_along, as the amplitude is the root of the fields' mean intensity. */
static void
score_position(gsize position, guint worker, gpointer user_data)
{
  LacLikelihood      *likelihood = user_data;
  LacImagingEstimate *h = likelihood->h;
  LacImagingScratch  *bench = &h->benches[worker];
  const gsize         n = h->d * h->d;
  const double       *measured = h->amplitudes + position * n;
  const LacExposures *exposures = h->problem.exposures;
  const double *sigma = exposures->sigma && likelihood->settings.kind == LAC_LIKELIHOOD_GAUSSIAN
                          ? exposures->sigma + position * n
                          : NULL;
  double        loss = 0;

  lac_imaging_estimate_see(h, position, h->spectrum, bench);
  const guint64 begin = lac_call_sums_begin(h->sums);
  for (gsize i = 0; i < n; i++) {
    double slope = 0;

    if (measured[i] < 0 || h->rests[position])
      slope = 0;
    else if (sigma)
      loss += score_known(exposures->unit, sigma[i], bench->amplitude[i], measured[i], &slope);
    else
      loss += score_pixel(likelihood, bench->amplitude[i], measured[i], &slope);
    bench->amplitude[i] = slope * likelihood->scale / (double) h->n_along;
  }
  for (gsize along = 0; along < h->n_along; along++) {
    double complex *u = bench->fields + along * n;

    for (gsize i = 0; i < n; i++)
      u[i] = CMPLX(creal(u[i]) * bench->amplitude[i], cimag(u[i]) * bench->amplitude[i]);
  }
  lac_call_sums_lap(h->sums, worker, LAC_IMAGING_PROJECT, begin);
  lac_imaging_estimate_take_patches(h, position, bench);
  likelihood->losses[position] = loss;
}

/* Returns sum sqrt(|o_right - o|^2 + |o_below - o|^2 + e^2) - e */
static double
add_variation(const LacLikelihood *likelihood, const double complex *o, double complex *bar)
{
  const gsize  s = likelihood->h->s;
  const double weight = likelihood->settings.variation * likelihood->scale;
  double       sum = 0;

  for (gsize y = 0; y < s; y++)
    for (gsize x = 0; x < s; x++) {
      const gsize          i = y * s + x;
      const gsize          right = x + 1 < s ? i + 1 : i, below = y + 1 < s ? i + s : i;
      const double complex dx = o[right] - o[i], dy = o[below] - o[i];
      const double         size =
        sqrt(creal(dx) * creal(dx) + cimag(dx) * cimag(dx) + creal(dy) * creal(dy) +
             cimag(dy) * cimag(dy) + SMALLEST_STEP * SMALLEST_STEP);

      sum += size - SMALLEST_STEP;
      bar[right] += weight / size * dx;
      bar[below] += weight / size * dy;
      bar[i] -= weight / size * (dx + dy);
    }
  return weight * sum;
}

static double
add_excess(const LacLikelihood *likelihood, const double complex *o, double complex *bar)
{
  const LacImagingEstimate *h = likelihood->h;
  const double              weight = 2 * likelihood->photons * likelihood->scale;
  double                    sum = 0;

  for (gsize i = 0; i < h->s * h->s; i++) {
    const double size = cabs(o[i]), excess = size - h->problem.high;

    if (excess <= 0)
      continue;
    sum += weight * excess * excess;
    bar[i] += 2 * weight * excess / size * o[i];
  }
  return sum;
}

double
lac_likelihood_evaluate(LacLikelihood        *likelihood,
                        const double complex *object,
                        double complex       *object_bar)
{
  LacImagingEstimate *h = likelihood->h;
  LacSpan             span = lac_imaging_estimate_begin_phase(h, h->names.likelihood);
  double              loss = 0;

  lac_imaging_estimate_to_spectrum(h, object, h->spectrum);
  lac_pool_run(h->problem.context->pool, h->n_positions, score_position, likelihood);
  lac_imaging_estimate_add_patches(h, likelihood->spectrum_bar);
  lac_imaging_estimate_to_object(h, likelihood->spectrum_bar, object_bar);
  for (gsize position = 0; position < h->n_positions; position++)
    loss += likelihood->losses[position] * likelihood->scale;
  if (likelihood->settings.variation > 0)
    loss += add_variation(likelihood, object, object_bar);
  if (h->problem.bounded && !h->problem.is_real)
    loss += add_excess(likelihood, object, object_bar);
  lac_imaging_estimate_end_phase(h, span, h->step + 1);
  return loss;
}
