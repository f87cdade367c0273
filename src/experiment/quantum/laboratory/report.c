/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics of the steps of a quantum run. */
#include "experiment/quantum/laboratory/laboratory-private.h"

#include <math.h>

/* Reports the 5 % and 95 % quantiles of the energies. Overwrites the scratch. */
void
lac_quantum_report_spread(LacQuantumState *state, double *metrics)
{
  gsize n = 0, k;

  for (gsize b = 0; b < state->n_walkers; b++)
    if (isfinite(state->energies[b]))
      state->scratch[n++] = state->energies[b];
  if (!n)
    return;
  k = n / 20;
  metrics[state->places.low] = lac_local_energy_nth(state->scratch, n, k);
  metrics[state->places.high] = lac_local_energy_nth(state->scratch, n, n - 1 - k);
}

void
lac_quantum_report_batch(LacQuantumState *state, const LacEnergyBatch *batch, double *metrics)
{
  const LacQuantumPlaces *places = &state->places;

  metrics[places->energy] = batch->mean;
  metrics[places->error] = sqrt(batch->variance / (double) batch->n_good);
  metrics[places->variance] = batch->variance;
  if (places->off)
    metrics[places->off] = 1e3 * (batch->mean - state->energy.energy);
  lac_quantum_report_spread(state, metrics);
}

void
lac_quantum_report_moves(const LacQuantumState *state, double acceptance, double *metrics)
{
  metrics[state->places.acceptance] = acceptance;
  metrics[state->places.width] = lac_sampler_get_width(state->sampler);
  metrics[state->places.dropped] = (double) state->n_dropped;
}

void
lac_quantum_report_evaluation(LacQuantumState *state, double *metrics)
{
  const LacQuantumPlaces *places = &state->places;
  LacEvaluationResult     result;

  lac_evaluation_get_result(state->measured.evaluation, &result);
  metrics[places->energy] = result.energy;
  metrics[places->error] = result.error;
  metrics[places->error_of_error] = result.error_of_error;
  metrics[places->variance] = result.variance;
  metrics[places->virial] = result.virial;
  metrics[places->virial_error] = result.virial_error;
  metrics[places->kinetic] = result.kinetic;
  metrics[places->attraction] = result.attraction;
  metrics[places->repulsion] = result.repulsion;
  metrics[places->correlation] = result.correlation;
  if (places->off)
    metrics[places->off] = 1e3 * (result.energy - state->energy.energy);
  if (places->drift)
    metrics[places->drift] = state->drift;
  if (places->pretraining)
    metrics[places->pretraining] = state->last_loss;
}

void
lac_quantum_report_observables(LacQuantumState *state, double *metrics)
{
  const LacQuantumPlaces *places = &state->places;

  if (places->dipole) {
    double length = 0, error = 0;

    for (guint c = 0; c < 3; c++) {
      const LacObserved along = lac_observables_get_dipole(state->measured.observables, c);

      length += along.value * along.value;
      error += along.error * along.error;
    }
    metrics[places->dipole] = LAC_DEBYE_PER_ATOMIC_UNIT * sqrt(length);
    metrics[places->dipole_error] = LAC_DEBYE_PER_ATOMIC_UNIT * sqrt(error);
  }
  if (places->stretch) {
    const LacObserved force = lac_stretch_find(state->views.stretch);

    metrics[places->stretch] = force.value;
    metrics[places->stretch_error] = force.error;
  }
  if (places->spin) {
    const LacObserved spin = lac_observables_get_spin_squared(state->measured.observables);

    metrics[places->spin] = spin.value;
    metrics[places->spin_error] = spin.error;
  }
}

void
lac_quantum_report_space(const LacQuantumState *state, double *metrics)
{
  const LacQuantumPlaces *places = &state->places;

  if (places->inside)
    metrics[places->inside] = lac_density_get_inside(state->views.density);
  if (places->cusp) {
    const LacObserved cusp = lac_pair_cusp_find(state->views.cusp);

    metrics[places->cusp] = cusp.value;
    metrics[places->cusp_error] = cusp.error;
  }
}

/* Compares the last quarter of the optimisation with the quarter before, in units of their common standard error. */
double
lac_quantum_find_drift(const double *trail, gint64 n)
{
  const gint64 quarter = n / 4;
  double       mean[2] = {0}, square[2] = {0};

  if (quarter < 2)
    return NAN;
  for (guint part = 0; part < 2; part++) {
    const double *first = trail + n - (gint64) (2 - part) * quarter;

    for (gint64 i = 0; i < quarter; i++)
      mean[part] += first[i] / (double) quarter;
    for (gint64 i = 0; i < quarter; i++)
      square[part] += (first[i] - mean[part]) * (first[i] - mean[part]) / (double) (quarter - 1);
  }
  return (mean[1] - mean[0]) / sqrt((square[0] + square[1]) / (double) quarter + 1e-300);
}
