/* SPDX-License-Identifier: GPL-3.0-or-later */
/* XYZ files: valid input is parsed, errors name their line. */
#include "base/error.h"
#include "field/xyz.h"

#include <glib.h>

#include <string.h>

static LacMolecule *
parse(const char *text)
{
  g_autoptr(GError) error = NULL;
  LacMolecule      *molecule = lac_xyz_parse(text, "a.xyz", &error);

  g_assert_no_error(error);
  return molecule;
}

static void
test_water(void)
{
  g_autoptr(LacMolecule) water = parse("3\nwater, from a table\nO 0.0 0.0 0.1173 -0.8\n"
                                       "h\t0.0\t0.7572 -0.4692\r\n 1 0.0 -0.7572 -4.692e-1\n");

  g_assert_cmpstr(water->name, ==, "H2O");
  g_assert_cmpuint(water->n_nuclei, ==, 3);
  g_assert_cmpuint(water->n_up, ==, 5);
  g_assert_cmpuint(water->n_down, ==, 5);
  g_assert_cmpuint(water->nuclei[2].charge, ==, 1);
  g_assert_cmpfloat_with_epsilon(water->nuclei[0].position[2], 0.1173 / 0.529177210903, 1e-12);
  g_assert_cmpfloat_with_epsilon(water->nuclei[1].position[2], water->nuclei[2].position[2], 1e-15);
}

static void
test_comment(void)
{
  g_autoptr(LacMolecule) named =
    parse("1\nProperties=species:S:1 charge=+1 Multiplicity=2\nHe 0 0 0");
  g_autoptr(LacMolecule) bare = parse("2\n -1 2 \nHe 0 0 0\nHe 0 0 1\n");
  g_autoptr(LacMolecule) bohr = parse("2\nunits=Bohr unpaired=2\nH 0 0 0\nH 0 0 1.4\n\n\n");
  g_autoptr(LacMolecule) atom = parse("1\n\nN 0 0 0");

  g_assert_cmpuint(named->n_up, ==, 1);
  g_assert_cmpuint(named->n_down, ==, 0);
  g_assert_cmpuint(bare->n_up, ==, 3);
  g_assert_cmpuint(bare->n_down, ==, 2);
  g_assert_cmpuint(bohr->n_up, ==, 2);
  g_assert_cmpfloat(bohr->nuclei[1].position[2], ==, 1.4);
  g_assert_cmpuint(atom->n_up, ==, 5);
}

/* The first geometry of a trajectory is read. */
static void
test_first_geometry(void)
{
  g_autoptr(LacMolecule) molecule = parse("1\nfirst\nLi 0 0 0\n1\nsecond\nBe 0 0 0\n");

  g_assert_cmpstr(molecule->name, ==, "Li");
}

static void
test_refusals(void)
{
  static const struct {
    const char *text, *part;
  } rows[] = {
    {"", "not an XYZ file"},
    {"\n\n", "not an XYZ file"},
    {"two\n\nH 0 0 0\nH 0 0 1\n", "not an XYZ file"},
    {"0\n\n", "1 to 64"},
    {"-3\n\n", "1 to 64"},
    {"99999999999999999999\n\n", "1 to 64"},
    {"2", "0 lines follow"},
    {"2\n\nH 0 0 0", "1 lines follow"},
    {"2\n\nH 0 0 0\n", "line 1 gives 2 nuclei, but 1 lines follow"},
    {"1\n\nH 0 0\n", "line 3"},
    {"1\n\nFe 0 0 0\n", "\"Fe\" is not a supported element"},
    {"1\n\n0 0 0 0\n", "\"0\" is not a supported element"},
    {"1\n\n-1 0 0 0\n", "is not a supported element"},
    {"1\n\nH 0 zero 0\n", "\"zero\" is not a number"},
    {"1\n\nH 0 0 nan\n", "\"nan\" is not a number"},
    {"1\n\nH 0 0 1e999\n", "is not a number"},
    {"2\n\nH 0 0 0\nH 0 0 0.01\n", "bohr apart"},
    {"1\ncharge=2\nH 0 0 0\n", "no electron"},
    {"1\ncharge=-2\nH 0 0 0\n", "-1 or higher"},
    {"1\ncharge=much\nH 0 0 0\n", "integer"},
    {"1\nmultiplicity=0\nH 0 0 0\n", "multiplicity"},
    {"1\nmultiplicity=1\nH 0 0 0\n", "odd number"},
    {"1\nunpaired=-1\nH 0 0 0\n", "0 or more"},
    {"1\nunits=feet\nH 0 0 0\n", "angstrom or bohr"},
    {"1\n\xff\xfe\nH 0 0 0\n", "UTF-8"},
  };

  for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
    g_autoptr(GError)      error = NULL;
    g_autoptr(LacMolecule) molecule = lac_xyz_parse(rows[i].text, "a.xyz", &error);

    g_assert_null(molecule);
    g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
    g_assert_nonnull(strstr(error->message, "a.xyz"));
    if (strstr(error->message, rows[i].part) == NULL)
      g_error("%s: %s is missing", error->message, rows[i].part);
  }
}

/* No text crashes the parser: truncations of a valid file, and each byte changed in turn. */
static void
test_damage(void)
{
  static const char good[] = "3\ncharge=0 unpaired=0\nO 0 0 0.1\nH 0.0 0.7 -0.4\nH 0 -0.7 -0.4\n";

  for (gsize cut = 0; cut < sizeof good; cut++)
    for (guint c = 1; c < 128; c++) {
      g_autofree char       *text = g_strdup(good);
      g_autoptr(GError)      error = NULL;
      g_autoptr(LacMolecule) molecule = NULL;

      if (c == 1)
        text[cut] = '\0';
      else if (text[cut] != '\0')
        text[cut] = (char) c;
      molecule = lac_xyz_parse(text, "a.xyz", &error);
      g_assert_true((molecule == NULL) == (error != NULL));
    }
}

int
main(int argc, char *argv[])
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/field/xyz/water-in-many-notations", test_water);
  g_test_add_func("/field/xyz/the-comment-says-charge-and-spin", test_comment);
  g_test_add_func("/field/xyz/the-first-geometry-is-taken", test_first_geometry);
  g_test_add_func("/field/xyz/bad-files-are-refused-with-their-line", test_refusals);
  g_test_add_func("/field/xyz/damage-is-refused", test_damage);
  return g_test_run();
}
