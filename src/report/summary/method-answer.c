/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentence about the best method. */
#include "report/summary/method-answer.h"

#include <glib/gi18n-lib.h>

#include <math.h>

static guint
count_ranked(const LacMethodTable *table)
{
  guint n = 0;

  for (gsize r = 0; r < table->n_rows; r++)
    n += !table->rows[r].is_comparison && isfinite(table->rows[r].cells[table->ranking].value);
  return n;
}

/* Returns: (transfer full): the other methods with their values, in the order of the table. */
static char *
dup_others(const LacMethodTable *table)
{
  GString *others = g_string_new(NULL);

  for (gsize r = 0; r < table->n_rows; r++) {
    const LacMethodRow  *row = &table->rows[r];
    const LacMethodCell *cell = &row->cells[table->ranking];

    if ((gssize) r != table->best && !row->is_comparison && isfinite(cell->value))
      g_string_append_printf(others, "%s%s %s", others->len > 0 ? ", " : "", row->name, cell->text);
  }
  return g_string_free(others, FALSE);
}

/* Returns: (transfer full): the value of a method that is alone. */
static char *
dup_single(const LacMethodTable *table, gsize row, gsize column)
{
  const LacMethodColumn *of = &table->columns[column];
  const char            *name = table->rows[row].name, *text = table->rows[row].cells[column].text;

  return of->kind == LAC_COLUMN_MAIN
           ? g_strdup_printf(_("%s: %s (%s)."), of->explanation, text, name)
           : g_strdup_printf(_("%s: %s (%s)."), name, text, of->explanation);
}

/* Returns: (transfer full) (nullable): the first value of a single method, where nothing ranks it. */
static char *
dup_unranked(const LacMethodTable *table)
{
  const gboolean is_single = table->n_rows > 0 && !table->rows[0].is_comparison &&
                             (table->n_rows == 1 || table->rows[1].is_comparison);
  const gboolean has_value = table->n_columns > 0 && table->columns[0].kind != LAC_COLUMN_FURTHER &&
                             !g_str_equal(table->columns[0].key, LAC_METHOD_SECONDS);

  return is_single && has_value && isfinite(table->rows[0].cells[0].value) ? dup_single(table, 0, 0)
                                                                           : NULL;
}

char *
lac_method_answer_dup(const LacMethodTable *table)
{
  g_return_val_if_fail(table != NULL, NULL);
  if (table->ranking < 0 || table->best < 0)
    return dup_unranked(table);
  const LacMethodRow    *best = &table->rows[table->best];
  const LacMethodColumn *column = &table->columns[table->ranking];
  const char            *value = best->cells[table->ranking].text;
  const guint            n = count_ranked(table);

  if (n < 2)
    return dup_single(table, (gsize) table->best, (gsize) table->ranking);
  g_autofree char *others = dup_others(table);
  if (column->kind == LAC_COLUMN_MAIN)
    /* Translators: measure, method, number of methods, its value; the other methods with theirs. */
    return g_strdup_printf(_("%s: %s is the best of %u methods with %s; then %s."),
                           column->explanation, best->name, n, value, others);
  /* Translators: method, number of methods, its error, what it is a mean of; the other methods with theirs. */
  return g_strdup_printf(_("%s is the best of %u methods with %s (%s); then %s."), best->name, n,
                         value, column->explanation, others);
}
