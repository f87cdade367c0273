/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A wavefunction without one of its optimisations computes the same: nested differentiation is an independent
 * computation of the Laplacian. */
#include "experiment/quantum/sampling/electron-contract.h"

#include <math.h>

#define N_WALKERS 5

typedef struct {
  double *log_abs, *gradient, *kinetic, *theta_bar;
  gint8  *sign;
} Results;

static void
compute(const LacElectronSystem *system, const char *precision, guint without, Results *to)
{
  g_autoptr(GError)      error = NULL;
  g_autoptr(LacMolecule) molecule =
    lac_molecule_new("M", system->n_nuclei, system->nuclei, system->n_up, system->n_down);
  g_autoptr(LacWavefunction) wave =
    lac_wavefunction_new_without(molecule, &system->ansatz, precision, NULL, without, &error);
  g_autofree double *walkers = lac_electron_system_walkers(system, 3, N_WALKERS);
  g_autofree double *theta = lac_electron_system_theta(wave, 2, 0.2);
  g_autofree double *seed = g_new(double, N_WALKERS);
  const gsize        n = 3 * lac_wavefunction_get_n_electrons(wave);

  g_assert_no_error(error);
  for (gsize i = 0; i < N_WALKERS; i++)
    seed[i] = 1 + 0.1 * (double) i;
  to->log_abs = g_new0(double, N_WALKERS);
  to->kinetic = g_new0(double, N_WALKERS);
  to->gradient = g_new0(double, N_WALKERS *n);
  to->sign = g_new0(gint8, N_WALKERS);
  to->theta_bar = g_new0(double, lac_wavefunction_get_n_params(wave));
  lac_wavefunction_local(wave, theta, walkers, N_WALKERS,
                         &(LacLocal){to->log_abs, to->sign, to->gradient, to->kinetic});
  lac_wavefunction_tape(wave, theta, walkers, N_WALKERS, NULL, NULL);
  lac_wavefunction_gradient(wave, seed, to->theta_bar);
}

static void
clear(Results *results)
{
  g_free(results->log_abs);
  g_free(results->kinetic);
  g_free(results->gradient);
  g_free(results->theta_bar);
  g_free(results->sign);
}

static void
assert_near(const double *a, const double *b, gsize n, double tolerance)
{
  double most = 0;

  for (gsize i = 0; i < n; i++)
    most = fmax(most, fabs(a[i]));
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon(a[i], b[i], tolerance * (1 + most));
}

static void
check(guint without)
{
  static const struct {
    const char *precision;
    double      tolerance;
  } cases[] = {{"f64", 1e-9}, {"f32", 2e-3}};

  for (gsize c = 0; c < G_N_ELEMENTS(cases); c++)
    for (gsize s = 0; s < LAC_N_SMALL_SYSTEMS; s++) {
      const LacElectronSystem *system = &lac_electron_systems[s];
      const gsize              n = 3 * (system->n_up + system->n_down);
      const double             may = cases[c].tolerance;
      Results                  with, less;

      g_test_message("%s, %s", system->name, cases[c].precision);
      compute(system, cases[c].precision, 0, &with);
      compute(system, cases[c].precision, without, &less);
      assert_near(with.log_abs, less.log_abs, N_WALKERS, may);
      assert_near(with.gradient, less.gradient, N_WALKERS * n, may);
      assert_near(with.kinetic, less.kinetic, N_WALKERS, may);
      assert_near(with.theta_bar, less.theta_bar, 8, may);
      for (gsize i = 0; i < N_WALKERS; i++)
        g_assert_cmpint(with.sign[i], ==, less.sign[i]);
      clear(&with);
      clear(&less);
    }
}

static void
test_laplacian(void)
{
  check(LAC_ELECTRON_WITHOUT_LAPLACIAN);
}

static void
test_fusion(void)
{
  check(LAC_ELECTRON_WITHOUT_FUSION);
}

static void
test_vectors(void)
{
  check(LAC_ELECTRON_WITHOUT_VECTORS);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/quantum/without/nested-differentiation-is-the-forward-laplacian",
                  test_laplacian);
  g_test_add_func("/quantum/without/separate-activations-are-the-same", test_fusion);
  g_test_add_func("/quantum/without/baseline-kernels-are-the-same", test_vectors);
  return g_test_run();
}
