/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Known molecules: geometry, spin and the curve of H2. */
#include "experiment/quantum/molecules.h"

#include <glib.h>

#include <math.h>

static double
distance(const LacMolecule *molecule, guint i, guint j)
{
  double sum = 0;

  for (guint k = 0; k < 3; k++) {
    double step = molecule->nuclei[i].position[k] - molecule->nuclei[j].position[k];

    sum += step * step;
  }
  return sqrt(sum);
}

static void
test_every_molecule(void)
{
  gsize                   n_molecules;
  const LacKnownMolecule *known = lac_known_molecules(&n_molecules);

  for (gsize i = 0; i < n_molecules; i++) {
    g_autoptr(LacMolecule) molecule = lac_known_molecule_make(&known[i], 0);
    g_autofree char       *formula = lac_molecule_dup_formula(molecule->n_nuclei, molecule->nuclei);
    LacKnownEnergy         energy;
    guint                  n_up, n_down;

    g_assert_true(lac_known_molecule_find(known[i].name) == &known[i]);
    g_assert_cmpstr(formula, ==, molecule->name);
    g_assert_cmpint(lac_molecule_get_charge(molecule), ==, 0);
    g_assert_true(lac_nuclei_check(molecule->n_nuclei, molecule->nuclei, NULL));
    g_assert_true(lac_molecule_occupy(molecule->n_nuclei, molecule->nuclei, 0,
                                      (int) known[i].n_unpaired, &n_up, &n_down, NULL));
    g_assert_cmpuint(n_up, ==, molecule->n_up);
    g_assert_cmpuint(n_down, ==, molecule->n_down);
    g_assert_true(lac_known_molecule_energy(&known[i], 0, &energy));
    g_assert_cmpfloat_with_epsilon(energy.energy, known[i].energy, known[i].energy_error + 1e-12);
    /* The best energy is below the Hartree-Fock limit, by at most a few per cent. */
    if (isfinite(known[i].hartree_fock)) {
      g_assert_cmpfloat(energy.energy, <=, known[i].hartree_fock);
      g_assert_cmpfloat(energy.energy, >, 1.04 * known[i].hartree_fock);
    }
  }
  g_assert_null(lac_known_molecule_find("xyz"));
}

static void
test_shapes(void)
{
  g_autoptr(LacMolecule) water = lac_known_molecule_make(lac_known_molecule_find("h2o"), 0);
  g_autoptr(LacMolecule) ammonia = lac_known_molecule_make(lac_known_molecule_find("nh3"), 0);
  g_autoptr(LacMolecule) methane = lac_known_molecule_make(lac_known_molecule_find("ch4"), 0);
  double                 angle = 2 * asin(distance(water, 1, 2) / 2 / distance(water, 0, 1));

  g_assert_cmpfloat_with_epsilon(distance(water, 0, 1) / LAC_BOHR_PER_ANGSTROM, 0.9572, 1e-6);
  g_assert_cmpfloat_with_epsilon(angle * 180 / G_PI, 104.52, 1e-4);
  g_assert_cmpfloat_with_epsilon(distance(ammonia, 0, 1), distance(ammonia, 0, 2), 1e-4);
  for (guint i = 1; i <= 4; i++)
    g_assert_cmpfloat_with_epsilon(distance(methane, 0, i), 2.0591659, 1e-7);
}

static void
test_bonds(void)
{
  gsize                   n_molecules;
  const LacKnownMolecule *known = lac_known_molecules(&n_molecules);

  for (gsize i = 0; i < n_molecules; i++) {
    g_autoptr(LacMolecule) molecule = NULL;
    double                 bond = 2.5, measured;

    if (known[i].bond <= 0)
      continue;
    molecule = lac_known_molecule_make(&known[i], bond);
    measured = distance(molecule, 0, 1);
    if (g_str_equal(known[i].name, "h4"))
      measured = hypot(molecule->nuclei[0].position[0], molecule->nuclei[0].position[1]);
    /* Tables have five digits. */
    g_assert_cmpfloat_with_epsilon(measured, bond, 2e-5);
  }
}

/* The minimum by W. Kolos and L. Wolniewicz and many others: not a point of the table. */
static void
test_curve_minimum(void)
{
  const LacKnownMolecule *h2 = lac_known_molecule_find("h2");
  LacKnownEnergy          energy, left, right;

  g_assert_true(lac_known_molecule_energy(h2, 1.4011, &energy));
  g_assert_cmpfloat_with_epsilon(energy.energy, -1.174475931, 1e-9);
  g_assert_true(lac_known_molecule_energy(h2, 1.4010, &left));
  g_assert_true(lac_known_molecule_energy(h2, 1.4012, &right));
  g_assert_cmpfloat(left.slope, <, 0);
  g_assert_cmpfloat(right.slope, >, 0);
}

static void
test_curve_slope(void)
{
  const LacKnownMolecule *h2 = lac_known_molecule_find("h2");
  const double            step = 1e-4;

  for (double bond = 0.45; bond < 5.9; bond += 0.13) {
    LacKnownEnergy at, before, after;

    g_assert_true(lac_known_molecule_energy(h2, bond, &at));
    g_assert_true(lac_known_molecule_energy(h2, bond - step, &before));
    g_assert_true(lac_known_molecule_energy(h2, bond + step, &after));
    /* The third derivative times step^2 / 6 is below 1e-6 here; where the ten interpolation points change, the curve
     * jumps by less than 1e-10. */
    g_assert_cmpfloat_with_epsilon(at.slope, (after.energy - before.energy) / (2 * step), 2e-6);
  }
}

/* The virial theorem relates the three: T = -E - R E' > 0 and V < 0 everywhere. */
static void
test_curve_virial(void)
{
  const LacKnownMolecule *h2 = lac_known_molecule_find("h2");

  for (double bond = 0.4; bond <= 6; bond += 0.05) {
    LacKnownEnergy at;
    double         kinetic;

    g_assert_true(lac_known_molecule_energy(h2, bond, &at));
    kinetic = -at.energy - bond * at.slope;
    g_assert_cmpfloat(kinetic, >, 0.8);
    g_assert_cmpfloat(kinetic, <, 2.904);
  }
}

static void
test_unknown_bond(void)
{
  LacKnownEnergy energy;

  g_assert_false(lac_known_molecule_energy(lac_known_molecule_find("lih"), 3.2, &energy));
  g_assert_false(lac_known_molecule_energy(lac_known_molecule_find("h2"), 0.3, &energy));
  g_assert_false(lac_known_molecule_energy(lac_known_molecule_find("h2"), 6.1, &energy));
  g_assert_true(lac_known_molecule_energy(lac_known_molecule_find("lih"), 3.015, &energy));
}

int
main(int argc, char *argv[])
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/quantum/molecules/every-one-is-neutral-and-has-its-energy",
                  test_every_molecule);
  g_test_add_func("/quantum/molecules/shapes-are-those-of-their-sources", test_shapes);
  g_test_add_func("/quantum/molecules/a-bond-length-scales", test_bonds);
  g_test_add_func("/quantum/molecules/h2-has-its-minimum", test_curve_minimum);
  g_test_add_func("/quantum/molecules/h2-slope-is-that-of-the-curve", test_curve_slope);
  g_test_add_func("/quantum/molecules/h2-kinetic-energy-by-the-virial-theorem", test_curve_virial);
  g_test_add_func("/quantum/molecules/a-bond-nobody-tabulated-has-no-energy", test_unknown_bond);
  return g_test_run();
}
