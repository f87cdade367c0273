/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Diagnostics of the filter: leave-one-out residuals against the conditional Gaussian; ranks, residuals and noise of
 * ensembles that are calibrated by construction, and of those with too small a spread or too small an assumed noise. */
#include "backend/dense.h"
#include "experiment/flow/methods/enkf-diagnostics.h"

#include <glib.h>

#include <math.h>
#include <string.h>

enum { M = 4, MEMBERS = 40, ANALYSES = 3000 };

/* Truth and members are A z with z normal; the noise has deviation SIGMA. */
#define SIGMA 0.5

typedef struct {
  double spread;  /* of the truth and of the members */
  double members; /* factor of the members' spread */
  double noise;   /* factor of the sensors' noise */
} Setting;

static void
draw(LacRng *rng, double factor, double *x)
{
  double last = 0;

  for (gsize k = 0; k < M; k++)
    x[k] = last = 0.6 * last + factor * lac_rng_normal(rng);
}

/* @covariance: [M][M]: that of draw(), plus the assumed noise */
static void
fill_covariance(double factor, double *covariance)
{
  for (gsize j = 0; j < M; j++)
    for (gsize k = 0; k < M; k++) {
      double sum = 0;

      for (gsize i = 0; i <= MIN(j, k); i++)
        sum += pow(0.6, (double) (j + k - 2 * i)) * factor * factor;
      covariance[j * M + k] = sum + (j == k ? SIGMA * SIGMA : 0);
    }
}

static LacEnkfDiagnostics
diagnose(const Setting *setting, gsize n)
{
  static const double deviations[M] = {SIGMA, SIGMA, SIGMA, SIGMA};
  LacRng              rng = lac_rng(5, 1), ranks = lac_rng(5, 2);
  LacEnkfDiagnostics  diagnostics = {{0}};
  double              covariance[M * M], work[LAC_ENKF_DIAGNOSTICS_WORK(M)];

  fill_covariance(setting->spread, covariance);
  for (gsize t = 0; t < n; t++) {
    double          states[MEMBERS * M], mean[M] = {0}, values[M];
    LacEnkfReadings readings = {M, MEMBERS, states, mean, values, deviations};

    draw(&rng, setting->spread, values);
    for (gsize k = 0; k < M; k++)
      values[k] += setting->noise * SIGMA * lac_rng_normal(&rng);
    for (gsize e = 0; e < MEMBERS; e++)
      draw(&rng, setting->members * setting->spread, states + e * M);
    lac_enkf_diagnostics_rank(&diagnostics, &readings, &ranks);
    lac_enkf_diagnostics_add(&diagnostics, &readings, covariance, work);
  }
  return diagnostics;
}

static void
assert_near(double value, double expected, double tolerance)
{
  g_assert_cmpfloat_with_epsilon(value, expected, tolerance);
}

static void
test_calibrated(void)
{
  const LacEnkfDiagnostics diagnostics = diagnose(&(Setting){1, 1, 1}, ANALYSES);
  double                   shares[LAC_RANK_BINS], chi_squared = 0;

  lac_enkf_diagnostics_get_ranks(&diagnostics, shares);
  for (gsize b = 0; b < LAC_RANK_BINS; b++)
    chi_squared += pow(shares[b] - 1, 2) * ANALYSES * M / LAC_RANK_BINS;
  g_assert_cmpfloat(chi_squared, <, LAC_RANK_BINS - 1 + 4 * sqrt(2. * (LAC_RANK_BINS - 1)));
  assert_near(diagnostics.left_out, 1, 0.4); /* over 50 analyses of four readings */
  assert_near(diagnostics.noise, 1, 0.4);
}

static void
test_small_spread(void)
{
  const LacEnkfDiagnostics diagnostics = diagnose(&(Setting){2, 0.3, 1}, ANALYSES);
  double                   shares[LAC_RANK_BINS];

  lac_enkf_diagnostics_get_ranks(&diagnostics, shares);
  g_assert_cmpfloat(shares[0], >, 2);
  g_assert_cmpfloat(shares[LAC_RANK_BINS - 1], >, 2);
  g_assert_cmpfloat(shares[LAC_RANK_BINS / 2], <, 0.7);
  assert_near(lac_enkf_diagnostics_get_outer(&diagnostics),
              (shares[0] + shares[LAC_RANK_BINS - 1]) / 2, 1e-12);
}

/* With a small spread the innovations are the noise. */
static void
test_noise(void)
{
  assert_near(sqrt(diagnose(&(Setting){0.01, 1, 2}, ANALYSES).noise), 2, 0.4);
  assert_near(sqrt(diagnose(&(Setting){0.01, 1, 0.5}, ANALYSES).noise), 0.5, 0.1);
}

/* Removes reading @i and predicts it from the others by elimination. */
static double
find_residual(const double *covariance, const double *d, gsize i)
{
  double s[(M - 1) * (M - 1)], right[M - 1][2], prediction = 0, variance = covariance[i * M + i];

  for (gsize j = 0, row = 0; j < M; j++) {
    if (j == i)
      continue;
    for (gsize k = 0, column = 0; k < M; k++)
      if (k != i)
        s[row * (M - 1) + column++] = covariance[j * M + k];
    right[row][0] = d[j];
    right[row++][1] = covariance[j * M + i];
  }
  g_assert_true(lac_dense_cholesky_solve(s, M - 1, right[0], 2));
  for (gsize j = 0, row = 0; j < M; j++)
    if (j != i) {
      prediction += covariance[i * M + j] * right[row][0];
      variance -= covariance[i * M + j] * right[row++][1];
    }
  return pow(d[i] - prediction, 2) / variance;
}

static void
test_leave_one_out(void)
{
  static const double   values[M] = {1.2, -0.3, 0.7, 2}, mean[M] = {0.1, 0.2, -0.5, 1};
  const LacEnkfReadings readings = {.m = M, .mean = mean, .values = values};
  LacEnkfDiagnostics    diagnostics = {{0}};
  double                covariance[M * M], d[M], work[LAC_ENKF_DIAGNOSTICS_WORK(M)], expected = 0;

  fill_covariance(1, covariance);
  for (gsize k = 0; k < M; k++)
    d[k] = values[k] - mean[k];
  for (gsize k = 0; k < M; k++)
    expected += find_residual(covariance, d, k) / M;
  lac_enkf_diagnostics_add(&diagnostics, &readings, covariance, work);
  assert_near(diagnostics.left_out, expected, 1e-12);
}

static void
test_none(void)
{
  const LacEnkfDiagnostics diagnostics = {{0}};
  double                   shares[LAC_RANK_BINS];

  lac_enkf_diagnostics_get_ranks(&diagnostics, shares);
  g_assert_true(isnan(shares[0]));
  g_assert_cmpfloat(lac_enkf_diagnostics_get_outer(&diagnostics), ==, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/enkf-diagnostics/calibrated", test_calibrated);
  g_test_add_func("/experiment/enkf-diagnostics/small-spread", test_small_spread);
  g_test_add_func("/experiment/enkf-diagnostics/noise", test_noise);
  g_test_add_func("/experiment/enkf-diagnostics/leave-one-out", test_leave_one_out);
  g_test_add_func("/experiment/enkf-diagnostics/none", test_none);
  return g_test_run();
}
