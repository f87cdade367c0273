/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hartree-Fock: integrals against closed forms, energies against an independent program, orbitals against their
 * norms. */
#include "base/error.h"
#include "experiment/quantum/hartree-fock/hartree-fock-private.h"
#include "experiment/quantum/molecules.h"

#include <glib.h>

#include <math.h>
#include <string.h>

static LacPool *pool;

static LacHartreeFock *
solve(const char *name, double bond, const char *basis)
{
  g_autoptr(LacMolecule) molecule = lac_known_molecule_make(lac_known_molecule_find(name), bond);
  g_autoptr(GError)      error = NULL;
  LacHartreeFock        *hf = lac_hartree_fock_new(molecule, basis, pool, &error);

  g_assert_no_error(error);
  return hf;
}

/* Checks F_0 against the error function, the others against their integral in 2000 steps of Simpson's rule. */
static void
test_boys(void)
{
  for (double x = 0; x < 60; x += 0.37) {
    double values[LAC_BOYS_ORDER + 1];

    lac_boys(LAC_BOYS_ORDER, x, values);
    for (guint n = 0; n <= LAC_BOYS_ORDER; n++) {
      const guint steps = 2000;
      double      sum = 0, lower[LAC_BOYS_ORDER + 1];

      for (guint i = 0; i <= steps; i++) {
        double t = (double) i / steps, weight = i == 0 || i == steps ? 1 : i % 2 ? 4 : 2;

        sum += weight * pow(t, 2 * n) * exp(-x * t * t) / (3 * steps);
      }
      g_assert_cmpfloat_with_epsilon(values[n], sum, 1e-10);
      lac_boys(n, x, lower);
      g_assert_cmpfloat_with_epsilon(values[n], lower[n], 1e-14);
    }
  }
}

/* Checks the norms of the basis functions. */
static void
test_overlap(void)
{
  g_autoptr(LacMolecule) molecule = lac_known_molecule_make(lac_known_molecule_find("h2o"), 0);
  const char            *names[] = {"sto-3g", "6-31g"};

  for (guint b = 0; b < G_N_ELEMENTS(names); b++) {
    LacBasis           basis;
    g_autofree double *overlap = NULL, *core = NULL;
    gsize              n;

    g_assert_true(lac_basis_build(&basis, molecule, names[b], NULL));
    n = basis.n_functions;
    g_assert_cmpuint(n, ==, b ? 13 : 7);
    overlap = g_new0(double, n *n);
    core = g_new0(double, n *n);
    lac_integrals_one(&basis, molecule, overlap, core);
    for (gsize i = 0; i < n; i++)
      g_assert_cmpfloat_with_epsilon(overlap[i * n + i], 1, 1e-13);
    lac_basis_clear(&basis);
  }
}

/* Checks overlaps by a sum over a grid, which converges exponentially for wide Gaussians: the valence shell of
 * dilithium. */
static void
test_overlap_on_a_grid(void)
{
  g_autoptr(LacMolecule) molecule = lac_known_molecule_make(lac_known_molecule_find("li2"), 3);
  const double           step = 0.4;
  const int              reach = 40;
  LacBasis               basis;
  double                 overlap[100] = {0}, core[100] = {0}, sums[100] = {0};

  g_assert_true(lac_basis_build(&basis, molecule, "sto-3g", NULL));
  g_assert_cmpuint(basis.n_functions, ==, 10);
  lac_integrals_one(&basis, molecule, overlap, core);
  for (int x = -reach; x <= reach; x++)
    for (int y = -reach; y <= reach; y++)
      for (int z = -reach; z <= reach; z++) {
        double values[10], point[3] = {step * x, step * y, step * z};

        lac_basis_values(&basis, point, values);
        for (guint i = 0; i < 100; i++)
          sums[i] += values[i / 10] * values[i % 10] * step * step * step;
      }
  for (guint i = 0; i < 100; i++)
    if (i / 10 % 5 != 0 && i % 10 % 5 != 0) /* the cores are too narrow for this grid */
      g_assert_cmpfloat_with_epsilon(sums[i], overlap[i], 1e-7);
  lac_basis_clear(&basis);
}

/* Compares with an independent program using the same exponents, to all its digits. */
static void
test_minimal_basis(void)
{
  static const struct {
    const char *name;
    double      bond, energy;
  } rows[] = {
    {"h", 0, -0.46658185},        {"h2", 1.4, -1.11671433},
    {"h2", 1.401, -1.11668563},   {"he", 0, -2.80778396},
    {"li", 0, -7.31552598},       {"be", 0, -14.35188047},
    {"b", 0, -24.14898860},       {"c", 0, -37.19839256},
    {"n", 0, -53.71901016},       {"o", 0, -73.80415019},
    {"f", 0, -97.98650500},       {"ne", 0, -126.60452500},
    {"lih", 3.015, -7.86200927},  {"li2", 5.051, -14.63872494},
    {"n2", 2.068, -107.49492524}, {"co", 2.173, -111.22539504},
    {"h10", 1.8, -5.23484158},    {"h4", 2.3224 * G_SQRT2, -1.41061669},
  };

  for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
    g_autoptr(LacHartreeFock) hf = solve(rows[i].name, rows[i].bond, "sto-3g");

    g_assert_cmpfloat_with_epsilon(lac_hartree_fock_get_energy(hf), rows[i].energy, 1e-8);
  }
}

/* Reference: PySCF 2.14.0, conv_tol 1e-12, lowest of three initial guesses. */
static void
test_split_valence(void)
{
  static const struct {
    const char *name;
    double      energy, spin_squared;
  } rows[] = {
    {"h", -0.498232911, 0.75},      {"h2", -1.126742704, 0},        {"he", -2.855160426, 0},
    {"li", -7.431235811, 0.750001}, {"be", -14.566764034, 0},       {"b", -24.519491799, 0.750438},
    {"c", -37.677837035, 2.002047}, {"n", -54.385007712, 3.754594}, {"o", -74.780309890, 2.003464},
    {"f", -99.360859542, 0.750906}, {"ne", -128.473876871, 0},      {"lih", -7.979274171, 0},
    {"li2", -14.865712117, 0},      {"n2", -108.867915022, 0},      {"co", -112.666364548, 0},
    {"h10", -5.371820854, 0},       {"h4", -1.710955612, 0},        {"h2o", -75.983997477, 0},
    {"nh3", -56.160488346, 0},      {"ch4", -40.180398787, 0},
  };

  for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
    g_autoptr(LacHartreeFock) hf = solve(rows[i].name, 0, "6-31g");

    g_assert_cmpfloat_with_epsilon(lac_hartree_fock_get_energy(hf), rows[i].energy, 2e-8);
    g_assert_cmpfloat_with_epsilon(lac_hartree_fock_get_spin_squared(hf), rows[i].spin_squared,
                                   2e-6);
  }
}

/* The water molecule of T. D. Crawford's programming projects, a common reference of many programs. */
static void
test_water(void)
{
  const LacNucleus          nuclei[] = {{8, {0, -0.143225816552, 0}},
                                        {1, {1.638036840407, 1.136548822547, 0}},
                                        {1, {-1.638036840407, 1.136548822547, 0}}};
  g_autoptr(LacMolecule)    molecule = lac_molecule_new("H2O", 3, nuclei, 5, 5);
  g_autoptr(LacHartreeFock) hf = lac_hartree_fock_new(molecule, "sto-3g", pool, NULL);

  g_assert_cmpfloat_with_epsilon(lac_hartree_fock_get_energy(hf), -74.94207989, 5e-8);
}

/* Checks that the result is invariant under rotation. */
static void
test_rotation(void)
{
  g_autoptr(LacHartreeFock) straight = solve("co", 0, "6-31g");
  const double              direction[3] = {2.0 / 7, 3.0 / 7, 6.0 / 7};
  LacNucleus                nuclei[] = {{6, {0, 0, 0}}, {8, {0, 0, 0}}};
  g_autoptr(LacMolecule)    molecule = NULL;
  g_autoptr(LacHartreeFock) turned = NULL;

  for (guint k = 0; k < 3; k++) {
    nuclei[0].position[k] = 0.3;
    nuclei[1].position[k] = 0.3 + 2.173 * direction[k];
  }
  molecule = lac_molecule_new("CO", 2, nuclei, 7, 7);
  turned = lac_hartree_fock_new(molecule, "6-31g", pool, NULL);
  g_assert_cmpfloat_with_epsilon(lac_hartree_fock_get_energy(turned),
                                 lac_hartree_fock_get_energy(straight), 1e-10);
}

/* For a single electron the orbital energy is the total energy. */
static void
test_levels(void)
{
  g_autoptr(LacHartreeFock) hydrogen = solve("h", 0, "6-31g");
  g_autoptr(LacHartreeFock) neon = solve("ne", 0, "6-31g");
  const double             *levels = lac_hartree_fock_get_levels(neon, FALSE);

  g_assert_cmpfloat_with_epsilon(lac_hartree_fock_get_levels(hydrogen, TRUE)[0],
                                 lac_hartree_fock_get_energy(hydrogen), 1e-12);
  g_assert_cmpuint(lac_hartree_fock_get_n_occupied(hydrogen, FALSE), ==, 0);
  for (guint i = 1; i < lac_hartree_fock_get_n_occupied(neon, FALSE); i++)
    g_assert_cmpfloat(levels[i - 1], <=, levels[i] + 1e-9);
}

static void
test_determinant(void)
{
  g_autoptr(LacHartreeFock) hf = solve("li", 0, "6-31g");
  const double              at[] = {0.1, 0.2, -0.3, 1.5, -0.4, 0.8, -0.2, 0.5, 0.1};
  double                    up[4], down[1], log_abs[2], both[18];

  memcpy(both, at, sizeof at);
  memcpy(both + 9, at + 3, 3 * sizeof(double));
  memcpy(both + 12, at, 3 * sizeof(double));
  memcpy(both + 15, at + 6, 3 * sizeof(double));
  lac_hartree_fock_orbitals(hf, TRUE, at, 2, up);
  lac_hartree_fock_orbitals(hf, FALSE, at + 6, 1, down);
  lac_hartree_fock_value(hf, both, 2, log_abs);
  g_assert_cmpfloat_with_epsilon(log_abs[0], log(fabs((up[0] * up[3] - up[1] * up[2]) * down[0])),
                                 1e-13);
  g_assert_cmpfloat_with_epsilon(log_abs[0], log_abs[1], 1e-13);
}

static void
test_threads(void)
{
  g_autoptr(LacPool)        wide = lac_pool_new(3);
  g_autoptr(LacMolecule)    molecule = lac_known_molecule_make(lac_known_molecule_find("o"), 0);
  g_autoptr(LacHartreeFock) one = lac_hartree_fock_new(molecule, "6-31g", pool, NULL);
  g_autoptr(LacHartreeFock) three = lac_hartree_fock_new(molecule, "6-31g", wide, NULL);

  g_assert_true(lac_hartree_fock_get_energy(one) == lac_hartree_fock_get_energy(three));
}

static void
assert_refused(guint n_up, const char *basis, int code, const char *part)
{
  const LacNucleus          nucleus = {2, {0, 0, 0}};
  g_autoptr(LacMolecule)    molecule = lac_molecule_new("He", 1, &nucleus, n_up, 2 - n_up);
  g_autoptr(GError)         error = NULL;
  g_autoptr(LacHartreeFock) hf = lac_hartree_fock_new(molecule, basis, pool, &error);

  g_assert_null(hf);
  g_assert_error(error, LAC_ERROR, code);
  g_assert_nonnull(strstr(error->message, part));
}

static void
test_refusals(void)
{
  assert_refused(1, "cc-pvdz", LAC_ERROR_UNKNOWN_KEY, "6-31g");
  assert_refused(2, "sto-3g", LAC_ERROR_OUT_OF_RANGE, "do not fit");
}

int
main(int argc, char *argv[])
{
  int status;

  g_test_init(&argc, &argv, NULL);
  pool = lac_pool_new(1);
  g_test_add_func("/quantum/hartree-fock/boys-function-is-its-integral", test_boys);
  g_test_add_func("/quantum/hartree-fock/functions-are-normalised", test_overlap);
  g_test_add_func("/quantum/hartree-fock/overlap-is-the-sum-over-a-grid", test_overlap_on_a_grid);
  g_test_add_func("/quantum/hartree-fock/energies-in-the-minimal-basis", test_minimal_basis);
  g_test_add_func("/quantum/hartree-fock/energies-in-the-split-valence-basis", test_split_valence);
  g_test_add_func("/quantum/hartree-fock/water-has-the-energy-that-others-find", test_water);
  g_test_add_func("/quantum/hartree-fock/a-turned-molecule-has-the-same-energy", test_rotation);
  g_test_add_func("/quantum/hartree-fock/levels-ascend", test_levels);
  g_test_add_func("/quantum/hartree-fock/determinant-of-its-orbitals", test_determinant);
  g_test_add_func("/quantum/hartree-fock/any-number-of-threads", test_threads);
  g_test_add_func("/quantum/hartree-fock/what-does-not-fit-is-refused", test_refusals);
  status = g_test_run();
  lac_pool_free(pool);
  return status;
}
