/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment/flow/methods/enkf-weights.h"

#include "backend/dense.h"

#include <math.h>
#include <string.h>

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
  if (kind == LAC_ENKF_SQUARE_ROOT || kind == LAC_ENKF_LOCAL)
    return find_square_root(input, work, weights);
  fill_innovations(input, kind == LAC_ENKF_STOCHASTIC ? rng : NULL,
                   kind == LAC_ENKF_STOCHASTIC ? 1 : 0.5, weights);
  return lac_dense_cholesky_solve(input->covariance, input->m, weights, input->n_members);
}

/* ---- one point ---- */

/* Fills @scaled, [n_members][m], and @innovations, [m], with the values used. Returns: their number. */
static gsize
scale_values(const LacEnkfInput *input, const double *taper, double *scaled, double *innovations)
{
  const gsize n_members = input->n_members;
  gsize       m = 0;

  for (gsize k = 0; k < input->m; k++)
    m += taper[k] > 0;
  for (gsize k = 0, to = 0; k < input->m; k++) {
    const double root = sqrt(taper[k]) / input->deviations[k];

    if (!(taper[k] > 0))
      continue;
    innovations[to] = root * (input->values[k] - input->mean[k]);
    for (gsize e = 0; e < n_members; e++)
      scaled[e * m + to] =
        root * input->anomalies[e * input->m + k] / sqrt((double) (n_members - 1));
    to++;
  }
  return m;
}

/* Computes U^T diag(factors) U from eigenvectors in rows. */
static void
combine(const double *u, const double *factors, gsize n, double *matrix)
{
  for (gsize j = 0; j < n; j++)
    for (gsize k = 0; k <= j; k++) {
      double sum = 0;

      for (gsize i = 0; i < n; i++)
        sum += factors[i] * u[i * n + j] * u[i * n + k];
      matrix[j * n + k] = matrix[k * n + j] = sum;
    }
}

/* Computes the correction of the mean: U^T (1 + s^2)^-1 U x / sqrt(N - 1). */
static void
find_mean(const double *u,
          const double *squares,
          gsize         n,
          gsize         n_members,
          const double *x,
          double       *mean)
{
  memset(mean, 0, n * sizeof *mean);
  for (gsize i = 0; i < n; i++) {
    double share = 0;

    for (gsize k = 0; k < n; k++)
      share += u[i * n + k] * x[k];
    share /= (1 + squares[i]) * sqrt((double) (n_members - 1));
    for (gsize k = 0; k < n; k++)
      mean[k] += share * u[i * n + k];
  }
}

gboolean
lac_enkf_find_transform(const LacEnkfInput *input,
                        const double       *taper,
                        double             *work,
                        LacEnkfTransform   *transform)
{
  const gsize   n_members = input->n_members;
  double *const scaled = work, *const innovations = scaled + n_members * input->m;
  const gsize    m = scale_values(input, taper, scaled, innovations), rank = MIN(m, n_members);
  const gboolean in_members = rank < m;
  double *const  right = innovations + input->m; /* [n_members] */
  double *const u = right + n_members, *const matrix = u + rank * rank;
  double *const squares = matrix + rank * rank, *const mean = squares + rank;
  double *const product = mean + rank, *const rest = product + rank;

  *transform = (LacEnkfTransform){n_members, m, rank, scaled, matrix, mean, product};
  if (rank == 0)
    return TRUE;
  if (in_members)
    lac_dense_gemm(FALSE, TRUE, rank, rank, m, 1, scaled, m, scaled, m, 0, u, rank);
  else
    lac_dense_gemm(TRUE, FALSE, rank, rank, n_members, 1, scaled, m, scaled, m, 0, u, rank);
  for (gsize i = 0; i < rank; i++)
    if (!isfinite(u[i * rank + i]))
      return FALSE;
  if (!lac_dense_eigh_within(u, rank, squares, rest))
    return FALSE;
  for (gsize e = 0; e < n_members && in_members; e++) {
    right[e] = 0;
    for (gsize k = 0; k < m; k++)
      right[e] += scaled[e * m + k] * innovations[k];
  }
  for (gsize i = 0; i < rank; i++)
    squares[i] = fmax(squares[i], 0);
  find_mean(u, squares, rank, n_members, in_members ? right : innovations, mean);
  /* T - 1 = S^T M S with M = ((1 + s^2)^-1/2 - 1) / s^2 among the values, M itself s^2 times it among the members */
  for (gsize i = 0; i < rank; i++) {
    const double root = sqrt(1 + squares[i]);

    squares[i] = -(in_members ? squares[i] : 1) / (root * (1 + root));
  }
  combine(u, squares, rank, matrix);
  return TRUE;
}

double
lac_enkf_apply_transform(const LacEnkfTransform *transform, double *anomalies, gsize stride)
{
  const gsize    n_members = transform->n_members, m = transform->m, rank = transform->rank;
  const gboolean in_members = rank < m;
  double        *product = transform->product;
  double         mean = 0;

  for (gsize k = 0; k < rank; k++) { /* the anomalies among the values: S a */
    product[k] = in_members ? anomalies[k * stride] : 0;
    for (gsize e = 0; e < n_members && !in_members; e++)
      product[k] += transform->scaled[e * m + k] * anomalies[e * stride];
    mean += product[k] * transform->mean[k];
  }
  for (gsize k = 0; k < rank; k++) {
    double sum = 0;

    for (gsize i = 0; i < rank; i++)
      sum += transform->matrix[k * rank + i] * product[i];
    if (in_members)
      anomalies[k * stride] += sum;
    for (gsize e = 0; e < n_members && !in_members; e++)
      anomalies[e * stride] += transform->scaled[e * m + k] * sum;
  }
  return mean;
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
