/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment/flow/methods/enkf-diagnostics.h"

#include "backend/dense.h"

#include <math.h>
#include <string.h>

/* Analyses over which the means are taken: after the filter has found the flow, its start no longer counts. */
enum { LAST_TIMES = 50 };

void
lac_enkf_diagnostics_rank(LacEnkfDiagnostics    *diagnostics,
                          const LacEnkfReadings *readings,
                          LacRng                *rng)
{
  for (gsize k = 0; k < readings->m; k++) {
    double below = lac_rng_uniform(rng);
    gsize  bin;

    for (gsize e = 0; e < readings->n_members; e++)
      below +=
        readings->states[e * readings->m + k] + readings->deviations[k] * lac_rng_normal(rng) <
        readings->values[k];
    bin = (gsize) (LAC_RANK_BINS * below / (double) (readings->n_members + 1));
    diagnostics->n_ranks[MIN(bin, LAC_RANK_BINS - 1)]++;
  }
}

void
lac_enkf_diagnostics_add(LacEnkfDiagnostics    *diagnostics,
                         const LacEnkfReadings *readings,
                         const double          *covariance,
                         double                *work)
{
  const gsize   m = readings->m, row = m + 1;
  double *const matrix = work, *const right = matrix + m * m; /* [m][row]: 1, then d */
  double left_out = 0, noise = 0, gain;

  memcpy(matrix, covariance, m * m * sizeof *matrix);
  memset(right, 0, m * row * sizeof *right);
  for (gsize k = 0; k < m; k++) {
    right[k * row + k] = 1;
    right[k * row + m] = readings->values[k] - readings->mean[k];
  }
  if (m == 0 || !lac_dense_cholesky_solve(matrix, m, right, row))
    return;
  for (gsize k = 0; k < m; k++) {
    const double weighed = right[k * row + m];

    left_out += weighed * weighed / right[k * row + k] / (double) m;
    noise += weighed * (readings->values[k] - readings->mean[k]) / (double) m;
  }
  diagnostics->n++;
  gain = 1 / (double) MIN(diagnostics->n, LAST_TIMES);
  diagnostics->left_out += gain * (left_out - diagnostics->left_out);
  diagnostics->noise += gain * (noise - diagnostics->noise);
}

void
lac_enkf_diagnostics_get_ranks(const LacEnkfDiagnostics *diagnostics, double *shares)
{
  double sum = 0;

  for (gsize b = 0; b < LAC_RANK_BINS; b++)
    sum += diagnostics->n_ranks[b];
  for (gsize b = 0; b < LAC_RANK_BINS; b++)
    shares[b] = sum > 0 ? LAC_RANK_BINS * diagnostics->n_ranks[b] / sum : (double) NAN;
}

double
lac_enkf_diagnostics_get_outer(const LacEnkfDiagnostics *diagnostics)
{
  double shares[LAC_RANK_BINS];

  if (diagnostics->n == 0)
    return 0;
  lac_enkf_diagnostics_get_ranks(diagnostics, shares);
  return (shares[0] + shares[LAC_RANK_BINS - 1]) / 2;
}
