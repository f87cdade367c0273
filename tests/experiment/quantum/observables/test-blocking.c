/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error bars of series with a correlation known in closed form: x_t = phi x_(t-1) + noise. */
#include "base/rng.h"
#include "experiment/quantum/observables/blocking.h"

#include <glib.h>

#include <math.h>

/* Returns a series with variance 1 at every t. */
static double *
make_series(gsize n, double phi, guint64 seed)
{
  LacRng  rng = lac_rng(seed, 1);
  double *series = g_new(double, n);

  series[0] = lac_rng_normal(&rng);
  for (gsize t = 1; t < n; t++)
    series[t] = phi * series[t - 1] + sqrt(1 - phi * phi) * lac_rng_normal(&rng);
  return series;
}

/* The variance of the mean is (1 + phi) / (1 - phi) times that of independent samples. */
static void
test_known_correlation(void)
{
  const double phis[] = {0, 0.5, 0.9, -0.5};
  const gsize  n = 1 << 18;

  for (guint i = 0; i < G_N_ELEMENTS(phis); i++) {
    g_autofree double *series = make_series(n, phis[i], i);
    double             tau = (1 + phis[i]) / (1 - phis[i]), expected = sqrt(tau / (double) n);
    LacBlocking        blocking;

    lac_blocking_find(series, n, &blocking);
    g_assert_true(blocking.has_settled);
    /* Neighbouring blocks are still slightly correlated: by tau divided by their length, below 5 % here. */
    g_assert_cmpfloat_with_epsilon(blocking.error, expected,
                                   4 * blocking.error_of_error + 0.05 * expected);
    g_assert_cmpfloat_with_epsilon(blocking.correlation, tau, 0.2 * tau);
    g_assert_cmpfloat(fabs(blocking.mean), <, 4.5 * expected);
  }
}

/* In 95.4 % of 400 series the mean is within two errors: binomial spread 1 %, and the errors are estimates
 * themselves. */
static void
test_coverage(void)
{
  const guint n_series = 400;
  guint       n_within = 0;

  for (guint i = 0; i < n_series; i++) {
    g_autofree double *series = make_series(4096, 0.8, 100 + i);
    LacBlocking        blocking;

    lac_blocking_find(series, 4096, &blocking);
    n_within += fabs(blocking.mean) < 2 * blocking.error;
  }
  g_assert_cmpuint(n_within, >=, n_series * 90 / 100);
  g_assert_cmpuint(n_within, <=, n_series * 99 / 100);
}

static void
test_short_series(void)
{
  g_autofree double *series = make_series(64, 0.99, 7);
  double             two[] = {1, 3}, one[] = {5};
  LacBlocking        blocking;

  lac_blocking_find(series, 64, &blocking);
  g_assert_false(blocking.has_settled);
  lac_blocking_find(two, 2, &blocking);
  g_assert_cmpfloat(blocking.mean, ==, 2);
  g_assert_cmpfloat_with_epsilon(blocking.error, 1, 1e-15);
  lac_blocking_find(one, 1, &blocking);
  g_assert_cmpfloat(blocking.mean, ==, 5);
  g_assert_true(isnan(blocking.error));
  lac_blocking_find(NULL, 0, &blocking);
  g_assert_true(isnan(blocking.mean));
}

static void
test_constant_series(void)
{
  double      series[256];
  LacBlocking blocking;

  for (guint i = 0; i < 256; i++)
    series[i] = -0.5;
  lac_blocking_find(series, 256, &blocking);
  g_assert_cmpfloat(blocking.mean, ==, -0.5);
  g_assert_cmpfloat(blocking.error, ==, 0);
  g_assert_true(blocking.has_settled);
}

int
main(int argc, char *argv[])
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/quantum/blocking/a-known-correlation-is-found", test_known_correlation);
  g_test_add_func("/quantum/blocking/errors-cover-what-they-promise", test_coverage);
  g_test_add_func("/quantum/blocking/a-series-too-short-says-so", test_short_series);
  g_test_add_func("/quantum/blocking/a-constant-has-no-error", test_constant_series);
  return g_test_run();
}
