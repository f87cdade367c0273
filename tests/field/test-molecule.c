/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Molecules: elements, repulsion, occupation by electrons, and rejected input. */
#include "base/error.h"
#include "field/molecule.h"

#include <glib.h>

#include <math.h>
#include <string.h>

static void
test_elements(void)
{
  g_assert_null(lac_element(0));
  g_assert_null(lac_element(LAC_N_ELEMENTS + 1));
  for (guint charge = 1; charge <= LAC_N_ELEMENTS; charge++) {
    const LacElement *element = lac_element(charge);

    g_assert_cmpuint(element->n_up + element->n_down, ==, charge);
    g_assert_cmpuint(lac_element_find(element->symbol), ==, charge);
  }
  g_assert_cmpuint(lac_element_find("HE"), ==, 2);
  g_assert_cmpuint(lac_element_find("Xx"), ==, 0);
  g_assert_cmpuint(lac_element_find(""), ==, 0);
}

static void
test_sums(void)
{
  const LacNucleus       nuclei[] = {{7, {0, 0, 0}}, {1, {0, 3, 4}}, {1, {0, 3, -4}}};
  g_autoptr(LacMolecule) molecule = lac_molecule_new("NH2", 3, nuclei, 5, 4);
  g_autoptr(LacMolecule) held = lac_molecule_ref(molecule);
  g_autofree char       *formula = lac_molecule_dup_formula(3, nuclei);

  g_assert_true(held == molecule);
  g_assert_cmpstr(formula, ==, "NH2");
  g_assert_cmpint(lac_molecule_get_charge(molecule), ==, 0);
  g_assert_cmpuint(lac_molecule_get_n_electrons(molecule), ==, 9);
  g_assert_cmpfloat_with_epsilon(lac_molecule_get_repulsion(molecule), 7.0 / 5 + 7.0 / 5 + 1.0 / 8,
                                 1e-14);
}

static void
test_ground_state_of_atoms(void)
{
  for (guint charge = 1; charge <= LAC_N_ELEMENTS; charge++) {
    LacNucleus nucleus = {charge, {0, 0, 0}};
    guint      up, down;

    g_assert_true(lac_molecule_occupy(1, &nucleus, 0, -1, &up, &down, NULL));
    g_assert_cmpuint(up, ==, lac_element(charge)->n_up);
    g_assert_cmpuint(down, ==, lac_element(charge)->n_down);
  }
}

static void
assert_refused(int charge, int n_unpaired, const char *part)
{
  const LacNucleus  nuclei[] = {{1, {0, 0, 0}}, {1, {0, 0, 1.4}}};
  g_autoptr(GError) error = NULL;
  guint             up, down;

  g_assert_false(lac_molecule_occupy(2, nuclei, charge, n_unpaired, &up, &down, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  g_assert_nonnull(strstr(error->message, part));
}

static void
test_impossible_electrons(void)
{
  assert_refused(2, -1, "no electron");
  assert_refused(3, -1, "no electron");
  assert_refused(-2, -1, "-1 or higher");
  assert_refused(0, 1, "even number");
  assert_refused(0, 4, "at most 2");
  assert_refused(1, 0, "odd number");
}

static void
test_overlapping_nuclei(void)
{
  LacNucleus        nuclei[] = {{3, {0, 0, 1}}, {1, {0, 0, 1.05}}};
  g_autoptr(GError) error = NULL;

  g_assert_false(lac_nuclei_check(2, nuclei, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  g_assert_nonnull(strstr(error->message, "(Li)"));
  g_clear_error(&error);
  nuclei[1].position[2] = (double) NAN;
  g_assert_false(lac_nuclei_check(2, nuclei, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  nuclei[1].position[2] = 4;
  g_assert_true(lac_nuclei_check(2, nuclei, NULL));
}

static void
test_geometry_text(void)
{
  const LacNucleus       nuclei[] = {{1, {0, 0, -0.7}}, {1, {0, 0, 0.7}}};
  g_autoptr(LacMolecule) molecule = lac_molecule_new("H2", 2, nuclei, 1, 1);
  g_autofree char       *text = lac_molecule_dup_geometry(molecule);
  g_autofree char *bohr = g_strdup_printf("%.6f) bohr", 0.7); /* formatted in the reader's locale */
  g_autofree char *angstrom = g_strdup_printf("%.6f) Å", 0.370424);

  g_assert_nonnull(strstr(text, "H2, charge +0, electrons 1↑ 1↓"));
  g_assert_nonnull(strstr(text, bohr));
  g_assert_nonnull(strstr(text, angstrom));
}

int
main(int argc, char *argv[])
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/field/molecule/elements-are-found-by-symbol", test_elements);
  g_test_add_func("/field/molecule/repulsion-and-centre", test_sums);
  g_test_add_func("/field/molecule/atoms-have-their-ground-state", test_ground_state_of_atoms);
  g_test_add_func("/field/molecule/impossible-electrons-are-refused", test_impossible_electrons);
  g_test_add_func("/field/molecule/overlapping-nuclei-are-refused", test_overlapping_nuclei);
  g_test_add_func("/field/molecule/geometry-in-both-units", test_geometry_text);
  return g_test_run();
}
