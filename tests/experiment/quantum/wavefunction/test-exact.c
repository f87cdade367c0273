/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact cases of the wavefunction: excited hydrogen, the Jastrow factor, a translated molecule. */
#include "base/rng.h"
#include "experiment/quantum/helpers/electrons.h"

#include <math.h>
#include <string.h>

/* Inputs of one electron at one nucleus: r, x, y, z, twice (itself and the mean), then four of the pair, and 1. */
enum { INPUT_R = 0, INPUT_Z = 3, N_INPUTS = 12 };

/* tanh(EPSILON x) / EPSILON equals x to 1e-9 within 5 bohr. */
#define EPSILON 1e-5

typedef struct {
  double constant, of_r, of_z; /* psi = (constant + of_r r + of_z z) exp(-r / 2) */
} Excited;

static double
find_factor(const Excited *state, const double *x)
{
  return state->constant + state->of_r * sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) +
         state->of_z * x[2];
}

/* The second level of hydrogen: E = -1/8 at every point. */
static void
test_excited(gconstpointer data)
{
  const Excited          *state = data;
  const LacElectronSystem system = {
    "H", 1, 1, 0, {{1, {0, 0, 0}}}, {16, 4, 1, 1, TRUE, FALSE, FALSE}};
  g_autoptr(LacWavefunction) wavefunction = lac_electron_system_new(&system, "f64", NULL);
  gsize                      n_blocks;
  const LacParameterBlock   *blocks = lac_wavefunction_get_blocks(wavefunction, &n_blocks);
  const gsize                n = 64;
  g_autofree double         *theta = g_new0(double, lac_wavefunction_get_n_params(wavefunction));
  g_autofree double         *walkers = lac_electron_system_walkers(&system, 3, n),
                    *kinetic = g_new(double, n);
  double *layer = theta + blocks[0].offset;

  g_assert_cmpuint(blocks[0].rows, ==, N_INPUTS + 1);
  layer[INPUT_R * blocks[0].columns] = EPSILON * state->of_r;
  layer[INPUT_Z * blocks[0].columns] = EPSILON * state->of_z;
  layer[N_INPUTS * blocks[0].columns] = EPSILON * state->constant;
  theta[blocks[1].offset] = 1 / EPSILON;
  theta[blocks[2].offset] = 1;
  theta[blocks[3].offset] = 0.5;
  lac_wavefunction_local(wavefunction, theta, walkers, n, &(LacLocal){.kinetic = kinetic});
  for (gsize b = 0; b < n; b++) {
    const double *x = walkers + 3 * b, r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    /* near the node the error of the tanh is divided by a small number */
    const double near_node = 1 + 1 / fabs(find_factor(state, x));

    g_assert_cmpfloat_with_epsilon(kinetic[b] - 1 / r, -0.125, 1e-8 * near_node);
  }
}

/* log |psi| with the factor minus that without it: the sum over pairs of -c alpha^2 / (alpha + r), c = 1/4 or 1/2. */
static void
test_jastrow(gconstpointer data)
{
  const LacElectronSystem *with = data;
  LacElectronSystem        without = *with;
  const gsize              n_electrons = with->n_up + with->n_down, n = 17;

  g_assert_true(with->ansatz.jastrow);
  without.ansatz.jastrow = FALSE;
  g_autoptr(LacWavefunction) factored = lac_electron_system_new(with, "f64", NULL);
  g_autoptr(LacWavefunction) plain = lac_electron_system_new(&without, "f64", NULL);
  const gsize                n_plain = lac_wavefunction_get_n_params(plain);
  g_autofree double         *theta = lac_electron_system_theta(factored, 5, 0);
  g_autofree double         *walkers = lac_electron_system_walkers(with, 6, n);

  g_assert_cmpuint(lac_wavefunction_get_n_params(factored), ==, n_plain + 2);
  for (double alpha = 0.5; alpha < 2; alpha += 0.5) {
    theta[n_plain] = theta[n_plain + 1] = alpha;
    for (gsize b = 0; b < n; b++) {
      const double *walker = walkers + 3 * b * n_electrons;
      double        expected = 0;

      for (gsize i = 0; i < n_electrons; i++)
        for (gsize j = 0; j < i; j++) {
          const double *p = walker + 3 * i, *q = walker + 3 * j;
          const double  r = sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
                                 (p[2] - q[2]) * (p[2] - q[2]));
          const double  cusp = (i < with->n_up) == (j < with->n_up) ? 0.25 : 0.5;

          expected -= cusp * alpha * alpha / (alpha + r);
        }
      g_assert_cmpfloat_with_epsilon(
        log_abs_at(factored, theta, walker) - log_abs_at(plain, theta, walker), expected, 1e-11);
    }
  }
}

/* Kato's condition: with orbitals constant at the point where two unlike electrons meet, log |psi| rises by half
 * their distance. */
static void
test_contact(void)
{
  const LacElectronSystem system = {
    "He", 1, 1, 1, {{2, {0, 0, 0}}}, {16, 4, 2, 1, FALSE, TRUE, FALSE}};
  g_autoptr(LacWavefunction) wavefunction = lac_electron_system_new(&system, "f64", NULL);
  gsize                      n_blocks;
  const LacParameterBlock   *blocks = lac_wavefunction_get_blocks(wavefunction, &n_blocks);
  const gsize                n_params = lac_wavefunction_get_n_params(wavefunction), last = 2;
  g_autofree double         *theta = g_new0(double, n_params);
  const double               near = 1e-6;
  double                     walker[6] = {0.7, 0.2, -0.3 + near / 2, 0.7, 0.2, -0.3 - near / 2};
  double                     gradient[6];

  theta[blocks[last].offset + (blocks[last].rows - 1) * blocks[last].columns] = 1;
  for (gsize s = 0; s < 2; s++) {
    theta[blocks[3 + 3 * s].offset] = 1;
    theta[blocks[4 + 3 * s].offset] = 1;
    theta[blocks[5 + 3 * s].offset] = 1.7;
  }
  theta[n_params - 1] = theta[n_params - 2] = 1.3;
  lac_wavefunction_local(wavefunction, theta, walker, 1, &(LacLocal){.gradient = gradient});
  g_assert_cmpfloat_with_epsilon((gradient[2] - gradient[5]) / 2, 0.5, 4 * near);
}

/* Moves nuclei and electrons together: psi depends only on distances. */
static void
test_translation(gconstpointer data)
{
  const LacElectronSystem *here = data;
  static const double      shift[3] = {0.7, -1.3, 2.9};
  const gsize              n = 9, width = 3 * (here->n_up + here->n_down);
  LacElectronSystem        there = *here;

  for (guint a = 0; a < there.n_nuclei; a++)
    for (guint c = 0; c < 3; c++)
      there.nuclei[a].position[c] += shift[c];
  g_autoptr(LacWavefunction) one = lac_electron_system_new(here, "f64", NULL);
  g_autoptr(LacWavefunction) other = lac_electron_system_new(&there, "f64", NULL);
  g_autofree double         *theta = lac_electron_system_theta(one, 7, 0.1);
  g_autofree double         *walkers = lac_electron_system_walkers(here, 8, n);
  g_autofree double         *moved = g_memdup2(walkers, n * width * sizeof *walkers);
  double                     kinetic[2][9], log_abs[2][9];

  for (gsize i = 0; i < n * width; i++)
    moved[i] += shift[i % 3];
  lac_wavefunction_local(one, theta, walkers, n,
                         &(LacLocal){.log_abs = log_abs[0], .kinetic = kinetic[0]});
  lac_wavefunction_local(other, theta, moved, n,
                         &(LacLocal){.log_abs = log_abs[1], .kinetic = kinetic[1]});
  for (gsize b = 0; b < n; b++) {
    g_assert_cmpfloat_with_epsilon(log_abs[0][b], log_abs[1][b], 1e-10);
    g_assert_cmpfloat_with_epsilon(kinetic[0][b], kinetic[1][b], 1e-8 * (1 + fabs(kinetic[0][b])));
  }
}

int
main(int argc, char **argv)
{
  static const Excited two_s = {1, -0.5, 0}, two_p = {0, 0, 1};

  g_test_init(&argc, &argv, NULL);
  g_test_add_data_func("/quantum/exact/hydrogen-in-its-second-level/2s", &two_s, test_excited);
  g_test_add_data_func("/quantum/exact/hydrogen-in-its-second-level/2p", &two_p, test_excited);
  for (gsize s = 0; s < LAC_N_SMALL_SYSTEMS; s++) {
    g_autofree char *factor = g_strdup_printf("/quantum/exact/the-jastrow-factor/%zu", s);
    g_autofree char *moved = g_strdup_printf("/quantum/exact/a-molecule-that-is-moved/%zu", s);

    if (lac_electron_systems[s].ansatz.jastrow)
      g_test_add_data_func(factor, &lac_electron_systems[s], test_jastrow);
    g_test_add_data_func(moved, &lac_electron_systems[s], test_translation);
  }
  g_test_add_func("/quantum/exact/unlike-electrons-meet-in-a-cusp", test_contact);
  return g_test_run();
}
