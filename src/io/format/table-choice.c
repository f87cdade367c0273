/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/format/table-choice.h"

#include "base/error.h"
#include "io/format/whole-file.h"

#include <string.h>

char *
lac_table_choice_dup_file(const char *path, const char **choice)
{
  const char *mark = strrchr(path, '#');

  *choice = NULL;
  if (mark == NULL || strchr(mark, '=') == NULL || g_file_test(path, G_FILE_TEST_EXISTS))
    return g_strdup(path);
  *choice = mark + 1;
  return g_strndup(path, (gsize) (mark - path));
}

char *
lac_table_choice_dup_column(const char *choice, const char *role)
{
  g_auto(GStrv) pairs = g_strsplit(choice != NULL ? choice : "", ",", -1);

  for (gsize i = 0; pairs[i] != NULL; i++) {
    char *equals = strchr(pairs[i], '=');

    if (equals == NULL)
      continue;
    *equals = '\0';
    if (g_str_equal(g_strstrip(pairs[i]), role))
      return g_strdup(g_strstrip(equals + 1));
  }
  return NULL;
}

static gboolean
refuse(const LacTableText *table, const char *column, GError **error)
{
  g_autofree char *names = g_strjoinv(", ", (GStrv) table->names);
  g_autofree char *valid = g_utf8_make_valid(names, -1);

  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s has no column \"%s\"; its columns are %s",
              table->path, column, valid);
  return FALSE;
}

/* Names the columns that one pair chooses; @names: (inout): [n_names]. */
static gboolean
rename_columns(LacTableText *table, char *pair, char **names, GError **error)
{
  char    *equals = strchr(pair, '=');
  gboolean is_found = FALSE;

  if (equals == NULL) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s: \"%s\" names no column; write ROLE=COLUMN, as in x=easting,u=speed",
                table->path, pair);
    return FALSE;
  }
  *equals = '\0';
  g_strstrip(pair);
  const char *column = g_strstrip(equals + 1);
  for (guint i = 0; i < table->n_names; i++)
    if (g_str_equal(table->names[i], column)) {
      names[i] = pair;
      is_found = TRUE;
    }
  return is_found || refuse(table, column, error);
}

/* Parts of the choice remain in the table as names. */
static gboolean
rename_all(LacTableText *table, const char *choice, GError **error)
{
  g_autofree char **names = g_new0(char *, table->n_names);
  char             *next;

  table->chosen = g_strdup(choice);
  next = table->chosen;
  while (next != NULL) {
    char *pair = next, *comma = strchr(pair, ',');

    if (comma != NULL)
      *comma = '\0';
    next = comma != NULL ? comma + 1 : NULL;
    if (!rename_columns(table, pair, names, error))
      return FALSE;
  }
  for (guint i = 0; i < table->n_names; i++)
    table->names[i] = names[i] != NULL ? names[i] : table->chosen + strlen(choice);
  return TRUE;
}

LacTableText *
lac_table_choice_open(const char *path, GError **error)
{
  const char             *choice;
  g_autofree char        *file = lac_table_choice_dup_file(path, &choice);
  gsize                   length;
  char                   *text = lac_whole_file_read_lines(file, &length, error);
  g_autoptr(LacTableText) table =
    text != NULL ? lac_table_text_new(path, text, length, error) : NULL;

  if (table == NULL || (choice != NULL && !rename_all(table, choice, error)))
    return NULL;
  return g_steal_pointer(&table);
}
