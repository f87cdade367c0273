/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parser of XYZ files: lines, words, numbers; errors name the position. */
#include "field/xyz.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char *path;
  GStrv       lines;
  double      unit;               /* of the coordinates, in bohr */
  int         charge, n_unpaired; /* -1: not given */
} Source;

/* Splits a line at blanks. Returns: (transfer full). */
static GStrv
split_words(const char *line)
{
  g_auto(GStrv) parts = g_strsplit_set(line, " \t\r,;", -1);
  GPtrArray    *words = g_ptr_array_new();

  for (guint i = 0; parts[i] != NULL; i++)
    if (parts[i][0] != '\0')
      g_ptr_array_add(words, g_strdup(parts[i]));
  g_ptr_array_add(words, NULL);
  return (GStrv) g_ptr_array_free(words, FALSE);
}

static gboolean
parse_integer(const char *text, int *value)
{
  char  *end;
  gint64 number;

  if (*text == '+')
    text++;
  number = g_ascii_strtoll(text, &end, 10);
  *value = (int) CLAMP(number, -100000, 100000);
  return end != text && *end == '\0';
}

static gboolean
refuse_comment(const Source *source, const char *word, const char *allowed, GError **error)
{
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s, line 2: \"%s\" is not understood; %s",
              source->path, word, allowed);
  return FALSE;
}

static gboolean
set_multiplicity(Source *source, const char *word, int multiplicity, GError **error)
{
  if (multiplicity < 1)
    return refuse_comment(
      source, word, "the multiplicity is 1 or more: the number of unpaired electrons plus one",
      error);
  source->n_unpaired = multiplicity - 1;
  return TRUE;
}

/* Reads one key=value pair of the comment; other programs' keys are ignored. */
static gboolean
take_pair(Source *source, const char *word, GError **error)
{
  const char      *mark = strchr(word, '=');
  g_autofree char *key = g_ascii_strdown(word, mark - word);
  const char      *value = mark + 1;
  int              number;

  if (g_str_equal(key, "units")) {
    if (g_ascii_strcasecmp(value, "bohr") == 0)
      source->unit = 1;
    else if (g_ascii_strncasecmp(value, "ang", 3) != 0)
      return refuse_comment(source, word, "units are angstrom or bohr", error);
    return TRUE;
  }
  if (!g_str_equal(key, "charge") && !g_str_equal(key, "multiplicity") &&
      !g_str_equal(key, "unpaired"))
    return TRUE;
  if (!parse_integer(value, &number))
    return refuse_comment(source, word, "expected an integer", error);
  if (g_str_equal(key, "multiplicity"))
    return set_multiplicity(source, word, number, error);
  if (g_str_equal(key, "charge")) {
    source->charge = number;
    return TRUE;
  }
  if (number < 0)
    return refuse_comment(source, word, "the number of unpaired electrons is 0 or more", error);
  source->n_unpaired = number;
  return TRUE;
}

static gboolean
take_comment(Source *source, GError **error)
{
  g_auto(GStrv) words = split_words(source->lines[1]);
  int           charge, multiplicity;

  if (g_strv_length(words) == 2 && parse_integer(words[0], &charge) &&
      parse_integer(words[1], &multiplicity)) {
    source->charge = charge;
    return set_multiplicity(source, words[1], multiplicity, error);
  }
  for (guint i = 0; words[i] != NULL; i++)
    if (strchr(words[i], '=') != NULL && !take_pair(source, words[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
take_nucleus(const Source *source, guint line, LacNucleus *nucleus, GError **error)
{
  g_auto(GStrv) words = split_words(source->lines[line]);
  int           charge;

  if (g_strv_length(words) < 4) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s, line %u: \"%s\" is not a nucleus; expected an element and three coordinates, "
                "as in \"H 0 0 0.74\"",
                source->path, line + 1, g_strchomp(source->lines[line]));
    return FALSE;
  }
  nucleus->charge = lac_element_find(words[0]);
  if (nucleus->charge == 0 && parse_integer(words[0], &charge) && charge > 0 &&
      lac_element((guint) charge) != NULL)
    nucleus->charge = (guint) charge;
  if (nucleus->charge == 0) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_BAD_FILE,
      "%s, line %u: \"%s\" is not a supported element; use H, He, Li, Be, B, C, N, O, F or Ne",
      source->path, line + 1, words[0]);
    return FALSE;
  }
  for (guint k = 0; k < 3; k++) {
    char  *end;
    double value = g_ascii_strtod(words[k + 1], &end);

    if (*end != '\0' || !isfinite(value)) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                  "%s, line %u: the coordinate \"%s\" is not a number", source->path, line + 1,
                  words[k + 1]);
      return FALSE;
    }
    nucleus->position[k] = value * source->unit;
  }
  return TRUE;
}

/* Returns the number of lines without trailing empty ones, which a final newline produces. */
static guint
count_lines(char **lines)
{
  guint n = g_strv_length(lines);

  while (n > 0 && strspn(lines[n - 1], " \t\r") == strlen(lines[n - 1]))
    n--;
  return n;
}

static gboolean
count_nuclei(const Source *source, guint *n_nuclei, GError **error)
{
  g_auto(GStrv) words = source->lines[0] != NULL ? split_words(source->lines[0]) : NULL;
  guint         n_lines = count_lines(source->lines);
  int           count;

  if (words == NULL || g_strv_length(words) != 1 || !parse_integer(words[0], &count)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s is not an XYZ file; expected the number of nuclei, a comment, then an element "
                "and three coordinates per line",
                source->path);
    return FALSE;
  }
  if (count < 1 || count > LAC_XYZ_MAX_NUCLEI) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s, line 1: %d nuclei; a molecule can have 1 to %d", source->path, count,
                LAC_XYZ_MAX_NUCLEI);
    return FALSE;
  }
  if (n_lines < (guint) count + 2) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s: line 1 gives %d nuclei, but %u lines follow the comment", source->path, count,
                n_lines > 2 ? n_lines - 2 : 0);
    return FALSE;
  }
  *n_nuclei = (guint) count;
  return TRUE;
}

/* Prefixes a molecule's error message with the file name. */
static LacMolecule *
refuse(const char *path, GError *why, GError **error)
{
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s: %s", path, why->message);
  g_error_free(why);
  return NULL;
}

LacMolecule *
lac_xyz_parse(const char *text, const char *path, GError **error)
{
  g_auto(GStrv) lines = NULL;
  Source        source = {path, NULL, LAC_BOHR_PER_ANGSTROM, 0, -1};
  LacNucleus    nuclei[LAC_XYZ_MAX_NUCLEI];
  guint         n_nuclei, n_up, n_down;
  GError       *why = NULL;

  if (!g_utf8_validate(text, -1, NULL)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s is not UTF-8 text, as an XYZ file must be", path);
    return NULL;
  }
  source.lines = lines = g_strsplit(text, "\n", -1);
  if (!count_nuclei(&source, &n_nuclei, error) || !take_comment(&source, error))
    return NULL;
  for (guint i = 0; i < n_nuclei; i++)
    if (!take_nucleus(&source, i + 2, &nuclei[i], error))
      return NULL;
  if (!lac_nuclei_check(n_nuclei, nuclei, &why) ||
      !lac_molecule_occupy(n_nuclei, nuclei, source.charge, source.n_unpaired, &n_up, &n_down,
                           &why))
    return refuse(path, why, error);

  g_autofree char *formula = lac_molecule_dup_formula(n_nuclei, nuclei);
  return lac_molecule_new(formula, n_nuclei, nuclei, n_up, n_down);
}
