/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The force along the bond for wavefunctions whose energy is known in closed form, from independent samples. */
#include "experiment/quantum/helpers/electrons.h"
#include "experiment/quantum/helpers/hydrogenic.h"
#include "experiment/quantum/observables/stretch.h"
#include "experiment/quantum/sampling/local-energy.h"

#include <math.h>
#include <string.h>

enum { WALKERS = 128, BATCHES = 192 };

/* Zero weights leave one constant channel: psi = sum over nuclei of exp(-sigma r_a), one electron. */
static double *
make_exponentials(const LacWavefunction *wavefunction, guint n_nuclei, double sigma)
{
  gsize                    n_blocks;
  const LacParameterBlock *blocks = lac_wavefunction_get_blocks(wavefunction, &n_blocks);
  double                  *theta = g_new0(double, lac_wavefunction_get_n_params(wavefunction));

  theta[blocks[0].offset + (blocks[0].rows - 1) * blocks[0].columns] = 1;
  theta[blocks[1].offset] = 1;
  for (guint a = 0; a < n_nuclei; a++) {
    theta[blocks[2].offset + a] = 1;
    theta[blocks[3].offset + a] = sigma;
  }
  return theta;
}

typedef void (*Draw)(LacRng *rng, const LacElectronSystem *system, double sigma, double *at);

/* Computes the local energies of @n walkers. */
static void
find_energies(LacWavefunction *wavefunction,
              const double    *theta,
              const double    *positions,
              gsize            n,
              double          *energies)
{
  const LacMolecule *molecule = lac_wavefunction_get_molecule(wavefunction);

  lac_wavefunction_local(wavefunction, theta, positions, n, &(LacLocal){.kinetic = energies});
  for (gsize b = 0; b < n; b++) {
    double attraction, repulsion;

    lac_local_energy_potential(molecule, positions + 3 * b, &attraction, &repulsion);
    energies[b] += attraction + repulsion + lac_molecule_get_repulsion(molecule);
  }
}

static LacObserved
measure(const LacElectronSystem *system, double bond, double sigma, Draw draw)
{
  g_autoptr(LacWavefunction) wavefunction = lac_electron_system_new(system, "f64", NULL);
  const LacStretchSettings   settings = {
      .molecule = lac_wavefunction_get_molecule(wavefunction),
      .bond = bond,
      .ansatz = &system->ansatz,
      .precision = "f64",
      .n_walkers = WALKERS,
      .n_steps = BATCHES,
  };
  g_autoptr(LacStretch) stretch = lac_stretch_new(&settings, NULL);
  g_autofree double    *theta = make_exponentials(wavefunction, system->n_nuclei, sigma);
  LacRng                rng = lac_rng(21, 5);

  for (guint t = 0; t < BATCHES; t++) {
    double positions[3 * WALKERS], energies[WALKERS];

    for (guint b = 0; b < WALKERS; b++)
      draw(&rng, system, sigma, positions + 3 * b);
    find_energies(wavefunction, theta, positions, WALKERS, energies);
    lac_stretch_add(stretch, theta, positions, energies);
  }
  return lac_stretch_find(stretch);
}

static void
draw_alone(LacRng *rng, const LacElectronSystem *system, double sigma, double *at)
{
  hydrogenic_draw(rng, sigma, system->nuclei[0].position, at);
}

/* If psi is exact the variance is zero; otherwise the energy of an atom still does not depend on a bond length. */
static void
test_atom(void)
{
  const LacElectronSystem helium = {
    "He+", 1, 1, 0, {{2, {0, 0, 0}}}, {16, 4, 1, 1, TRUE, FALSE, FALSE}};
  LacObserved force = measure(&helium, 1, 2, draw_alone);

  g_assert_cmpfloat_with_epsilon(force.value, 0, 1e-9);
  g_assert_cmpfloat(force.error, <, 1e-9);
  force = measure(&helium, 1, 1.5, draw_alone);
  g_assert_cmpfloat(force.error, >, 1e-4);
  g_assert_cmpfloat_with_epsilon(force.value, 0, 4.5 * force.error);
}

/* Rejection sampling: the square of the sum is at most twice the sum of the squares. */
static void
draw_bonding(LacRng *rng, const LacElectronSystem *system, double sigma, double *at)
{
  double values[2], sum;

  do {
    hydrogenic_draw(rng, sigma, system->nuclei[lac_rng_below(rng, 2)].position, at);
    for (guint a = 0; a < 2; a++) {
      double square = 0;

      for (guint c = 0; c < 3; c++)
        square += pow(at[c] - system->nuclei[a].position[c], 2);
      values[a] = exp(-sigma * sqrt(square));
    }
    sum = values[0] + values[1];
  } while (lac_rng_uniform(rng) * 2 * (values[0] * values[0] + values[1] * values[1]) > sum * sum);
}

/* Returns the energy of exp(-r_a) + exp(-r_b). Source: L. Pauling, Chem. Rev. 5, 173 (1928). */
static double
bonding_energy(double bond)
{
  double overlap = exp(-bond) * (1 + bond + bond * bond / 3);
  double own = 1 / bond - exp(-2 * bond) * (1 + 1 / bond), shared = exp(-bond) * (1 + bond);

  return -0.5 + 1 / bond - (own + shared) / (1 + overlap);
}

/* Compares with the derivative of psi's energy, for a psi far from exact. The step of half a per cent of the bond has
 * an error of 1e-4 for a force of some tenths. */
static void
test_bond(gconstpointer data)
{
  const double bond = *(const double *) data, step = 1e-4;
  const double slope = (bonding_energy(bond + step) - bonding_energy(bond - step)) / (2 * step);
  const LacElectronSystem system = {"H2+",
                                    2,
                                    1,
                                    0,
                                    {{1, {0, 0, -bond / 2}}, {1, {0, 0, bond / 2}}},
                                    {16, 4, 1, 1, TRUE, FALSE, FALSE}};
  const LacObserved       force = measure(&system, bond, 1, draw_bonding);

  g_assert_cmpfloat(force.error, <, 0.01);
  g_assert_cmpfloat_with_epsilon(force.value, -slope, 4.5 * force.error + 2e-4);
}

static void
test_resume(void)
{
  const LacElectronSystem    system = lac_electron_systems[3];
  g_autoptr(LacWavefunction) wavefunction = lac_electron_system_new(&system, "f64", NULL);
  const LacStretchSettings   settings = {
      .molecule = lac_wavefunction_get_molecule(wavefunction),
      .bond = 1.4,
      .ansatz = &system.ansatz,
      .precision = "f64",
      .n_walkers = 8,
      .n_steps = 6,
  };
  g_autoptr(LacStretch) through = lac_stretch_new(&settings, NULL);
  g_autoptr(LacStretch) resumed = lac_stretch_new(&settings, NULL);
  g_autofree double    *theta = lac_electron_system_theta(wavefunction, 3, 0);
  g_autofree double    *state = g_new(double, lac_packing_get_length(lac_stretch_pack, through));
  double                energies[8];

  for (guint t = 0; t < 6; t++) {
    g_autofree double *walkers = lac_electron_system_walkers(&system, t, 8);

    for (guint b = 0; b < 8; b++)
      energies[b] = sin(b + t);
    if (t == 3) {
      lac_packing_save(lac_stretch_pack, through, state);
      lac_packing_load(lac_stretch_pack, resumed, state);
    }
    lac_stretch_add(through, theta, walkers, energies);
    if (t >= 3)
      lac_stretch_add(resumed, theta, walkers, energies);
  }
  g_assert_cmpfloat(lac_stretch_find(resumed).value, ==, lac_stretch_find(through).value);
  g_assert_cmpfloat(lac_stretch_find(resumed).error, ==, lac_stretch_find(through).error);
  lac_stretch_forget(resumed);
  g_assert_true(isnan(lac_stretch_find(resumed).value));
}

int
main(int argc, char **argv)
{
  static const double bonds[] = {1.2, 2, 3};

  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/quantum/stretch/an-atom-has-nothing-to-stretch", test_atom);
  for (gsize i = 0; i < G_N_ELEMENTS(bonds); i++) {
    g_autofree char *path = g_strdup_printf("/quantum/stretch/slope-of-the-energy/%zu", i);

    g_test_add_data_func(path, &bonds[i], test_bond);
  }
  g_test_add_func("/quantum/stretch/a-resumed-series-is-the-same", test_resume);
  return g_test_run();
}
