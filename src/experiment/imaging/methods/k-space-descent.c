/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gradients of the misfit and of likelihoods, the misfit along a direction, and normal equations. */
#include "experiment/imaging/methods/k-space-private.h"

/* The waves of the object, and what moves them to the measured amplitudes, back-propagated with the opposite sign. */
static void
enqueue_gradient(LacKSpace *k)
{
  const LacWaveKernels *kernels = k->device.table->waves;
  LacWaveSweep          waves = k->waves;

  lac_k_space_find_field(k);
  waves.factors = (LacWaveFactors){.of_object = 1};
  lac_k_space_note(k, kernels->relax(k->device.self, &waves));
  waves.factors = (LacWaveFactors){.measured = -1, .wave = 1};
  lac_k_space_note(k, kernels->collect(k->device.self, &waves));
  waves.weights = NULL;
  lac_k_space_note(k, kernels->to_object(k->device.self, &waves));
}

static void
enqueue_condition(LacKSpace *k)
{
  LacWaveSweep waves = k->waves;

  waves.weights = k->conditioning;
  lac_k_space_note(k, k->device.table->waves->to_object(k->device.self, &waves));
}

static void
enqueue_direction(LacKSpace *k)
{
  LacWaveSweep waves = k->waves;

  lac_k_space_find_field(k);
  waves.waves = k->steps;
  waves.factors = (LacWaveFactors){.of_object = 1};
  lac_k_space_note(k, k->device.table->waves->relax(k->device.self, &waves));
}

static void
enqueue_slopes(LacKSpace *k)
{
  LacWaveSweep waves = k->waves;

  waves.steps = k->steps;
  lac_k_space_note(k, k->device.table->waves->slopes(k->device.self, &waves));
}

static void
enqueue_score(LacKSpace *k)
{
  lac_k_space_find_field(k);
  lac_k_space_note(k, k->device.table->waves->score(k->device.self, &k->waves));
  lac_k_space_note(k, k->device.table->waves->to_object(k->device.self, &k->waves));
}

const double *
lac_k_space_find_gradient(LacKSpace *k, double complex *gradient)
{
  const gsize n_grid = k->waves.grid * k->waves.grid;

  lac_k_space_refresh(k);
  lac_k_space_put_object(k, k->h->object);
  lac_k_space_order_slots(k);
  lac_k_space_run(k, LAC_K_SPACE_GRADIENT, enqueue_gradient);
  lac_k_space_take_object(k, gradient);
  lac_exposure_memory_download(&k->memory, k->apertures, k->waves.weights,
                               n_grid * sizeof *k->apertures);
  return k->apertures;
}

void
lac_k_space_condition(LacKSpace *k, const double *weights, double complex *conditioned)
{
  lac_exposure_memory_upload(&k->memory, k->conditioning, weights,
                             k->waves.grid * k->waves.grid * sizeof *weights);
  lac_k_space_run(k, LAC_K_SPACE_CONDITION, enqueue_condition);
  lac_k_space_take_object(k, conditioned);
}

void
lac_k_space_set_direction(LacKSpace *k, const double complex *direction)
{
  lac_k_space_put_object(k, direction);
  lac_k_space_run(k, LAC_K_SPACE_DIRECTION, enqueue_direction);
}

LacWaveSlopes
lac_k_space_find_slopes(LacKSpace *k, double t)
{
  LacWaveSlopes sum = {0};

  lac_exposure_memory_upload(&k->memory, k->t, &t, sizeof t);
  lac_k_space_run(k, LAC_K_SPACE_SLOPES, enqueue_slopes);
  lac_exposure_memory_download(&k->memory, k->slopes, k->waves.slopes,
                               k->waves.n_slots * sizeof *k->slopes);
  for (gsize slot = 0; slot < k->waves.n_slots; slot++) {
    sum.first += k->slopes[slot].first;
    sum.second += k->slopes[slot].second;
    sum.most += k->slopes[slot].most;
  }
  return sum;
}

double
lac_k_space_score(LacKSpace *k, const double complex *object, double complex *object_bar)
{
  double loss = 0;

  lac_k_space_refresh(k);
  lac_k_space_put_object(k, object);
  lac_k_space_order_slots(k);
  lac_k_space_run(k, LAC_K_SPACE_SCORE, enqueue_score);
  lac_k_space_take_object(k, object_bar);
  lac_exposure_memory_download(&k->memory, k->losses, k->waves.losses,
                               k->waves.n_slots * sizeof *k->losses);
  for (gsize slot = 0; slot < k->waves.n_slots; slot++)
    loss += k->losses[slot];
  return loss;
}

static void
enqueue_normals(LacKSpace *k)
{
  lac_k_space_note(k, k->device.table->waves->normals(k->device.self, &k->waves));
}

void
lac_k_space_find_normals(LacKSpace *k, const double complex *derivatives, double *normals)
{
  const gsize n = k->waves.n_terms, n_box = k->waves.box * k->waves.box;

  g_return_if_fail(k->h->has_field);
  lac_k_space_refresh(k);
  lac_exposure_memory_upload(&k->memory, k->derivatives, derivatives,
                             n * n_box * sizeof *derivatives);
  lac_k_space_order_slots(k);
  lac_k_space_run(k, LAC_K_SPACE_NORMALS, enqueue_normals);
  lac_exposure_memory_download(&k->memory, normals, k->waves.normals,
                               k->waves.n_slots * n * (n + 1) * sizeof *normals);
}
