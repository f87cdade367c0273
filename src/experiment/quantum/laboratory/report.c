/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics of the steps of a quantum run. */
#include "experiment/quantum/laboratory/laboratory-private.h"
#include "experiment/quantum/observables/blocking.h"

#include <math.h>
#include <string.h>

#define EXACT_SPIN 1e-6 /* rounding of a mean */

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
  metrics[state->indices.low] = lac_local_energy_nth(state->scratch, n, k);
  metrics[state->indices.high] = lac_local_energy_nth(state->scratch, n, n - 1 - k);
}

void
lac_quantum_report_batch(LacQuantumState *state, const LacEnergyBatch *batch, double *metrics)
{
  const LacQuantumIndices *indices = &state->indices;

  metrics[indices->energy] = batch->mean;
  metrics[indices->error] = sqrt(batch->variance / (double) batch->n_good);
  metrics[indices->variance] = batch->variance;
  if (indices->off)
    metrics[indices->off] = 1e3 * (batch->mean - state->energy.energy);
  lac_quantum_report_spread(state, metrics);
}

void
lac_quantum_report_moves(const LacQuantumState *state, double acceptance, double *metrics)
{
  metrics[state->indices.acceptance] = acceptance;
  metrics[state->indices.width] = lac_sampler_get_width(state->sampler);
  metrics[state->indices.dropped] = (double) state->n_dropped;
}

static void
report_settling(LacQuantumState *state, double *metrics)
{
  LacQuantumSettling *settling = &state->settling;

  if (isnan(settling->resolution))
    *settling = lac_quantum_find_settling(state->optimiser.trail, state->params.iterations,
                                          state->optimiser.trail_scratch);
  metrics[LAC_SETTLING_DRIFT] = 1e3 * settling->drift;
  metrics[LAC_SETTLING_RESOLUTION] = 1e3 * settling->resolution;
  metrics[LAC_SETTLING_WITHIN] = 1e3 * (fabs(settling->drift) + settling->resolution);
}

void
lac_quantum_report_evaluation(LacQuantumState *state, double *metrics)
{
  const LacQuantumIndices *indices = &state->indices;
  LacEvaluationResult      result;

  lac_evaluation_get_result(state->measured.evaluation, &result);
  metrics[indices->energy] = result.energy;
  metrics[indices->error] = result.error;
  metrics[indices->error_of_error] = result.error_of_error;
  metrics[indices->variance] = result.variance;
  metrics[indices->virial] = result.virial;
  metrics[indices->virial_error] = result.virial_error;
  metrics[indices->kinetic] = result.kinetic;
  metrics[indices->attraction] = result.attraction;
  metrics[indices->repulsion] = result.repulsion;
  metrics[indices->correlation] = result.correlation;
  if (indices->off)
    metrics[indices->off] = 1e3 * (result.energy - state->energy.energy);
  if (indices->drift)
    metrics[indices->drift] = state->drift;
  if (indices->settling)
    report_settling(state, metrics + indices->settling);
  if (indices->pretraining)
    metrics[indices->pretraining] = state->last_loss;
}

/* Returns S^2 minus s (s + 1) in standard errors; a psi whose S^2 is the same in every walker has an exact one. */
static double
find_spin_excess(const LacQuantumState *state)
{
  const LacObserved spin = lac_observables_get_spin_squared(state->measured.observables);
  const double      s = 0.5 * ((double) state->molecule->n_up - (double) state->molecule->n_down);
  const double      excess = spin.value - s * (s + 1);

  if (fabs(excess) < EXACT_SPIN || !(spin.error > 0))
    return 0;
  return excess / spin.error;
}

void
lac_quantum_report_observables(LacQuantumState *state, double *metrics)
{
  const LacQuantumIndices *indices = &state->indices;

  if (indices->dipole) {
    double length = 0, error = 0;

    for (guint c = 0; c < 3; c++) {
      const LacObserved along = lac_observables_get_dipole(state->measured.observables, c);

      length += along.value * along.value;
      error += along.error * along.error;
    }
    metrics[indices->dipole] = LAC_DEBYE_PER_ATOMIC_UNIT * sqrt(length);
    metrics[indices->dipole_error] = LAC_DEBYE_PER_ATOMIC_UNIT * sqrt(error);
  }
  if (indices->stretch) {
    const LacObserved force = lac_stretch_find(state->views.stretch);

    metrics[indices->stretch] = force.value;
    metrics[indices->stretch_error] = force.error;
  }
  if (indices->spin) {
    const LacObserved spin = lac_observables_get_spin_squared(state->measured.observables);

    metrics[indices->spin] = spin.value;
    metrics[indices->spin_error] = spin.error;
  }
  if (indices->forbidden)
    metrics[indices->forbidden] = lac_observables_get_forbidden_dipole(state->measured.observables);
  if (indices->excess)
    metrics[indices->excess] = find_spin_excess(state);
}

void
lac_quantum_report_space(const LacQuantumState *state, double *metrics)
{
  const LacQuantumIndices *indices = &state->indices;

  if (indices->inside)
    metrics[indices->inside] = lac_density_get_inside(state->views.density);
  if (indices->cusp) {
    const LacObserved cusp = lac_pair_cusp_find(state->views.cusp);

    metrics[indices->cusp] = cusp.value;
    metrics[indices->cusp_error] = cusp.error;
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

/* Returns the standard error of the mean of @series, [n], overwritten, whose neighbours are correlated. Where the
 * series is too short to tell how much, the error is unknown below its standard deviation. */
static double
find_error(double *series, gint64 n, double *mean)
{
  double      square = 0;
  LacBlocking blocking;

  *mean = 0;
  for (gint64 i = 0; i < n; i++)
    *mean += series[i] / (double) n;
  for (gint64 i = 0; i < n; i++)
    square += (series[i] - *mean) * (series[i] - *mean) / (double) (n - 1);
  lac_blocking_find(series, (gsize) n, &blocking);
  return isfinite(blocking.error) && blocking.has_settled ? blocking.error : sqrt(square);
}

LacQuantumSettling
lac_quantum_find_settling(const double *trail, gint64 n, double *scratch)
{
  const gint64 quarter = n / 4;
  double       mean[2], squares = 0;

  if (quarter < 2)
    return (LacQuantumSettling){NAN, NAN};
  for (guint part = 0; part < 2; part++) {
    memcpy(scratch, trail + n - (gint64) (2 - part) * quarter, (gsize) quarter * sizeof *scratch);
    squares += pow(find_error(scratch, quarter, &mean[part]), 2);
  }
  return (LacQuantumSettling){mean[1] - mean[0], 2 * sqrt(squares)};
}
