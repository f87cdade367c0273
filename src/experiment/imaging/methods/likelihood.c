/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Likelihood: that of the exposures on the device of the run, and what is known of the object. */
#include "experiment/imaging/methods/likelihood.h"

#include "experiment/imaging/methods/k-space.h"

#include <math.h>

#define PHOTONS_WITHOUT_NOISE 1e4
#define DARK_COUNTS           0.1 /* photons: keeps the logarithm finite where nothing is detected */
#define SMALLEST_STEP         1e-3 /* of the object: below it the total variation is quadratic */

struct _LacLikelihood {
  LacImagingEstimate *h;
  double              variation, excess; /* weights */
};

static gsize
count_measured(const LacImagingEstimate *h)
{
  gsize n = 0;

  for (gsize i = 0; i < h->n_positions * h->d * h->d; i++)
    n += h->amplitudes[i] >= 0;
  return n;
}

LacLikelihood *
lac_likelihood_new(LacImagingEstimate *h, const LacLikelihoodSettings *settings, GError **error)
{
  const LacNoise *noise = &h->problem.exposures->noise;
  const double    dark = lac_noise_variance(noise, 0), light = lac_noise_variance(noise, 1);
  const double    photons = light > 0 ? 1 / light : PHOTONS_WITHOUT_NOISE;
  const double    scale = 1 / (double) MAX(1, count_measured(h));
  LacLikelihood  *likelihood;

  h->k_space =
    lac_k_space_new(h,
                    &(LacKSpaceSettings){
                      .kind = LAC_K_SPACE_LIKELIHOOD,
                      .likelihood = {.is_poisson = settings->kind == LAC_LIKELIHOOD_POISSON,
                                     .photons = photons,
                                     .dark = DARK_COUNTS / photons + sqrt(dark),
                                     .scale = scale},
                    },
                    error);
  if (!h->k_space)
    return NULL;
  likelihood = g_new0(LacLikelihood, 1);
  likelihood->h = h;
  likelihood->variation = settings->variation * scale;
  likelihood->excess = 2 * photons * scale;
  return likelihood;
}

void
lac_likelihood_free(LacLikelihood *likelihood)
{
  g_free(likelihood);
}

/* Returns sum sqrt(|o_right - o|^2 + |o_below - o|^2 + e^2) - e */
static double
add_variation(const LacLikelihood *likelihood, const double complex *o, double complex *bar)
{
  const gsize  s = likelihood->h->s;
  const double weight = likelihood->variation;
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
  const double              weight = likelihood->excess;
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
  double              loss = lac_k_space_score(h->k_space, object, object_bar);

  span.flops += (double) h->n_positions * lac_imaging_estimate_get_flops(h, 2);
  if (likelihood->variation > 0)
    loss += add_variation(likelihood, object, object_bar);
  if (h->problem.bounded && !h->problem.is_real)
    loss += add_excess(likelihood, object, object_bar);
  lac_imaging_estimate_end_phase(h, span, h->step + 1);
  return loss;
}
