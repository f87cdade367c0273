/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment/flow/methods/enkf-weights.h"

#include "backend/dense.h"

#include <math.h>

/* Fills @weights with D - H X: the innovation of each member, perturbed or with a part of its anomaly. */
static void
fill_innovations(const LacEnkfInput *input, LacRng *rng, double part, double *weights)
{
  const gsize n_members = input->n_members, m = input->m;

  for (gsize e = 0; e < n_members; e++)
    for (gsize k = 0; k < m; k++) {
      const double noise = rng ? input->deviations[k] * lac_rng_normal(rng) : 0;

      weights[k * n_members + e] =
        input->values[k] + noise - input->mean[k] - part * input->anomalies[e * m + k];
    }
}

/* @a: [m][m] symmetric, in place: R^-1/2 a R^-1/2 */
static void
scale(const LacEnkfInput *input, double *a)
{
  for (gsize j = 0; j < input->m; j++)
    for (gsize k = 0; k < input->m; k++)
      a[j * input->m + k] /= input->deviations[j] * input->deviations[k];
}

/* Computes R^-1/2 U^T f(T) U R^-1/2 from the eigenvectors @u in rows, scaled in place by @factors. */
static void
make_function(const LacEnkfInput *input, const double *u, const double *factors, double *result)
{
  const gsize m = input->m;

  for (gsize j = 0; j < m; j++)
    for (gsize k = 0; k < m; k++) {
      double sum = 0;

      for (gsize i = 0; i < m; i++)
        sum += factors[i] * u[i * m + j] * u[i * m + k];
      result[j * m + k] = sum;
    }
  scale(input, result);
}

static gboolean
find_square_root(const LacEnkfInput *input, double *work, double *weights)
{
  const gsize   m = input->m, n_members = input->n_members;
  double *const values = work, *const factors = values + m, *const matrix = factors + m;
  double *const u = input->covariance;

  scale(input, u);
  if (!lac_dense_eigh_within(u, m, values, matrix + m * m) || !(values[m - 1] > 0))
    return FALSE;
  for (gsize i = 0; i < m; i++)
    factors[i] = 1 / (sqrt(values[i]) * (sqrt(values[i]) + 1));
  make_function(input, u, factors, matrix);
  lac_dense_gemm(FALSE, TRUE, m, n_members, m, -1, matrix, m, input->anomalies, m, 0, weights,
                 n_members);
  for (gsize i = 0; i < m; i++)
    factors[i] = 1 / values[i];
  make_function(input, u, factors, matrix);
  for (gsize k = 0; k < m; k++) {
    double mean = 0;

    for (gsize j = 0; j < m; j++)
      mean += matrix[k * m + j] * (input->values[j] - input->mean[j]);
    for (gsize e = 0; e < n_members; e++)
      weights[k * n_members + e] += mean;
  }
  return TRUE;
}

gboolean
lac_enkf_find_weights(LacEnkfKind         kind,
                      const LacEnkfInput *input,
                      LacRng             *rng,
                      double             *work,
                      double             *weights)
{
  if (kind == LAC_ENKF_SQUARE_ROOT)
    return find_square_root(input, work, weights);
  fill_innovations(input, kind == LAC_ENKF_STOCHASTIC ? rng : NULL,
                   kind == LAC_ENKF_STOCHASTIC ? 1 : 0.5, weights);
  return lac_dense_cholesky_solve(input->covariance, input->m, weights, input->n_members);
}

void
lac_enkf_average_weights(const double *weights, gsize m, gsize n_members, double *mean)
{
  for (gsize k = 0; k < m; k++) {
    mean[k] = 0;
    for (gsize e = 0; e < n_members; e++)
      mean[k] += weights[k * n_members + e] / (double) n_members;
  }
}
