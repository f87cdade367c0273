/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preferred units: known values, conversion both ways, products and quotients. */
#include "base/unit.h"

#include <math.h>

static void
prefer(const char *length, const char *energy)
{
  g_assert_true(lac_unit_prefer(length));
  g_assert_true(lac_unit_prefer(energy));
}

static void
assert_shown(const char *unit, const char *expected, double factor)
{
  LacShown shown = lac_shown(unit);
  g_assert_cmpstr(shown.unit, ==, expected);
  g_assert_cmpfloat_with_epsilon(shown.factor / factor, 1, 1e-9);
  g_assert_cmpfloat(shown.offset, ==, 0);
}

/* Values from CODATA 2022 and NIST's energy equivalents. */
static void
test_known_values(void)
{
  prefer("angstrom", "electronvolt");
  assert_shown("bohr", "Å", 0.529177210544);
  assert_shown("Ha", "eV", 27.211386245981);
  assert_shown("mHa", "eV", 0.027211386245981);
  prefer("picometre", "kilojoule-per-mole");
  assert_shown("bohr", "pm", 52.9177210544);
  assert_shown("Ha", "kJ/mol", 2625.4996395);
  prefer("bohr", "kilocalorie-per-mole");
  assert_shown("Ha", "kcal/mol", 627.50947406);
}

static void
test_made_of_others(void)
{
  const double angstrom = 0.529177210544, ev = 27.211386245981;
  prefer("angstrom", "electronvolt");
  assert_shown("Ha/bohr", "eV/Å", ev / angstrom);
  assert_shown("1/bohr³", "1/Å³", pow(angstrom, -3));
  assert_shown("Ha²", "eV²", ev * ev);
  LacShown log = lac_shown("log₁₀ 1/bohr²");
  g_assert_cmpstr(log.unit, ==, "log₁₀ 1/Å²");
  g_assert_cmpfloat(log.factor, ==, 1);
  g_assert_cmpfloat_with_epsilon(pow(10, log.offset), pow(angstrom, -2), 1e-12);
  prefer("angstrom", "kilojoule-per-mole");
  g_assert_cmpstr(lac_shown("Ha²").unit, ==, "(kJ/mol)²");
  g_assert_cmpstr(lac_shown("Ha/bohr").unit, ==, "kJ/mol/Å");
  g_assert_cmpstr(lac_shown("1/Ha").unit, ==, "1/(kJ/mol)");
}

static void
test_others_stay(void)
{
  static const char *const others[] = {NULL, "", "1", "m/s", "rad/s", "%", "px", "1/px", "K", "s"};
  prefer("angstrom", "electronvolt");
  for (gsize i = 0; i < G_N_ELEMENTS(others); i++)
    assert_shown(others[i], others[i], 1);
  prefer("bohr", "hartree");
  assert_shown("mHa", "mHa", 1); /* has its own row */
  assert_shown("Ha/bohr", "Ha/bohr", 1);
  g_assert_false(lac_unit_prefer("furlong"));
  g_assert_false(lac_unit_prefer("millihartree"));
}

static void
test_there_and_back(void)
{
  gsize          n;
  const LacUnit *units = lac_units(&n);
  for (gsize i = 0; i < n; i++) {
    if (!units[i].is_offered)
      continue;
    g_assert_true(lac_unit_prefer(units[i].key));
    g_assert_true(lac_unit_preferred(units[i].dimension) == &units[i]);
    for (gsize k = 0; k < n; k++) {
      LacShown shown = lac_shown(units[k].symbol);
      g_assert_cmpfloat_with_epsilon(lac_shown_back(&shown, lac_shown_value(&shown, -1.25)), -1.25,
                                     1e-14);
    }
  }
  prefer("bohr", "hartree");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/base/unit/known-values", test_known_values);
  g_test_add_func("/base/unit/made-of-others", test_made_of_others);
  g_test_add_func("/base/unit/others-stay", test_others_stay);
  g_test_add_func("/base/unit/there-and-back", test_there_and_back);
  return g_test_run();
}
