/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elements, checks of nuclei, and the occupation by electrons. */
#include "field/molecule.h"

#include "base/error.h"

#include <glib/gi18n-lib.h>

#include <math.h>

/* Minimum distance of nuclei, to catch typing errors: the shortest chemical bond is 1.4 bohr. */
#define NEAREST 0.1

static const LacElement elements[LAC_N_ELEMENTS] = {
  {"H", N_("Hydrogen"), 1, 0},   {"He", N_("Helium"), 1, 1}, {"Li", N_("Lithium"), 2, 1},
  {"Be", N_("Beryllium"), 2, 2}, {"B", N_("Boron"), 3, 2},   {"C", N_("Carbon"), 4, 2},
  {"N", N_("Nitrogen"), 5, 2},   {"O", N_("Oxygen"), 5, 3},  {"F", N_("Fluorine"), 5, 4},
  {"Ne", N_("Neon"), 5, 5},
};

/* Element order in formulas: less electronegative first, but carbon and nitrogen before hydrogen. */
static const guint8 formula_order[LAC_N_ELEMENTS] = {2, 10, 3, 4, 5, 6, 7, 1, 8, 9};

const LacElement *
lac_element(guint charge)
{
  return charge >= 1 && charge <= LAC_N_ELEMENTS ? &elements[charge - 1] : NULL;
}

guint
lac_element_find(const char *symbol)
{
  for (guint i = 0; i < LAC_N_ELEMENTS; i++)
    if (g_ascii_strcasecmp(symbol, elements[i].symbol) == 0)
      return i + 1;
  return 0;
}

LacMolecule *
lac_molecule_new(const char       *name,
                 guint             n_nuclei,
                 const LacNucleus *nuclei,
                 guint             n_up,
                 guint             n_down)
{
  LacMolecule *molecule;

  g_return_val_if_fail(n_nuclei > 0 && n_up + n_down > 0, NULL);
  molecule = g_new0(LacMolecule, 1);
  molecule->ref_count = 1;
  molecule->name = g_strdup(name);
  molecule->n_nuclei = n_nuclei;
  molecule->nuclei = g_memdup2(nuclei, n_nuclei * sizeof *nuclei);
  molecule->n_up = n_up;
  molecule->n_down = n_down;
  return molecule;
}

LacMolecule *
lac_molecule_ref(LacMolecule *molecule)
{
  g_atomic_int_inc(&molecule->ref_count);
  return molecule;
}

void
lac_molecule_unref(LacMolecule *molecule)
{
  if (molecule == NULL || !g_atomic_int_dec_and_test(&molecule->ref_count))
    return;
  g_free(molecule->name);
  g_free(molecule->source);
  g_free(molecule->nuclei);
  g_free(molecule);
}

char *
lac_molecule_dup_formula(guint n_nuclei, const LacNucleus *nuclei)
{
  GString *formula = g_string_new(NULL);
  guint    counts[LAC_N_ELEMENTS + 1] = {0};

  for (guint i = 0; i < n_nuclei; i++)
    counts[nuclei[i].charge]++;
  for (guint i = 0; i < LAC_N_ELEMENTS; i++) {
    guint charge = formula_order[i];

    if (counts[charge] > 0)
      g_string_append(formula, elements[charge - 1].symbol);
    if (counts[charge] > 1)
      g_string_append_printf(formula, "%u", counts[charge]);
  }
  return g_string_free(formula, FALSE);
}

static guint
nuclear_charge(guint n_nuclei, const LacNucleus *nuclei)
{
  guint sum = 0;

  for (guint i = 0; i < n_nuclei; i++)
    sum += nuclei[i].charge;
  return sum;
}

guint
lac_molecule_get_n_electrons(const LacMolecule *molecule)
{
  return molecule->n_up + molecule->n_down;
}

int
lac_molecule_get_charge(const LacMolecule *molecule)
{
  return (int) nuclear_charge(molecule->n_nuclei, molecule->nuclei) -
         (int) lac_molecule_get_n_electrons(molecule);
}

char *
lac_molecule_dup_geometry(const LacMolecule *molecule)
{
  GString *text = g_string_new(NULL);

  /* TRANSLATORS: of a molecule: its name, the charge, electrons with spin up and down. */
  g_string_append_printf(text, _("%s, charge %+d, electrons %u↑ %u↓"), molecule->name,
                         lac_molecule_get_charge(molecule), molecule->n_up, molecule->n_down);
  for (guint i = 0; i < molecule->n_nuclei; i++) {
    const LacNucleus *nucleus = &molecule->nuclei[i];
    const double     *at = nucleus->position;

    /* TRANSLATORS: one nucleus: the element, its position in bohr and in angstrom. */
    g_string_append_printf(
      text, _("\n%-2s (%10.6f, %10.6f, %10.6f) bohr = (%10.6f, %10.6f, %10.6f) Å"),
      lac_element(nucleus->charge)->symbol, at[0], at[1], at[2], at[0] / LAC_BOHR_PER_ANGSTROM,
      at[1] / LAC_BOHR_PER_ANGSTROM, at[2] / LAC_BOHR_PER_ANGSTROM);
  }
  return g_string_free(text, FALSE);
}

static double
distance(const LacNucleus *a, const LacNucleus *b)
{
  double x = a->position[0] - b->position[0], y = a->position[1] - b->position[1],
         z = a->position[2] - b->position[2];

  return sqrt(x * x + y * y + z * z);
}

double
lac_molecule_get_repulsion(const LacMolecule *molecule)
{
  double sum = 0;

  for (guint i = 0; i < molecule->n_nuclei; i++)
    for (guint j = 0; j < i; j++) {
      const LacNucleus *a = &molecule->nuclei[i], *b = &molecule->nuclei[j];

      sum += (double) (a->charge * b->charge) / distance(a, b);
    }
  return sum;
}

gboolean
lac_molecule_occupy(guint             n_nuclei,
                    const LacNucleus *nuclei,
                    int               charge,
                    int               n_unpaired,
                    guint            *n_up,
                    guint            *n_down,
                    GError          **error)
{
  int total = (int) nuclear_charge(n_nuclei, nuclei), n = total - charge;

  if (n < 1) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                _("A charge of %+d leaves no electrons, because the nuclear charge is %d. Choose a "
                  "charge below %+d."),
                charge, total, total);
    return FALSE;
  }
  if (charge < -1) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                _("A charge of %+d is not bound: a molecule this small cannot hold two additional "
                  "electrons. Choose -1 or higher."),
                charge);
    return FALSE;
  }
  if (n_unpaired < 0)
    n_unpaired = n_nuclei == 1 && n <= LAC_N_ELEMENTS
                   ? (int) (elements[n - 1].n_up - elements[n - 1].n_down)
                   : n % 2;
  if (n_unpaired > n || (n - n_unpaired) % 2 != 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                n % 2 == 0 ? _("%d electrons cannot include %d unpaired ones: an even number of "
                               "electrons has 0, 2, … unpaired ones, at most %d.")
                           : _("%d electrons cannot include %d unpaired ones: an odd number of "
                               "electrons has 1, 3, … unpaired ones, at most %d."),
                n, n_unpaired, n);
    return FALSE;
  }
  *n_up = (guint) (n + n_unpaired) / 2;
  *n_down = (guint) (n - n_unpaired) / 2;
  return TRUE;
}

gboolean
lac_nuclei_check(guint n_nuclei, const LacNucleus *nuclei, GError **error)
{
  for (guint i = 0; i < n_nuclei; i++) {
    const double *at = nuclei[i].position;

    if (!isfinite(at[0]) || !isfinite(at[1]) || !isfinite(at[2])) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                  _("The position of nucleus %u (%s) is not a finite number."), i + 1,
                  elements[nuclei[i].charge - 1].symbol);
      return FALSE;
    }
    for (guint j = 0; j < i; j++)
      if (distance(&nuclei[i], &nuclei[j]) < NEAREST) {
        g_set_error(
          error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
          _("Nuclei %u (%s) and %u (%s) are %.3g bohr apart; the minimum distance is %g bohr."),
          j + 1, elements[nuclei[j].charge - 1].symbol, i + 1,
          elements[nuclei[i].charge - 1].symbol, distance(&nuclei[i], &nuclei[j]), NEAREST);
        return FALSE;
      }
  }
  return TRUE;
}
