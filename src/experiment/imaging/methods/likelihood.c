/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Likelihood: that of the exposures, and what is known of the object. Variables and gradient stay on the device of the run. */
#include "experiment/imaging/methods/likelihood.h"

#include "experiment/imaging/methods/k-space-private.h"

#include <math.h>

#define PHOTONS_WITHOUT_NOISE 1e4
#define DARK_COUNTS           0.1 /* photons: keeps the logarithm finite where nothing is detected */

static gsize
count_measured(const LacImagingEstimate *h)
{
  gsize n = 0;

  for (gsize i = 0; i < h->n_positions * h->d * h->d; i++)
    n += h->amplitudes[i] >= 0;
  return n;
}

gboolean
lac_likelihood_open(LacImagingEstimate *h, const LacLikelihoodSettings *settings, GError **error)
{
  const LacNoise *noise = &h->problem.exposures->noise;
  const double    dark = lac_noise_variance(noise, 0), light = lac_noise_variance(noise, 1);
  const double    photons = light > 0 ? 1 / light : PHOTONS_WITHOUT_NOISE;
  const double    scale = 1 / (double) MAX(1, count_measured(h));

  h->k_space =
    lac_k_space_new(h,
                    &(LacKSpaceSettings){
                      .kind = LAC_K_SPACE_LIKELIHOOD,
                      .likelihood = {.is_poisson = settings->kind == LAC_LIKELIHOOD_POISSON,
                                     .photons = photons,
                                     .dark = DARK_COUNTS / photons + sqrt(dark),
                                     .scale = scale},
                      .variation = settings->variation * scale,
                      .excess = h->problem.bounded && !h->problem.is_real ? 2 * photons * scale : 0,
                    },
                    error);
  return h->k_space != NULL;
}

void
lac_likelihood_begin(LacImagingEstimate *h)
{
  LacKSpace         *k = h->k_space;
  g_autofree double *theta = g_new0(double, k->n_variables);

  for (gsize i = 0; i < h->s * h->s; i++)
    if (!h->problem.is_real)
      theta[2 * i] = creal(h->object[i]) / 2;
    else if (!h->problem.bounded)
      theta[i] = creal(h->object[i]);
  lac_exposure_memory_upload(&k->memory, k->theta, theta, k->n_variables * sizeof *theta);
}

static void
enqueue_object(LacKSpace *k)
{
  lac_k_space_note(k, k->device.table->waves->reparametrise(k->device.self, &k->variables));
}

void
lac_likelihood_find_object(LacImagingEstimate *h)
{
  LacKSpace *k = h->k_space;

  lac_k_space_add(k, k->n_variables, NULL, k->theta, k->trial);
  lac_k_space_run(k, LAC_K_SPACE_OBJECT, enqueue_object);
  lac_k_space_take_object(k, h->object);
}

static gboolean
has_penalties(const LacKSpace *k)
{
  return k->variables.variation > 0 || k->variables.excess > 0;
}

static void
enqueue_score(LacKSpace *k)
{
  const LacWaveKernels *kernels = k->device.table->waves;
  LacWaveSweep          waves = k->waves;

  enqueue_object(k);
  lac_k_space_find_field(k);
  lac_k_space_note(k, kernels->score(k->device.self, &waves));
  waves.object.values = k->variables.bar;
  lac_k_space_note(k, kernels->to_object(k->device.self, &waves));
  if (has_penalties(k))
    lac_k_space_note(k, kernels->penalise(k->device.self, &k->variables));
  lac_k_space_note(k, kernels->reparametrise_reverse(k->device.self, &k->variables));
}

gboolean
lac_likelihood_evaluate(gconstpointer theta,
                        gpointer      gradient,
                        double       *loss,
                        gpointer      user_data,
                        GError      **error)
{
  LacImagingEstimate *h = user_data;
  LacKSpace          *k = h->k_space;
  const gsize         n = k->waves.n_slots + (has_penalties(k) ? h->s : 0);
  LacSpan             span = lac_imaging_estimate_begin_phase(h, h->names.likelihood);

  lac_k_space_refresh(k);
  lac_k_space_order_slots(k);
  lac_k_space_add(k, k->n_variables, NULL, theta, k->trial);
  lac_k_space_run(k, LAC_K_SPACE_SCORE, enqueue_score);
  lac_k_space_add(k, k->n_variables, NULL, k->variables.theta_bar, gradient);
  lac_exposure_memory_download(&k->memory, k->losses, k->waves.losses, n * sizeof *k->losses);
  *loss = 0;
  for (gsize i = 0; i < n; i++)
    *loss += k->losses[i];
  span.flops += (double) h->n_positions * lac_imaging_estimate_get_flops(h, 2);
  lac_imaging_estimate_end_phase(h, span, h->step + 1);
  return lac_k_space_is_sound(k, error);
}
