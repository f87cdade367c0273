/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wavefunction: size, exact solutions, antisymmetry, and the forward Laplacian compared with differences. */
#include "base/error.h"
#include "experiment/quantum/helpers/electrons.h"
#include "field/molecule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Full determinants, no Jastrow factor; 32x8 L1 K1, 64x8 L2 K2, 256x32 L4 K16 (widths, layers L, determinants K) */
static const struct {
  guint n_nuclei, n_up, n_down;
  gsize n_params[3];
} counts[] = {
  {1, 1, 0, {450, 9772, 428288}},    {2, 1, 1, {1200, 16072, 667104}},
  {1, 1, 1, {808, 15288, 663904}},   {1, 2, 1, {876, 15552, 672160}},
  {2, 2, 2, {1344, 16616, 683744}},  {1, 2, 2, {944, 15816, 680416}},
  {1, 4, 2, {1080, 16344, 696928}},  {4, 2, 2, {2144, 18216, 690400}},
  {10, 5, 5, {5168, 25032, 763360}}, {1, 5, 5, {1352, 17400, 729952}},
  {2, 3, 3, {1488, 17160, 700384}},  {2, 7, 7, {2064, 19336, 766944}},
  {5, 5, 5, {3048, 20792, 744800}},  {6, 8, 8, {4000, 23464, 799968}},
};

static gsize
count_params(guint n_nuclei, guint n_up, guint n_down, const LacAnsatz *ansatz)
{
  LacNucleus             nuclei[10] = {0};
  g_autoptr(LacMolecule) molecule = NULL;

  for (guint a = 0; a < n_nuclei; a++)
    nuclei[a] = (LacNucleus){1, {0, 0, a}};
  molecule = lac_molecule_new("M", n_nuclei, nuclei, n_up, n_down);
  g_autoptr(LacWavefunction) wavefunction =
    lac_wavefunction_new(molecule, ansatz, "f32", NULL, NULL);
  return lac_wavefunction_get_n_params(wavefunction);
}

static void
test_counts(void)
{
  static const LacAnsatz ansatz[] = {
    {32, 8, 1, 1, TRUE, FALSE, FALSE},
    {64, 8, 2, 2, TRUE, FALSE, FALSE},
    {256, 32, 4, 16, TRUE, FALSE, FALSE},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(counts); i++)
    for (gsize k = 0; k < G_N_ELEMENTS(ansatz); k++)
      g_assert_cmpuint(
        count_params(counts[i].n_nuclei, counts[i].n_up, counts[i].n_down, &ansatz[k]), ==,
        counts[i].n_params[k]);
  g_assert_cmpuint(count_params(2, 1, 1, &(LacAnsatz){64, 8, 2, 2, FALSE, FALSE, FALSE}), ==,
                   15800);
  g_assert_cmpuint(count_params(2, 1, 1, &(LacAnsatz){256, 32, 4, 16, FALSE, TRUE, FALSE}), ==,
                   658784 + 2);
}

/* Blocks cover theta without a gap. */
static void
test_blocks(void)
{
  for (gsize i = 0; i < LAC_N_SMALL_SYSTEMS; i++) {
    g_autoptr(LacWavefunction) wavefunction =
      lac_electron_system_new(&lac_electron_systems[i], "f64", NULL);
    gsize                    n_blocks, next = 0;
    const LacParameterBlock *blocks = lac_wavefunction_get_blocks(wavefunction, &n_blocks);

    for (gsize k = 0; k < n_blocks; k++) {
      g_assert_cmpuint(blocks[k].offset, ==, next);
      next += blocks[k].rows * blocks[k].columns;
    }
    g_assert_cmpuint(next, ==, lac_wavefunction_get_n_params(wavefunction));
  }
}

/* Zero weights leave one constant channel, tanh of its bias: psi = tanh(1) e^(-sigma r), T + V = -sigma^2 / 2 for Z =
 * sigma. */
static void
test_hydrogen(gconstpointer data)
{
  const char             *precision = data;
  const double            tolerance = g_str_equal(precision, "f64") ? 1e-12 : 1e-6;
  const LacElectronSystem system = {
    "H", 1, 1, 0, {{1, {0, 0, 0}}}, {16, 4, 1, 1, TRUE, FALSE, FALSE}};
  g_autoptr(LacWavefunction) wavefunction = lac_electron_system_new(&system, precision, NULL);
  gsize                      n_blocks;
  const LacParameterBlock   *blocks = lac_wavefunction_get_blocks(wavefunction, &n_blocks);
  const gsize                n = 41, n_params = lac_wavefunction_get_n_params(wavefunction);
  g_autofree double         *theta = g_new0(double, n_params);
  g_autofree double         *walkers = lac_electron_system_walkers(&system, 3, n);
  g_autofree double         *kinetic = g_new(double, n), *gradient = g_new(double, 3 * n);
  g_autofree double         *log_abs = g_new(double, n);

  g_assert_cmpuint(n_blocks, ==, 4);
  theta[blocks[0].offset + (blocks[0].rows - 1) * blocks[0].columns] = 1;
  theta[blocks[1].offset] = 1;
  theta[blocks[2].offset] = 1;
  for (double sigma = 1; sigma < 2.5; sigma++) {
    theta[blocks[3].offset] = sigma;
    lac_wavefunction_local(
      wavefunction, theta, walkers, n,
      &(LacLocal){.log_abs = log_abs, .gradient = gradient, .kinetic = kinetic});
    for (gsize b = 0; b < n; b++) {
      const double *x = walkers + 3 * b, r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
      g_assert_cmpfloat_with_epsilon(log_abs[b], log(tanh(1)) - sigma * r, 8 * tolerance);
      g_assert_cmpfloat_with_epsilon(kinetic[b] - sigma / r, -sigma * sigma / 2, 8 * tolerance);
      for (gsize c = 0; c < 3; c++)
        g_assert_cmpfloat_with_epsilon(gradient[3 * b + c], -sigma * x[c] / r, 4 * tolerance);
    }
  }
}

/* Two non-interacting electrons, each with its own envelope: their energies add. */
static void
test_independent(void)
{
  const LacElectronSystem system = {
    "He", 1, 1, 1, {{2, {0, 0, 0}}}, {16, 4, 2, 1, FALSE, FALSE, FALSE}};
  static const double        sigma[] = {1.7, 2.3};
  g_autoptr(LacWavefunction) wavefunction = lac_electron_system_new(&system, "f64", NULL);
  gsize                      n_blocks;
  const LacParameterBlock   *blocks = lac_wavefunction_get_blocks(wavefunction, &n_blocks);
  const gsize                n = 33, last = 2; /* index of the last layer's block */
  g_autofree double         *theta = g_new0(double, lac_wavefunction_get_n_params(wavefunction));
  g_autofree double         *walkers = lac_electron_system_walkers(&system, 3, n),
                    *kinetic = g_new(double, n);

  g_assert_cmpuint(n_blocks, ==, 9);
  theta[blocks[last].offset + (blocks[last].rows - 1) * blocks[last].columns] = 1;
  for (gsize s = 0; s < 2; s++) {
    theta[blocks[3 + 3 * s].offset] = 1;
    theta[blocks[4 + 3 * s].offset] = 1;
    theta[blocks[5 + 3 * s].offset] = sigma[s];
  }
  lac_wavefunction_local(wavefunction, theta, walkers, n, &(LacLocal){.kinetic = kinetic});
  for (gsize b = 0; b < n; b++) {
    double expected = 0;
    for (gsize s = 0; s < 2; s++) {
      const double *x = walkers + 6 * b + 3 * s;
      const double  r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
      expected += sigma[s] / r - sigma[s] * sigma[s] / 2;
    }
    g_assert_cmpfloat_with_epsilon(kinetic[b], expected, 1e-11);
  }
}

static void
swap_electrons(double *walker, gsize i, gsize j)
{
  for (gsize c = 0; c < 3; c++) {
    const double kept = walker[3 * i + c];
    walker[3 * i + c] = walker[3 * j + c];
    walker[3 * j + c] = kept;
  }
}

static void
test_antisymmetry(void)
{
  for (gsize s = 0; s < LAC_N_SMALL_SYSTEMS; s++) {
    const gsize n_up = lac_electron_systems[s].n_up, n = n_up + lac_electron_systems[s].n_down;
    g_autoptr(LacWavefunction) wavefunction =
      lac_electron_system_new(&lac_electron_systems[s], "f64", NULL);
    g_autofree double *theta = lac_electron_system_theta(wavefunction, 4, 0.1);
    g_autofree double *walker = lac_electron_system_walkers(&lac_electron_systems[s], 5, 1);
    double             before, after;
    gint8              sign_before, sign_after;

    lac_wavefunction_value(wavefunction, theta, walker, 1, &before, &sign_before);
    for (gsize i = 0; i < n; i++)
      for (gsize j = i + 1; j < n; j++) {
        if ((i < n_up) != (j < n_up))
          continue;
        swap_electrons(walker, i, j);
        lac_wavefunction_value(wavefunction, theta, walker, 1, &after, &sign_after);
        g_assert_cmpint(sign_after, ==, -sign_before);
        g_assert_cmpfloat_with_epsilon(after, before, 1e-9);
        swap_electrons(walker, i, j);
      }
  }
}

typedef struct {
  LacWavefunction *wavefunction;
  const double    *theta;
  double          *walker, *moved, origin;
} Move;

static double
move(double x, gpointer data)
{
  Move *move = data;

  *move->moved = move->origin + x;
  return log_abs_at(move->wavefunction, move->theta, move->walker);
}

/* Differences of width 0.004, 0.008 and 0.016 have an error of some 1e-10 of log |psi| in the second derivative. */
static void
test_local(gconstpointer data)
{
  const LacElectronSystem   *system = data;
  const gsize                n = 3 * (system->n_up + system->n_down), n_walkers = 3;
  g_autoptr(LacWavefunction) wavefunction = lac_electron_system_new(system, "f64", NULL);
  g_autofree double         *theta = lac_electron_system_theta(wavefunction, 7, 0.05);
  g_autofree double         *walkers = lac_electron_system_walkers(system, 8, n_walkers);
  g_autofree double *gradient = g_new(double, n_walkers *n), *kinetic = g_new(double, n_walkers);
  double             log_abs[3];
  gint8              sign[3];
  const LacLocal     out = {log_abs, sign, gradient, kinetic};

  lac_wavefunction_local(wavefunction, theta, walkers, n_walkers, &out);
  for (gsize b = 0; b < n_walkers; b++) {
    double *walker = walkers + b * n, sum = 0, size = 1, value;
    gint8   value_sign;

    lac_wavefunction_value(wavefunction, theta, walker, 1, &value, &value_sign);
    g_assert_cmpfloat_with_epsilon(log_abs[b], value, 1e-11);
    g_assert_cmpint(sign[b], ==, value_sign);
    for (gsize i = 0; i < n; i++) {
      Move   moves = {wavefunction, theta, walker, walker + i, walker[i]};
      double first, second;

      curve_derivatives(move, &moves, 0.004, &first, &second);
      walker[i] = moves.origin;
      sum -= 0.5 * (second + first * first);
      size += fabs(second) + first * first;
      g_assert_cmpfloat_with_epsilon(gradient[b * n + i], first, 1e-7 * (1 + fabs(first)));
    }
    g_assert_cmpfloat_with_epsilon(kinetic[b], sum, 1e-6 * size);
  }
}

/* Sums do not depend on the number of threads, nor on the number of other walkers. */
static void
test_threads(gconstpointer data)
{
  const char                *precision = data;
  const LacElectronSystem   *system = &lac_electron_systems[7];
  const gsize                n = 83, width = 3 * (system->n_up + system->n_down);
  g_autoptr(LacPool)         pool = lac_pool_new(3);
  g_autoptr(LacWavefunction) one = lac_electron_system_new(system, precision, NULL);
  g_autoptr(LacWavefunction) three = lac_electron_system_new(system, precision, pool);
  g_autofree double         *theta = lac_electron_system_theta(one, 11, 0.1);
  g_autofree double         *walkers = lac_electron_system_walkers(system, 12, n);
  g_autofree double         *a = g_new(double, n *(width + 2)), *b = g_new(double, n *(width + 2));

  lac_wavefunction_local(one, theta, walkers, n,
                         &(LacLocal){.log_abs = a, .kinetic = a + n, .gradient = a + 2 * n});
  lac_wavefunction_local(three, theta, walkers, n,
                         &(LacLocal){.log_abs = b, .kinetic = b + n, .gradient = b + 2 * n});
  g_assert_cmpmem(a, n * (width + 2) * sizeof *a, b, n * (width + 2) * sizeof *b);
  lac_wavefunction_local(three, theta, walkers + 50 * width, 1,
                         &(LacLocal){.log_abs = b, .kinetic = b + 1});
  g_assert_cmpfloat(b[0], ==, a[50]);
  g_assert_cmpfloat(b[1], ==, a[n + 50]);
}

static int
compare_numbers(const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* Single precision has an error of some 1e-7 of log |psi| and some 1e-6 of the terms of a local energy; more near
 * nodes, where determinants cancel, so that the test checks quantiles. */
static void
test_single_precision(gconstpointer data)
{
  const LacElectronSystem   *system = data;
  const gsize                n = 512;
  g_autoptr(LacWavefunction) narrow = lac_electron_system_new(system, "f32", NULL);
  g_autoptr(LacWavefunction) wide = lac_electron_system_new(system, "f64", NULL);
  g_autofree double         *theta = lac_electron_system_theta(wide, 21, 0);
  g_autofree double         *walkers = lac_electron_system_walkers(system, 22, n);
  g_autofree double         *a = g_new(double, 2 * n), *b = g_new(double, 2 * n);

  lac_wavefunction_local(wide, theta, walkers, n, &(LacLocal){.log_abs = a, .kinetic = a + n});
  lac_wavefunction_local(narrow, theta, walkers, n, &(LacLocal){.log_abs = b, .kinetic = b + n});
  for (gsize i = 0; i < 2 * n; i++)
    b[i] = fabs(a[i] - b[i]) / (1 + fabs(a[i]));
  qsort(b, n, sizeof *b, compare_numbers);
  qsort(b + n, n, sizeof *b, compare_numbers);
  g_test_message("log |psi|: median %g, nine in ten %g; T: %g, %g", b[n / 2], b[9 * n / 10],
                 b[n + n / 2], b[n + 9 * n / 10]);
  g_assert_cmpfloat(b[n / 2], <, 5e-7);
  g_assert_cmpfloat(b[9 * n / 10], <, 4e-6);
  g_assert_cmpfloat(b[n + n / 2], <, 3e-6);
  g_assert_cmpfloat(b[n + 9 * n / 10], <, 2e-5);
}

static void
test_refusals(void)
{
  g_autoptr(GError) error = NULL;

  g_assert_false(lac_ansatz_check(&(LacAnsatz){64, 8, 0, 2, TRUE}, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  g_clear_error(&error);
  g_assert_false(lac_ansatz_check(&(LacAnsatz){0, 8, 2, 2, TRUE}, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  g_clear_error(&error);
  g_assert_false(lac_ansatz_check(&(LacAnsatz){64, 8, 2, 100000, TRUE}, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/quantum/wavefunction/counts-of-parameters-are-the-published-ones", test_counts);
  g_test_add_func("/quantum/wavefunction/blocks-cover-the-parameters", test_blocks);
  g_test_add_data_func("/quantum/wavefunction/an-exponential-has-a-constant-local-energy/f64",
                       "f64", test_hydrogen);
  g_test_add_data_func("/quantum/wavefunction/an-exponential-has-a-constant-local-energy/f32",
                       "f32", test_hydrogen);
  g_test_add_func("/quantum/wavefunction/independent-electrons-add-up", test_independent);
  g_test_add_func("/quantum/wavefunction/swapping-like-electrons-changes-the-sign-alone",
                  test_antisymmetry);
  for (gsize i = 0; i < LAC_N_SMALL_SYSTEMS; i++) {
    g_autofree char *name =
      g_strdup_printf("/quantum/wavefunction/derivatives-are-those-of-the-value/%zu", i);
    g_test_add_data_func(name, &lac_electron_systems[i], test_local);
  }
  g_test_add_data_func("/quantum/wavefunction/threads-and-company-change-no-bit/f64", "f64",
                       test_threads);
  g_test_add_data_func("/quantum/wavefunction/threads-and-company-change-no-bit/f32", "f32",
                       test_threads);
  g_test_add_data_func("/quantum/wavefunction/single-precision-is-ample/H2",
                       &lac_electron_systems[3], test_single_precision);
  g_test_add_data_func("/quantum/wavefunction/single-precision-is-ample/LiH",
                       &lac_electron_systems[7], test_single_precision);
  g_test_add_data_func("/quantum/wavefunction/single-precision-is-ample/Be",
                       &lac_electron_systems[8], test_single_precision);
  g_test_add_func("/quantum/wavefunction/an-impossible-ansatz-is-refused", test_refusals);
  return g_test_run();
}
