/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reader of a line of names and of the rows below it. */
#include "io/format/table-text.h"

#include "base/error.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

#define MISSING 1.7e308 /* some programs write the largest double for a missing value */

/* Splits "u (m/s) @ t=2" and "u [m/s]" into name, unit and time, in place. */
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

/* Returns the last of the leading % lines, without the %; NULL: there is none. */
static char *
take_remarked_names(LacTableText *table)
{
  char *names = NULL;

  while (table->rows.next[strspn(table->rows.next, " \t\r\n")] == '%') {
    char *line = lac_text_rows_take_line(&table->rows);
    line += strspn(line, " \t%");
    if (*line != '\0')
      names = line;
  }
  return names;
}

static gboolean
read_names(LacTableText *table, GError **error)
{
  gboolean is_remarked = table->rows.next[0] == '%';
  char    *line = is_remarked ? take_remarked_names(table) : lac_text_rows_take(&table->rows);

  table->line = table->rows.line;

  if (line == NULL) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s has no line that names its columns; write one above the numbers", table->path);
    return FALSE;
  }
  table->separator[0] = is_remarked ? ' ' : lac_text_find_separator(line);
  if (!(is_remarked
          ? lac_text_split_phrases(line, table->names, LAC_TABLE_MAX_COLUMNS, &table->n_names)
          : lac_text_split(line, table->separator, table->names, LAC_TABLE_MAX_COLUMNS,
                           &table->n_names))) {
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
  lac_text_rows_init(&table->rows, text, "#%");
  if (strlen(text) != length) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s is not text: there is a zero byte at offset %" G_GSIZE_FORMAT, path,
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
  g_free(table->chosen);
  g_free(table);
}

gboolean
lac_table_text_next(LacTableText *table, GError **error)
{
  char *line = lac_text_rows_take(&table->rows);

  if (line == NULL)
    return FALSE;
  table->line = table->rows.line;
  if (lac_text_split(line, table->separator, table->cells, LAC_TABLE_MAX_COLUMNS,
                     &table->n_cells) &&
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
