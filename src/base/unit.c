/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of units, and compound units: "Ha/bohr" is parsed, and each part is converted to its preferred unit. */
#include "base/unit.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

/* CODATA 2022: the Bohr radius in ångström and the hartree in electronvolt and joule; the mole and the calorie are exact. */
#define BOHR_ANGSTROM    0.529177210544
#define HARTREE_EV       27.211386245981
#define HARTREE_KJ_MOL   (4.3597447222060e-18 * 6.02214076e23 / 1000)
#define HARTREE_KCAL_MOL (HARTREE_KJ_MOL / 4.184)

static const LacUnit units[] = {
  {"bohr", "bohr", N_("Bohr"), LAC_DIMENSION_LENGTH, 1, TRUE},
  {"angstrom", "Å", N_("Ångström"), LAC_DIMENSION_LENGTH, 1 / BOHR_ANGSTROM, TRUE},
  {"picometre", "pm", N_("Picometre"), LAC_DIMENSION_LENGTH, 0.01 / BOHR_ANGSTROM, TRUE},
  {"hartree", "Ha", N_("Hartree"), LAC_DIMENSION_ENERGY, 1, TRUE},
  {"millihartree", "mHa", N_("Millihartree"), LAC_DIMENSION_ENERGY, 1e-3, FALSE},
  {"electronvolt", "eV", N_("Electronvolt"), LAC_DIMENSION_ENERGY, 1 / HARTREE_EV, TRUE},
  {"kilojoule-per-mole", "kJ/mol", N_("Kilojoule per mole"), LAC_DIMENSION_ENERGY,
   1 / HARTREE_KJ_MOL, TRUE},
  {"kilocalorie-per-mole", "kcal/mol", N_("Kilocalorie per mole"), LAC_DIMENSION_ENERGY,
   1 / HARTREE_KCAL_MOL, TRUE},
};

static const struct {
  const char *key, *title;
} dimensions[LAC_N_DIMENSIONS] = {
  [LAC_DIMENSION_LENGTH] = {"length", N_("Molecular lengths")},
  [LAC_DIMENSION_ENERGY] = {"energy", N_("Molecular energies")},
};

static gint
  preferred[LAC_N_DIMENSIONS]; /* atomic: 1 + row of the preferred unit; 0: the native one */

const LacUnit *
lac_units(gsize *n)
{
  *n = G_N_ELEMENTS(units);
  return units;
}

const char *
lac_dimension_key(LacDimension dimension)
{
  g_return_val_if_fail(dimension < LAC_N_DIMENSIONS, NULL);
  return dimensions[dimension].key;
}

const char *
lac_dimension_title(LacDimension dimension)
{
  g_return_val_if_fail(dimension < LAC_N_DIMENSIONS, NULL);
  return dimensions[dimension].title;
}

gboolean
lac_unit_prefer(const char *key)
{
  for (gsize i = 0; i < G_N_ELEMENTS(units); i++)
    if (units[i].is_offered && g_strcmp0(units[i].key, key) == 0) {
      g_atomic_int_set(&preferred[units[i].dimension], (gint) i + 1);
      return TRUE;
    }
  return FALSE;
}

const LacUnit *
lac_unit_preferred(LacDimension dimension)
{
  g_return_val_if_fail(dimension < LAC_N_DIMENSIONS, NULL);
  gint row = g_atomic_int_get(&preferred[dimension]);
  for (gsize i = 0; row == 0; i++)
    if (units[i].dimension == dimension)
      return &units[i];
  return &units[row - 1];
}

static const LacUnit *
find_symbol(const char *symbol)
{
  for (gsize i = 0; i < G_N_ELEMENTS(units); i++)
    if (g_strcmp0(units[i].symbol, symbol) == 0)
      return &units[i];
  return NULL;
}

double
lac_unit_ratio(const char *from, const char *to)
{
  const LacUnit *first = find_symbol(from), *second = find_symbol(to);

  if (g_strcmp0(from, to) == 0)
    return 1;
  return first != NULL && second != NULL && first->dimension == second->dimension
           ? first->size / second->size
           : (double) NAN;
}

/* ---- compound units ---- */

/* Returns: (nullable): the unit that is the first word of @text, @length bytes long. */
static const LacUnit *
find_word(const char *text, gsize length)
{
  for (gsize i = 0; i < G_N_ELEMENTS(units); i++)
    if (strlen(units[i].symbol) == length && strncmp(units[i].symbol, text, length) == 0)
      return &units[i];
  return NULL;
}

/* Returns the number of bytes of leading letters of @text. */
static gsize
word_length(const char *text)
{
  const char *end = text;
  while (g_unichar_isalpha(g_utf8_get_char(end)))
    end = g_utf8_next_char(end);
  return (gsize) (end - text);
}

/* Returns the superscript digit at the start of @text; 1 without one. */
static int
power_of(const char *text)
{
  static const char *const raised[] = {"¹", "²", "³", "⁴"};
  for (gsize i = 0; i < G_N_ELEMENTS(raised); i++)
    if (g_str_has_prefix(text, raised[i]))
      return (int) i + 1;
  return 1;
}

static gboolean
is_shown_otherwise(const LacUnit *unit)
{
  const LacUnit *wanted = lac_unit_preferred(unit->dimension);
  return wanted != unit && wanted->size != 1;
}

/* Appends the preferred unit for @unit. Returns: the factor for values in @unit. */
static double
translate(GString *shown, const LacUnit *unit, int power, gboolean is_below)
{
  const LacUnit *wanted = lac_unit_preferred(unit->dimension);
  gboolean       is_bracketed = strchr(wanted->symbol, '/') != NULL && (power != 1 || is_below);
  g_string_append_printf(shown, is_bracketed ? "(%s)" : "%s", wanted->symbol);
  return pow(unit->size / wanted->size, is_below ? -power : power);
}

LacShown
lac_shown(const char *unit)
{
  static const char  logarithm[] = "log₁₀ ";
  g_autoptr(GString) shown = g_string_new(NULL);
  double             factor = 1;
  gboolean           is_below = FALSE, is_log = unit != NULL && g_str_has_prefix(unit, logarithm);
  const char        *at = unit != NULL ? unit : "";
  while (*at != '\0') {
    gsize          length = word_length(at);
    const LacUnit *known = length > 0 ? find_word(at, length) : NULL;
    if (known != NULL && is_shown_otherwise(known))
      factor *= translate(shown, known, power_of(at + length), is_below);
    else if (length > 0)
      g_string_append_len(shown, at, (gssize) length);
    else
      g_string_append_unichar(shown, g_utf8_get_char(at));
    is_below = length > 0 ? FALSE : is_below || *at == '/';
    at = length > 0 ? at + length : g_utf8_next_char(at);
  }
  if (factor == 1)
    return (LacShown){unit, 1, 0};
  return (LacShown){g_intern_string(shown->str), is_log ? 1 : factor, is_log ? log10(factor) : 0};
}
