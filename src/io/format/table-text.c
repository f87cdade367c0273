/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text with rows and columns: lines to cells, in place. */
#include "io/format/table-text.h"

#include "base/error.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

#define BYTE_ORDER_MARK "\xef\xbb\xbf"
#define MISSING         1.7e308 /* some programs write the largest number there is for a missing one */

/* Cuts the next line off, its end included. Returns: (nullable): NULL at the end. */
static char *
take_line(LacTableText *table)
{
  char *line = table->next;

  if (line == NULL || *line == '\0')
    return NULL;
  char *end = line + strcspn(line, "\r\n");
  table->next = end + (end[0] == '\r' && end[1] == '\n' ? 2 : *end != '\0');
  *end = '\0';
  table->line++;
  return line;
}

/* The next line that says something, without spaces around. */
static char *
take_content(LacTableText *table)
{
  char *line;

  while ((line = take_line(table)) != NULL) {
    g_strstrip(line);
    if (*line != '\0' && *line != '#' && *line != '%')
      return line;
  }
  return NULL;
}

/* Returns: the end of a cell that begins at @at: the separator behind it or the end of the line. */
static char *
find_end(char *at, char separator)
{
  gboolean quoted = FALSE;

  for (; *at != '\0' && (quoted || *at != separator); at++)
    if (*at == '"')
      quoted = !quoted;
  return at;
}

/* Takes the spaces and one pair of quotes off. */
static char *
strip_quotes(char *cell)
{
  g_strstrip(cell);
  gsize n = strlen(cell);
  if (n < 2 || cell[0] != '"' || cell[n - 1] != '"')
    return cell;
  cell[n - 1] = '\0';
  return g_strstrip(cell + 1);
}

/* Cells between spaces. */
static gboolean
split_words(char *line, char **cells, guint *n)
{
  *n = 0;
  for (;;) {
    line += strspn(line, " \t");
    if (*line == '\0')
      return TRUE;
    if (*n == LAC_TABLE_MAX_COLUMNS)
      return FALSE;
    cells[(*n)++] = line;
    line += strcspn(line, " \t");
    if (*line != '\0')
      *line++ = '\0';
  }
}

/* Names apart by two spaces or more: a name may hold single ones. */
static gboolean
split_phrases(char *line, char **cells, guint *n)
{
  *n = 0;
  for (;;) {
    line += strspn(line, " \t");
    if (*line == '\0')
      return TRUE;
    if (*n == LAC_TABLE_MAX_COLUMNS)
      return FALSE;
    cells[(*n)++] = line;
    while (*line != '\0' && !(line[0] == ' ' && (line[1] == ' ' || line[1] == '\0')))
      line++;
    if (*line != '\0')
      *line++ = '\0';
  }
}

/* Returns: FALSE when there are more cells than anybody needs. */
static gboolean
split(char *line, char separator, char **cells, guint *n)
{
  *n = 0;
  if (separator == ' ')
    return split_words(line, cells, n);
  for (;;) {
    if (*n == LAC_TABLE_MAX_COLUMNS)
      return FALSE;
    char    *end = find_end(line, separator);
    gboolean is_last = *end == '\0';
    *end = '\0';
    cells[(*n)++] = strip_quotes(line);
    if (is_last)
      return TRUE;
    line = end + 1;
  }
}

static char
find_separator(const char *line)
{
  static const char candidates[] = {',', ';', '\t'};
  gsize             counts[G_N_ELEMENTS(candidates)] = {0}, best = 0;
  gboolean          quoted = FALSE;

  for (; *line != '\0'; line++) {
    quoted = quoted != (*line == '"');
    for (gsize i = 0; i < G_N_ELEMENTS(candidates) && !quoted; i++)
      counts[i] += *line == candidates[i];
  }
  for (gsize i = 1; i < G_N_ELEMENTS(candidates); i++)
    if (counts[i] > counts[best])
      best = i;
  return candidates[best];
}

/* "u (m/s) @ t=2" and "u [m/s]" to name, unit and when, in place. */
static void
split_name(char *name, char **unit, char **when)
{
  char *at = strstr(name, " @ ");

  *when = at != NULL ? g_strstrip(at + 3) : NULL;
  if (at != NULL)
    *at = '\0';
  g_strchomp(name);
  gsize n = strlen(name);
  char  open = n == 0 ? '\0' : name[n - 1] == ']' ? '[' : name[n - 1] == ')' ? '(' : '\0';
  char *from = open != '\0' ? strrchr(name, open) : NULL;

  *unit = NULL;
  if (from == NULL || from == name)
    return;
  name[n - 1] = *from = '\0';
  *unit = g_strstrip(from + 1);
  g_strchomp(name);
}

/* The last of the lines behind % at the beginning, without it; NULL: there is none. */
static char *
take_remarked_names(LacTableText *table)
{
  char *names = NULL;

  while (table->next[strspn(table->next, " \t\r\n")] == '%') {
    char *line = take_line(table);
    line += strspn(line, " \t%");
    if (*line != '\0')
      names = line;
  }
  return names;
}

static gboolean
read_names(LacTableText *table, GError **error)
{
  gboolean is_remarked = table->next[0] == '%';
  char    *line = is_remarked ? take_remarked_names(table) : take_content(table);

  if (line == NULL) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s has no line that names its columns; write one above the numbers", table->path);
    return FALSE;
  }
  table->separator = is_remarked ? ' ' : find_separator(line);
  if (!(is_remarked ? split_phrases(line, table->names, &table->n_names)
                    : split(line, table->separator, table->names, &table->n_names))) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s, line %u: more than %d columns; a table takes 1 to %d", table->path,
                table->line, LAC_TABLE_MAX_COLUMNS, LAC_TABLE_MAX_COLUMNS);
    return FALSE;
  }
  for (guint i = 0; i < table->n_names; i++) {
    split_name(table->names[i], &table->units[i], &table->whens[i]);
    for (guint k = 0; k < i; k++) {
      if (!g_str_equal(table->names[i], table->names[k]) ||
          g_strcmp0(table->whens[i], table->whens[k]) != 0)
        continue;
      g_autofree char *name = g_utf8_make_valid(table->names[i], -1);
      g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                  "%s, line %u: two columns are named \"%s\"; give each a name of its own",
                  table->path, table->line, name);
      return FALSE;
    }
  }
  return TRUE;
}

LacTableText *
lac_table_text_new(const char *path, char *text, gsize length, GError **error)
{
  g_autoptr(LacTableText) table = g_new0(LacTableText, 1);

  table->path = path;
  table->text = text;
  table->next = g_str_has_prefix(text, BYTE_ORDER_MARK) ? text + strlen(BYTE_ORDER_MARK) : text;
  if (strlen(text) != length) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s is no text: there is a zero byte at place %" G_GSIZE_FORMAT, path,
                strlen(text) + 1);
    return NULL;
  }
  return read_names(table, error) ? g_steal_pointer(&table) : NULL;
}

void
lac_table_text_free(LacTableText *table)
{
  if (table == NULL)
    return;
  g_free(table->text);
  g_free(table);
}

gboolean
lac_table_text_next(LacTableText *table, GError **error)
{
  char *line = take_content(table);

  if (line == NULL)
    return FALSE;
  if (split(line, table->separator, table->cells, &table->n_cells) &&
      table->n_cells == table->n_names)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "%s, line %u has %u cells; the line of names has %u, and every row needs as many",
              table->path, table->line, table->n_cells, table->n_names);
  return FALSE;
}

int
lac_table_text_find(const LacTableText *table, const char *name)
{
  for (guint i = 0; i < table->n_names; i++)
    if (g_str_equal(table->names[i], name))
      return (int) i;
  for (guint i = 0; i < table->n_names; i++)
    if (g_ascii_strcasecmp(table->names[i], name) == 0)
      return (int) i;
  return -1;
}

gboolean
lac_table_text_number(const LacTableText *table, guint column, double *value, GError **error)
{
  const char *cell = table->cells[column];

  if (*cell == '\0' || g_ascii_strcasecmp(cell, "nan") == 0) {
    *value = NAN;
    return TRUE;
  }
  if (lac_number_parse(cell, value)) {
    if (fabs(*value) > MISSING)
      *value = NAN;
    return TRUE;
  }
  g_autofree char *shown = g_utf8_make_valid(cell, MIN(strlen(cell), 40));
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "%s, line %u: %s = \"%s\" is not a number; write it with a decimal point, and nan or "
              "nothing where there is none",
              table->path, table->line, table->names[column], shown);
  return FALSE;
}
