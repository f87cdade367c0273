/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of molecules with its sources, interpolation of the H2 curve, and parsing of user-defined nuclei. */
#include "experiment/quantum/molecules.h"

#include "base/error.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define ATOM_SOURCE \
  "S. J. Chakravorty et al., Phys. Rev. A 47, 3649 (1993): exact, estimated from experiment"
#define TABLE_SOURCE "D. Pfau et al., Phys. Rev. Research 2, 033429 (2020), table II: "
#define CURVE_SOURCE "J. S. Sims and S. A. Hagstrom, J. Chem. Phys. 124, 094101 (2006), table VI"

static const LacNucleus h[] = {{1, {0, 0, 0}}}, he[] = {{2, {0, 0, 0}}}, li[] = {{3, {0, 0, 0}}},
                        be[] = {{4, {0, 0, 0}}}, b[] = {{5, {0, 0, 0}}}, c[] = {{6, {0, 0, 0}}},
                        n[] = {{7, {0, 0, 0}}}, o[] = {{8, {0, 0, 0}}}, f[] = {{9, {0, 0, 0}}},
                        ne[] = {{10, {0, 0, 0}}};
static const LacNucleus h2[] = {{1, {0, 0, -0.7}}, {1, {0, 0, 0.7}}},
                        lih[] = {{3, {0, 0, -1.5075}}, {1, {0, 0, 1.5075}}},
                        li2[] = {{3, {0, 0, -2.5255}}, {3, {0, 0, 2.5255}}},
                        n2[] = {{7, {0, 0, -1.034}}, {7, {0, 0, 1.034}}},
                        co[] = {{6, {0, 0, -1.0865}}, {8, {0, 0, 1.0865}}};
/* A square inscribed in a circle of radius 1.738 angstrom. */
static const LacNucleus h4[] = {{1, {2.3223508, 2.3223508, 0}},
                                {1, {-2.3223508, 2.3223508, 0}},
                                {1, {-2.3223508, -2.3223508, 0}},
                                {1, {2.3223508, -2.3223508, 0}}};
static const LacNucleus h10[] = {
  {1, {0, 0, -8.1}}, {1, {0, 0, -6.3}}, {1, {0, 0, -4.5}}, {1, {0, 0, -2.7}}, {1, {0, 0, -0.9}},
  {1, {0, 0, 0.9}},  {1, {0, 0, 2.7}},  {1, {0, 0, 4.5}},  {1, {0, 0, 6.3}},  {1, {0, 0, 8.1}}};
/* 0.9572 angstrom and 104.52 degrees. */
static const LacNucleus h2o[] = {{8, {0, 0, 0}},
                                 {1, {0, 1.4304288, 1.1071570}},
                                 {1, {0, -1.4304288, 1.1071570}}};
static const LacNucleus nh3[] = {{7, {0, 0, 0.22013}},
                                 {1, {0, 1.77583, -0.51364}},
                                 {1, {1.53791, -0.88791, -0.51364}},
                                 {1, {-1.53791, -0.88791, -0.51364}}};
static const LacNucleus ch4[] = {{6, {0, 0, 0}},
                                 {1, {1.18886, 1.18886, 1.18886}},
                                 {1, {-1.18886, -1.18886, 1.18886}},
                                 {1, {1.18886, -1.18886, -1.18886}},
                                 {1, {-1.18886, 1.18886, -1.18886}}};

#define NUCLEI(of) G_N_ELEMENTS(of), of

#define LENGTH  N_("Bond length")
#define SPACING N_("Distance between neighbours")
#define RADIUS  N_("Radius of the circle through the nuclei")

/* clang-format off */
static const LacKnownMolecule molecules[] = {
  {"h",   N_("Hydrogen atom"),   "H",   NUCLEI(h),   0,         NULL,    1, -0.5,             0,      "exact, in closed form",                            -0.5},
  {"he",  N_("Helium atom"),     "He",  NUCLEI(he),  0,         NULL,    0, -2.903724377034,  1e-12,  "G. W. F. Drake, Springer Handbook of AMO Physics (2006), chapter 11", -2.861680},
  {"li",  N_("Lithium atom"),    "Li",  NUCLEI(li),  0,         NULL,    1, -7.47806032,      1e-8,   "M. Puchalski and K. Pachucki, Phys. Rev. A 73, 022503 (2006)", -7.43273},
  {"be",  N_("Beryllium atom"),  "Be",  NUCLEI(be),  0,         NULL,    0, -14.667356,       1e-6,   "explicitly correlated Gaussians: M. Stanke et al., Phys. Rev. A 80, 022514 (2009)", -14.57302},
  {"b",   N_("Boron atom"),      "B",   NUCLEI(b),   0,         NULL,    1, -24.65391,        1e-5,   ATOM_SOURCE,                                        -24.53316},
  {"c",   N_("Carbon atom"),     "C",   NUCLEI(c),   0,         NULL,    2, -37.8450,         1e-4,   ATOM_SOURCE,                                        -37.6938},
  {"n",   N_("Nitrogen atom"),   "N",   NUCLEI(n),   0,         NULL,    3, -54.5892,         1e-4,   ATOM_SOURCE,                                        -54.4047},
  {"o",   N_("Oxygen atom"),     "O",   NUCLEI(o),   0,         NULL,    2, -75.0673,         1e-4,   ATOM_SOURCE,                                        -74.8192},
  {"f",   N_("Fluorine atom"),   "F",   NUCLEI(f),   0,         NULL,    1, -99.7339,         1e-4,   ATOM_SOURCE,                                        -99.4168},
  {"ne",  N_("Neon atom"),       "Ne",  NUCLEI(ne),  0,         NULL,    0, -128.9376,        1e-4,   ATOM_SOURCE,                                        -128.5479},
  {"h2",  N_("Hydrogen"),        "H2",  NUCLEI(h2),  1.4,       LENGTH,  0, -1.1744757142,    1e-10,  CURVE_SOURCE,                                       -1.1336296},
  {"lih", N_("Lithium hydride"), "LiH", NUCLEI(lih), 3.015,     LENGTH,  0, -8.070548,        1e-6,   TABLE_SOURCE "exact",                               -7.98737},
  {"li2", N_("Dilithium"),       "Li2", NUCLEI(li2), 5.051,     LENGTH,  0, -14.9954,         1e-4,   TABLE_SOURCE "exact",                               -14.87155},
  {"n2",  N_("Nitrogen"),        "N2",  NUCLEI(n2),  2.068,     LENGTH,  0, -109.5423,        1e-4,   TABLE_SOURCE "exact",                               -108.9940},
  {"co",  N_("Carbon monoxide"), "CO",  NUCLEI(co),  2.173,     LENGTH,  0, -113.3255,        1e-4,   TABLE_SOURCE "CCSD(T), extrapolated to the complete basis", -112.7871},
  {"h4",  N_("Square of four hydrogen atoms"), "H4", NUCLEI(h4), 3.2843, RADIUS, 0, -2.0155,       1e-4,   "full configuration interaction, extrapolated to the complete basis", (double) NAN},
  {"h10", N_("Chain of ten hydrogen atoms"), "H10", NUCLEI(h10), 1.8, SPACING, 0, -5.6655,         1e-4,   "M. Motta et al., Phys. Rev. X 7, 031059 (2017): MRCI+Q+F12", (double) NAN},
  {"h2o", N_("Water"),           "H2O", NUCLEI(h2o), 1.8088458, LENGTH,  0, -76.438,          3e-3,   "A. Lüchow, J. B. Anderson and D. Feller, J. Chem. Phys. 106, 7706 (1997): from experiment", -76.0675},
  {"nh3", N_("Ammonia"),         "NH3", NUCLEI(nh3), 1.9214569, LENGTH,  0, -56.5644,         1e-4,   TABLE_SOURCE "CCSD(T), extrapolated to the complete basis", -56.2247},
  {"ch4", N_("Methane"),         "CH4", NUCLEI(ch4), 2.0591659, LENGTH,  0, -40.515,          1e-3,   TABLE_SOURCE "CCSD(T), extrapolated to the complete basis", -40.2171},
};
/* clang-format on */

/* Energies of H2 in steps of 0.1 bohr up to 4 bohr, then of 0.2. Source: CURVE_SOURCE. */
#define CURVE_BEGIN 0.4
#define CURVE_TURN  4.0
#define CURVE_END   6.0
#define CURVE_FINE  37
#define CURVE_ORDER 10 /* points per interpolation */

static const double curve[] = {
  -0.1202303411778644, -0.5266387587423172, -0.7696354294853568, -0.9220274615270152,
  -1.0200566663601389, -1.0836432399585087, -1.1245397195465791, -1.1500573677382885,
  -1.1649352434400281, -1.17234714903778,   -1.1744757142200755, -1.1728550795781447,
  -1.1685833733709263, -1.1624587268978088, -1.1550687376108071, -1.146850697028721,
  -1.1381329571315035, -1.1291638360999721, -1.1201321168476391, -1.1111817652026448,
  -1.1024226060092978, -1.0939381299535998, -1.0857912373935887, -1.0780284841810479,
  -1.0706832334784095, -1.0637780088027916, -1.0573262688692439, -1.0513337722644516,
  -1.0457996614287338, -1.0407173653475985, -1.0360753951869195, -1.031858084851223,
  -1.0280463083758766, -1.0246181884071472, -1.0215497955299109, -1.0188158276928498,
  -1.0163902529471283, -1.0123599596799189, -1.0092565162586632, -1.0068952238201211,
  -1.0051160060980952, -1.0037856585819889, -1.0027968163095431, -1.0020650572082353,
  -1.0015252518853549, -1.0011278808513214, -1.0008357076542279,
};

static double
curve_bond(gsize i)
{
  return i < CURVE_FINE ? CURVE_BEGIN + 0.1 * (double) i
                        : CURVE_TURN + 0.2 * (double) (i - CURVE_FINE + 1);
}

/* Returns the slowly varying part: the electronic energy. */
static double
curve_electronic(gsize i)
{
  return curve[i] - 1 / curve_bond(i);
}

/* Interpolates by Neville's scheme with its derivative, over the CURVE_ORDER points around @bond. */
static void
curve_at(double bond, LacKnownEnergy *energy)
{
  gsize  n_points = G_N_ELEMENTS(curve), first = 0;
  double value[CURVE_ORDER], slope[CURVE_ORDER];

  while (first + CURVE_ORDER < n_points && curve_bond(first + CURVE_ORDER / 2) < bond)
    first++;
  for (gsize i = 0; i < CURVE_ORDER; i++) {
    value[i] = curve_electronic(first + i);
    slope[i] = 0;
  }
  for (gsize width = 1; width < CURVE_ORDER; width++)
    for (gsize i = 0; i + width < CURVE_ORDER; i++) {
      double low = curve_bond(first + i), high = curve_bond(first + i + width), span = high - low;

      slope[i] =
        ((bond - low) * slope[i + 1] + (high - bond) * slope[i] + value[i + 1] - value[i]) / span;
      value[i] = ((bond - low) * value[i + 1] + (high - bond) * value[i]) / span;
    }
  energy->energy = value[0] + 1 / bond;
  energy->slope = slope[0] - 1 / (bond * bond);
}

const LacKnownMolecule *
lac_known_molecules(gsize *n_molecules)
{
  *n_molecules = G_N_ELEMENTS(molecules);
  return molecules;
}

const LacKnownMolecule *
lac_known_molecule_find(const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS(molecules); i++)
    if (g_str_equal(molecules[i].name, name))
      return &molecules[i];
  return NULL;
}

LacMolecule *
lac_known_molecule_make(const LacKnownMolecule *known, double bond)
{
  g_autofree LacNucleus *nuclei = g_memdup2(known->nuclei, known->n_nuclei * sizeof *nuclei);
  double                 scale = bond > 0 && known->bond > 0 ? bond / known->bond : 1;
  guint                  n_electrons = 0;

  for (guint i = 0; i < known->n_nuclei; i++) {
    n_electrons += nuclei[i].charge;
    for (guint k = 0; k < 3; k++)
      nuclei[i].position[k] *= scale;
  }
  return lac_molecule_new(known->formula, known->n_nuclei, nuclei,
                          (n_electrons + known->n_unpaired) / 2,
                          (n_electrons - known->n_unpaired) / 2);
}

gboolean
lac_known_molecule_energy(const LacKnownMolecule *known, double bond, LacKnownEnergy *energy)
{
  *energy = (LacKnownEnergy){
    known->energy,
    known->energy_error,
    (double) NAN,
    known->energy_source,
  };
  if (bond <= 0)
    bond = known->bond;
  if (known->nuclei == h2 && bond >= CURVE_BEGIN && bond <= CURVE_END) {
    curve_at(bond, energy);
    return TRUE;
  }
  return known->bond <= 0 || fabs(bond - known->bond) < 1e-6;
}

/* ---- user-defined nuclei, as text: entries between semicolons, words between blanks ---- */

static gboolean
parse_entry(const char *entry, double unit, LacNucleus *nucleus, GError **error)
{
  g_auto(GStrv) words = g_strsplit_set(entry, " \t,", -1);
  const char   *found[5];
  guint         n_words = 0;

  for (guint i = 0; words[i]; i++)
    if (*words[i] && n_words < G_N_ELEMENTS(found))
      found[n_words++] = words[i];
  if (n_words != 4) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "geometry: \"%s\" is not an element and three coordinates, as in \"H 0 0 1.4\"",
                entry);
    return FALSE;
  }
  nucleus->charge = lac_element_find(found[0]);
  if (!nucleus->charge) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
      "geometry: \"%s\" is not a supported element; use H, He, Li, Be, B, C, N, O, F or Ne",
      found[0]);
    return FALSE;
  }
  for (guint axis = 0; axis < 3; axis++) {
    char        *end;
    const double value = g_ascii_strtod(found[axis + 1], &end);

    if (*end != '\0' || !isfinite(value)) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                  "geometry: \"%s\" in \"%s\" is not a number", found[axis + 1], entry);
      return FALSE;
    }
    nucleus->position[axis] = value * unit;
  }
  return TRUE;
}

LacNucleus *
lac_geometry_parse(const char *text, double unit, guint *n_nuclei, GError **error)
{
  g_auto(GStrv)     entries = g_strsplit_set(text ? text : "", ";\n", -1);
  g_autoptr(GArray) nuclei = g_array_new(FALSE, FALSE, sizeof(LacNucleus));

  for (guint i = 0; entries[i]; i++) {
    LacNucleus nucleus;

    g_strstrip(entries[i]);
    if (!*entries[i])
      continue;
    if (!parse_entry(entries[i], unit, &nucleus, error))
      return NULL;
    g_array_append_val(nuclei, nucleus);
  }
  if (!nuclei->len) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "geometry is empty; write one nucleus or more, as in \"H 0 0 0; H 0 0 1.4\"");
    return NULL;
  }
  *n_nuclei = nuclei->len;
  return (LacNucleus *) (gpointer) g_array_free(g_steal_pointer(&nuclei), FALSE);
}
