/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Potentials, clipping, blocking, geometries and Kronecker factors: small pieces with exact answers. */
#include "backend/dense.h"
#include "base/error.h"
#include "base/rng.h"
#include "experiment/quantum/methods/kfac.h"
#include "experiment/quantum/molecules.h"
#include "experiment/quantum/observables/blocking.h"
#include "experiment/quantum/observables/evaluation.h"
#include "experiment/quantum/sampling/local-energy.h"

#include <math.h>
#include <string.h>

static void
test_potential(void)
{
  const LacNucleus       nuclei[] = {{3, {0, 0, 0}}, {1, {0, 0, 3}}};
  const double           positions[] = {0, 4, 0, 0, 4, 3};
  g_autoptr(LacMolecule) molecule = lac_molecule_new("LiH", 2, nuclei, 1, 1);
  double                 attraction, repulsion;

  lac_local_energy_potential(molecule, positions, &attraction, &repulsion);
  g_assert_cmpfloat(fabs(attraction - (-3.0 / 4 - 1.0 / 5 - 3.0 / 5 - 1.0 / 4)), <, 1e-15);
  g_assert_cmpfloat(fabs(repulsion - 1.0 / 3), <, 1e-15);
}

static int
compare(gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static void
test_median(void)
{
  LacRng rng = lac_rng(3, 0);

  for (gsize n = 1; n < 60; n++) {
    double values[60], sorted[60];

    for (gsize i = 0; i < n; i++)
      values[i] = sorted[i] = floor(10 * lac_rng_uniform(&rng)); /* many ties */
    qsort(sorted, n, sizeof *sorted, compare);
    for (gsize k = 0; k < n; k += 7)
      g_assert_cmpfloat(lac_local_energy_nth(values, n, k), ==, sorted[k]);
    g_assert_cmpfloat(lac_local_energy_median(values, n), ==,
                      n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2);
  }
}

/* With one outlier and one NaN: the other energies are not clipped, and the mean includes the outlier. */
static void
test_clipping(void)
{
  enum { N = 12 };
  double         energies[N], clipped[N], scratch[N], sum = 0;
  LacEnergyBatch batch;

  for (gsize b = 0; b < N; b++)
    energies[b] = -1 + 0.01 * (double) b;
  energies[4] = NAN;
  energies[7] = 100;
  batch = lac_local_energy_clip(energies, N, 5, clipped, scratch);
  g_assert_cmpuint(batch.n_good, ==, N - 1);
  g_assert_cmpuint(batch.n_clipped, ==, 1);
  g_assert_cmpfloat(clipped[4], ==, 0);
  g_assert_cmpfloat(fabs(batch.mean - (100 - 10 + 0.01 * (66 - 4 - 7)) / (N - 1)), <, 1e-12);
  g_assert_cmpfloat(fabs(clipped[7] - clipped[0] - 5 * batch.deviation - batch.median - 1), <,
                    1e-9 + 0.2);
  for (gsize b = 0; b < N; b++)
    sum += clipped[b];
  g_assert_cmpfloat(fabs(sum), <, 1e-12);
  g_assert_cmpfloat(fabs(clipped[3] - clipped[1] - 0.02), <, 1e-12);
}

static void
test_nothing_left(void)
{
  double         energies[] = {NAN, INFINITY}, clipped[2], scratch[2];
  LacEnergyBatch batch = lac_local_energy_clip(energies, 2, 5, clipped, scratch);

  g_assert_cmpuint(batch.n_good, ==, 0);
  g_assert_cmpfloat(clipped[0], ==, 0);
  g_assert_true(isnan(batch.mean));
}

/* x_t = a x_(t-1) + noise has the correlation (1 + a) / (1 - a); the error is known to 1 / sqrt(2 blocks), tolerance:
 * four standard errors of that. */
static void
test_blocking(gconstpointer data)
{
  enum { N = 1 << 16 };
  const double       a = *(const double *) data, tau = (1 + a) / (1 - a);
  const double       expected = sqrt(tau / (1 - a * a) / N);
  g_autofree double *series = g_new(double, N);
  LacRng             rng = lac_rng(8, 1);
  LacBlocking        blocking;
  double             x = 0;

  for (gsize t = 0; t < N; t++)
    series[t] = 3 + (x = a * x + lac_rng_normal(&rng));
  lac_blocking_find(series, N, &blocking);
  g_assert_true(blocking.has_settled);
  g_assert_cmpfloat(fabs(blocking.mean - 3), <, 4 * expected);
  g_assert_cmpfloat(fabs(blocking.error - expected), <, 4 * blocking.error_of_error);
  g_assert_cmpfloat(blocking.error_of_error, <, 0.1 * blocking.error);
}

static void
test_constant_series(void)
{
  double      series[40];
  LacBlocking blocking;

  for (gsize t = 0; t < 40; t++)
    series[t] = -0.5;
  lac_blocking_find(series, 40, &blocking);
  g_assert_cmpfloat(blocking.error, <=, 1e-16);
  g_assert_cmpfloat(fabs(blocking.mean + 0.5), <, 1e-15);
  lac_blocking_find(series, 1, &blocking);
  g_assert_true(isnan(blocking.error));
}

/* Recovers given energies: mean, variance, and the virial of a pair with <V> = -2 <T>. */
static void
test_evaluation(void)
{
  enum { STEPS = 64, N = 50 };
  g_autoptr(LacEvaluation) evaluation = lac_evaluation_new(STEPS, 0.5);
  LacEvaluationResult      result;
  LacRng                   rng = lac_rng(2, 2);
  double                   kinetic[N], attraction[N], repulsion[N], sum = 0, square = 0;

  for (guint t = 0; t < STEPS; t++) {
    const LacEnergyParts parts = {kinetic, attraction, repulsion, N};

    for (guint b = 0; b < N; b++) {
      kinetic[b] = 1 + 0.1 * lac_rng_normal(&rng);
      repulsion[b] = 0.25;
      attraction[b] = -2 * kinetic[b] - 0.75;
      sum += kinetic[b];
      square += kinetic[b] * kinetic[b];
    }
    lac_evaluation_add(evaluation, &parts);
  }
  sum /= STEPS * N;
  square = (square / (STEPS * N) - sum * sum) * STEPS * N / (STEPS * N - 1);
  lac_evaluation_get_result(evaluation, &result);
  g_assert_cmpfloat(fabs(result.energy + sum), <, 1e-12);
  g_assert_cmpfloat(fabs(result.variance - square), <, 1e-12);
  g_assert_cmpfloat(fabs(result.virial - 2), <, 1e-12);
  g_assert_cmpfloat(result.virial_error, <, 1e-12);
  g_assert_cmpfloat(fabs(result.energy + 1), <, 4 * 0.1 / sqrt(STEPS * N));
  g_assert_cmpfloat(fabs(result.error - 0.1 / sqrt(STEPS * N)), <, 4 * result.error_of_error);
}

/* Batches that alternate about their mean look better than independent ones; the bar is not narrower for it. */
static void
test_least_error(void)
{
  enum { STEPS = 4096 };
  g_autoptr(LacEvaluation) evaluation = lac_evaluation_new(STEPS, 0);
  LacEvaluationResult      result;
  LacRng                   rng = lac_rng(2, 3);
  const double             zero = 0;
  double                   before = 0;

  for (guint t = 0; t < STEPS; t++) {
    const double         value = lac_rng_normal(&rng) - 0.6 * before;
    const LacEnergyParts parts = {&value, &zero, &zero, 1};

    lac_evaluation_add(evaluation, &parts);
    before = value;
  }
  lac_evaluation_get_result(evaluation, &result);
  g_assert_cmpfloat(result.correlation, <, 0.6);
  g_assert_cmpfloat(result.error, >=, 0.999 * sqrt(result.variance / STEPS));
}

/* ---- Kronecker factors ---- */

static void
fill_factor(LacRng *rng, gsize n, double *matrix)
{
  double x[8 * 8];

  for (gsize i = 0; i < n * n; i++)
    x[i] = lac_rng_normal(rng);
  lac_dense_gemm(FALSE, TRUE, n, n, n, 1, x, n, x, n, 0, matrix, n);
  for (gsize i = 0; i < n; i++)
    matrix[i * n + i] += 1;
}

/* For a linear map y = W x with Gaussian noise the Fisher matrix is exactly <x x^T> (x) 1: with nearly no damping the
 * step times that matrix is the gradient. */
static void
test_kronecker(void)
{
  enum { ROWS = 5, COLUMNS = 3, REPEATS = 4 };
  LacRng                  rng = lac_rng(6, 0);
  double                  a[ROWS * ROWS], g[COLUMNS * COLUMNS], gradient[ROWS * COLUMNS];
  double                  step[ROWS * COLUMNS], work[LAC_KRONECKER_WORK(ROWS, COLUMNS)];
  double                  left[ROWS * COLUMNS], back[ROWS * COLUMNS];
  const LacKroneckerBlock block = {ROWS, COLUMNS, REPEATS, a, g};

  fill_factor(&rng, ROWS, a);
  fill_factor(&rng, COLUMNS, g);
  for (gsize i = 0; i < ROWS * COLUMNS; i++)
    gradient[i] = lac_rng_normal(&rng);
  g_assert_true(lac_kronecker_solve(&block, 1e-20, gradient, step, work));
  lac_dense_gemm(FALSE, FALSE, ROWS, COLUMNS, ROWS, REPEATS, a, ROWS, step, COLUMNS, 0, left,
                 COLUMNS);
  lac_dense_gemm(FALSE, FALSE, ROWS, COLUMNS, COLUMNS, 1, left, COLUMNS, g, COLUMNS, 0, back,
                 COLUMNS);
  for (gsize i = 0; i < ROWS * COLUMNS; i++)
    g_assert_cmpfloat(fabs(back[i] - gradient[i]), <, 1e-6);
  a[0] = NAN;
  g_assert_false(lac_kronecker_solve(&block, 1e-3, gradient, step, work));
}

/* ---- geometries ---- */

static void
test_geometry(void)
{
  g_autoptr(GError)      error = NULL;
  guint                  n = 0;
  g_autofree LacNucleus *nuclei =
    lac_geometry_parse("O 0 0 0; h 0 1.5e0 -1 ;\n H 0, -1.5, -1;", 2, &n, &error);

  g_assert_no_error(error);
  g_assert_cmpuint(n, ==, 3);
  g_assert_cmpuint(nuclei[0].charge, ==, 8);
  g_assert_cmpuint(nuclei[1].charge, ==, 1);
  g_assert_cmpfloat(nuclei[1].position[1], ==, 3);
  g_assert_cmpfloat(nuclei[2].position[2], ==, -2);
}

static void
test_bad_geometry(void)
{
  static const char *const cases[][2] = {{"", "is empty"},
                                         {" ; ; ", "is empty"},
                                         {"Xx 0 0 0", "not a supported element"},
                                         {"H 0 0", "three coordinates"},
                                         {"H 0 0 0 0", "three coordinates"},
                                         {"H 0 0 zero", "not a number"},
                                         {"H 0 0 nan", "not a number"}};

  for (guint k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_autoptr(GError) error = NULL;
    guint             n;

    g_assert_null(lac_geometry_parse(cases[k][0], 1, &n, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
    g_assert_nonnull(strstr(error->message, cases[k][1]));
  }
}

int
main(int argc, char **argv)
{
  static const double correlations[] = {0, 0.5, 0.9};

  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/quantum/energy/potential-is-bare-coulomb", test_potential);
  g_test_add_func("/experiment/quantum/energy/median-and-ranks-are-those-of-a-sort", test_median);
  g_test_add_func("/experiment/quantum/energy/clipping-spares-the-mean", test_clipping);
  g_test_add_func("/experiment/quantum/energy/a-batch-without-numbers-says-so", test_nothing_left);
  for (guint k = 0; k < G_N_ELEMENTS(correlations); k++) {
    g_autofree char *path =
      g_strdup_printf("/experiment/quantum/blocking/correlated-series-%u-have-their-error", k);

    g_test_add_data_func(path, &correlations[k], test_blocking);
  }
  g_test_add_func("/experiment/quantum/blocking/a-constant-has-none", test_constant_series);
  g_test_add_func("/experiment/quantum/evaluation/what-is-given-comes-back", test_evaluation);
  g_test_add_func("/experiment/quantum/evaluation/no-bar-is-below-that-of-independent-samples",
                  test_least_error);
  g_test_add_func("/experiment/quantum/kfac/exact-for-a-linear-map", test_kronecker);
  g_test_add_func("/experiment/quantum/geometry/is-read-as-written", test_geometry);
  g_test_add_func("/experiment/quantum/geometry/says-which-word-is-wrong", test_bad_geometry);
  return g_test_run();
}
