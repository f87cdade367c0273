/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fit of a power law: exact values, values with noise, and values that have no logarithm. */
#include "base/rng.h"
#include "perf/analysis/power-law.h"

#include <math.h>

#define N 6

static void
fill(double exponent, double noise, LacRng *rng, double *sizes, double *values)
{
  for (gsize i = 0; i < N; i++) {
    sizes[i] = 32 * pow(2, (double) i);
    values[i] = 3e-7 * pow(sizes[i], exponent);
    if (noise > 0)
      values[i] *= exp(noise * lac_rng_normal(rng));
  }
}

static void
test_exact(void)
{
  static const double exponents[] = {0, 0.5, 1, 2.2, 3, -1};

  for (gsize k = 0; k < G_N_ELEMENTS(exponents); k++) {
    double      sizes[N], values[N];
    LacPowerLaw law;

    fill(exponents[k], 0, NULL, sizes, values);
    law = lac_power_law_fit(sizes, values, N);
    g_assert_cmpfloat_with_epsilon(law.exponent, exponents[k], 1e-12);
    g_assert_cmpfloat_with_epsilon(law.factor / 3e-7, 1, 1e-10);
    g_assert_cmpfloat(law.deviation, <, 1e-12);
  }
}

/* Over many draws the exponent is unbiased, and its mean square error is the mean of the squared standard errors. With
 * 4000 draws and four degrees of freedom both are known to about 3 %; the tolerance is four of those. */
static void
test_noise(void)
{
  const guint  n_draws = 4000;
  const double noise = 0.1, exponent = 2;
  LacRng       rng = lac_rng(5, 0);
  double       bias = 0, squares = 0, variances = 0, expected = 0;

  for (guint draw = 0; draw < n_draws; draw++) {
    double      sizes[N], values[N];
    LacPowerLaw law;

    fill(exponent, noise, &rng, sizes, values);
    law = lac_power_law_fit(sizes, values, N);
    bias += (law.exponent - exponent) / n_draws;
    squares += pow(law.exponent - exponent, 2) / n_draws;
    variances += law.deviation * law.deviation / n_draws;
  }
  for (gsize i = 0; i < N; i++)
    expected += pow(log(2) * ((double) i - (N - 1) / 2.0), 2);
  expected = noise * noise / expected;
  g_assert_cmpfloat(fabs(bias), <, 4 * sqrt(expected / n_draws));
  g_assert_cmpfloat_with_epsilon(squares / expected, 1, 0.12);
  g_assert_cmpfloat_with_epsilon(variances / expected, 1, 0.12);
}

/* A lower-order term moves the exponent below that of the leading one. */
static void
test_mixture(void)
{
  double      sizes[N], values[N];
  LacPowerLaw law;

  fill(2, 0, NULL, sizes, values);
  for (gsize i = 0; i < N; i++)
    values[i] += 3e-6 * sizes[i];
  law = lac_power_law_fit(sizes, values, N);
  g_assert_cmpfloat(law.exponent, <, 2);
  g_assert_cmpfloat(law.exponent, >, 1.9);
  g_assert_cmpfloat(law.deviation, >, 0);
}

static void
test_refused(void)
{
  const double sizes[] = {1, 2, 4}, same[] = {2, 2, 2}, values[] = {1, 2, 4}, zero[] = {1, 0, 4};

  g_assert_true(isnan(lac_power_law_fit(sizes, values, 1).exponent));
  g_assert_true(isnan(lac_power_law_fit(same, values, 3).exponent));
  g_assert_true(isnan(lac_power_law_fit(sizes, zero, 3).exponent));
  g_assert_true(isnan(lac_power_law_fit(sizes, values, 2).deviation));
  g_assert_cmpfloat_with_epsilon(lac_power_law_fit(sizes, values, 2).exponent, 1, 1e-12);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/power-law/an-exact-law-is-found", test_exact);
  g_test_add_func("/perf/power-law/the-error-of-the-exponent-is-its-scatter", test_noise);
  g_test_add_func("/perf/power-law/a-lower-term-bends-it-down", test_mixture);
  g_test_add_func("/perf/power-law/what-has-no-logarithm-has-no-law", test_refused);
  return g_test_run();
}
