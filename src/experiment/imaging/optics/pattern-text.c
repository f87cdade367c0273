/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Patterns of one's own, as text: rows of numbers, or a list of lists. */
#include "base/error.h"
#include "base/number.h"
#include "base/text-rows.h"
#include "experiment/imaging/optics/pattern.h"

#include <string.h>

#define MAX_VISITS 100000

/* Appends a visit of 2 or 4 numbers. Returns: FALSE when it is neither, or one too many. */
static gboolean
append(GArray *visits, const double *numbers, gsize n)
{
  LacVisit visit = {0};

  if ((n != 2 && n != 4) || visits->len == MAX_VISITS)
    return FALSE;
  visit = (LacVisit){numbers[0], numbers[1], numbers[n - 2], numbers[n - 1]};
  g_array_append_val(visits, visit);
  return TRUE;
}

/* Returns: how many numbers the cells of a row are; 0 when one of them is none */
static gsize
read_numbers(char *const *cells, gsize n, double *numbers)
{
  for (gsize i = 0; i < n; i++)
    if (!lac_number_parse(cells[i], &numbers[i]))
      return 0;
  return n;
}

static gboolean
read_csv(const char *text, GArray *visits, GError **error)
{
  g_autofree char *copy = g_strdup(text);
  gboolean         may_be_titles = TRUE;
  LacTextRows      rows;
  char            *line;

  lac_text_rows_init(&rows, copy, "#");
  while ((line = lac_text_rows_take(&rows)) != NULL) {
    g_autofree char *shown = g_strdup(line);
    char            *cells[4];
    double           numbers[4];
    guint            n_cells;
    const gboolean   is_row = lac_text_split(line, ",;\t", cells, 4, &n_cells);

    if (!append(visits, numbers, is_row ? read_numbers(cells, n_cells, numbers) : 0) &&
        !(may_be_titles && g_ascii_isalpha(cells[0][0]))) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                  "line %u of the pattern is \"%.60s\": two numbers (y, x) or four (y, x, end y, "
                  "end x), in at most %d lines",
                  rows.line, shown, MAX_VISITS);
      return FALSE;
    }
    may_be_titles = FALSE;
  }
  return TRUE;
}

static void
skip_space(const char **at)
{
  while (g_ascii_isspace(**at))
    (*at)++;
}

/* Returns: whether @byte came next; it is taken. */
static gboolean
take(const char **at, char byte)
{
  skip_space(at);
  if (**at != byte)
    return FALSE;
  (*at)++;
  return TRUE;
}

static gboolean
take_number(const char **at, double *number)
{
  g_autofree char *word = NULL;
  gsize            length;

  skip_space(at);
  length = strspn(*at, "+-.0123456789eE");
  word = g_strndup(*at, length);
  *at += length;
  return lac_number_parse(word, number);
}

/* [y, x] or [y, x, end y, end x] */
static gboolean
take_visit(const char **at, GArray *visits)
{
  double numbers[4];
  gsize  n = 0;

  if (!take(at, '['))
    return FALSE;
  do {
    if (n == G_N_ELEMENTS(numbers) || !take_number(at, &numbers[n++]))
      return FALSE;
  } while (take(at, ','));
  return take(at, ']') && append(visits, numbers, n);
}

static gboolean
take_list(const char **at, GArray *visits)
{
  if (!take(at, '['))
    return FALSE;
  if (take(at, ']'))
    return TRUE;
  do {
    if (!take_visit(at, visits))
      return FALSE;
  } while (take(at, ','));
  return take(at, ']');
}

static gboolean
take_document(const char **at, GArray *visits)
{
  const char *name = "\"visits\"";

  if (take(at, '{')) {
    skip_space(at);
    if (!g_str_has_prefix(*at, name))
      return FALSE;
    *at += strlen(name);
    if (!take(at, ':') || !take_list(at, visits) || !take(at, '}'))
      return FALSE;
  } else if (!take_list(at, visits)) {
    return FALSE;
  }
  skip_space(at);
  return !**at;
}

static gboolean
read_json(const char *text, GArray *visits, GError **error)
{
  const char *at = text;
  gsize       line = 1;

  if (take_document(&at, visits))
    return TRUE;
  for (const char *c = text; c < at; c++)
    line += *c == '\n';
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "line %" G_GSIZE_FORMAT " of the pattern cannot be read at \"%.20s\": a list of [y, "
              "x] or [y, x, end y, end x] is wanted",
              line, at);
  return FALSE;
}

LacVisit *
lac_pattern_read(const char *text, gsize *n_visits, GError **error)
{
  g_autoptr(GArray) visits = g_array_new(FALSE, FALSE, sizeof(LacVisit));
  const char       *start = text;

  g_return_val_if_fail(text && n_visits, NULL);
  skip_space(&start);
  if (!g_utf8_validate(text, -1, NULL)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "the pattern is not text: CSV or JSON is wanted");
    return NULL;
  }
  if (!(*start == '[' || *start == '{' ? read_json(text, visits, error)
                                       : read_csv(text, visits, error)))
    return NULL;
  if (visits->len == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "the pattern holds no apertures: it needs at least one");
    return NULL;
  }
  *n_visits = visits->len;
  return g_memdup2(visits->data, visits->len * sizeof(LacVisit));
}

char *
lac_pattern_dup_csv(const LacVisit *visits, gsize n_visits)
{
  GString *text = g_string_new("y,x,end_y,end_x\n");

  for (gsize i = 0; i < n_visits; i++) {
    const double numbers[4] = {visits[i].y, visits[i].x, visits[i].end_y, visits[i].end_x};

    for (gsize j = 0; j < G_N_ELEMENTS(numbers); j++) {
      g_autofree char *number = lac_number_dup_text(numbers[j]);

      g_string_append_printf(text, "%s%c", number, j + 1 < G_N_ELEMENTS(numbers) ? ',' : '\n');
    }
  }
  return g_string_free(text, FALSE);
}
