/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of methods in a document; numbers aligned by column. */
#include "base/number-display.h"
#include "base/unit.h"
#include "report/summary/method-table-private.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define MOST_RATIO 100 /* of the values of a column with the same number of decimals */

/* Returns the decimal places in a text; -1 without plain notation. */
static int
count_decimals(const char *text)
{
  const char *at = strpbrk(text, ".,");

  if (strpbrk(text, "e±(%") != NULL)
    return -1;
  return at == NULL ? 0 : (int) strspn(at + 1, "0123456789");
}

/* Finds the decimal places of a column: four digits of the largest value, at most as many as a text has. Returns:
 * FALSE for a column of other texts, or of values of different size. */
static gboolean
find_decimals(const LacMethodTable *table, gsize c, double factor, guint *decimals)
{
  double least = INFINITY, most = 0;
  int    longest = 0;

  for (gsize r = 0; r < table->n_rows; r++) {
    const LacMethodCell *cell = &table->rows[r].cells[c];
    const int            n = count_decimals(cell->text);

    if (!isfinite(cell->value))
      continue;
    if (n < 0)
      return FALSE;
    longest = MAX(longest, n);
    most = fmax(most, fabs(factor * cell->value));
    least = fabs(cell->value) > 0 ? fmin(least, fabs(factor * cell->value)) : least;
  }
  if (!(most > 0) || most > MOST_RATIO * least)
    return FALSE;
  *decimals = (guint) CLAMP(3 - (int) floor(log10(most)), 0, longest);
  return TRUE;
}

void
lac_method_table_align(LacMethodTable *table, gsize c, const LacMetric *metric)
{
  const LacShown shown = lac_shown(metric->unit);
  guint          decimals;

  if (!find_decimals(table, c, shown.factor, &decimals))
    return;
  for (gsize r = 0; r < table->n_rows; r++) {
    LacMethodCell *cell = &table->rows[r].cells[c];

    if (!isfinite(cell->value))
      continue;
    g_autofree char *number =
      lac_number_take_minus(lac_number_dup_fixed(lac_shown_value(&shown, cell->value), decimals));
    g_free(cell->text);
    cell->text = lac_text_with_unit(number, shown.unit);
  }
}

void
lac_method_table_print(const LacMethodTable *table, LacTable *printed)
{
  LacColumn  *columns = g_new0(LacColumn, table->n_columns + 1);
  gsize       n = 1;
  const char *cells[64];

  columns[0] = (LacColumn){_("Method"), LAC_ALIGN_LEFT, TRUE};
  for (gsize c = 0; c < table->n_columns && n < G_N_ELEMENTS(cells); c++)
    if (table->columns[c].kind != LAC_COLUMN_FURTHER)
      columns[n++] = (LacColumn){g_intern_string(table->columns[c].title), LAC_ALIGN_RIGHT, FALSE};
  lac_table_init(printed, columns, n);
  printed->owned_columns = columns;
  for (gsize r = 0; r < table->n_rows; r++) {
    gsize filled = 0;

    cells[filled++] = table->rows[r].name;
    for (gsize c = 0; c < table->n_columns && filled < n; c++)
      if (table->columns[c].kind != LAC_COLUMN_FURTHER)
        cells[filled++] = table->rows[r].cells[c].text;
    lac_table_add(printed, (gssize) r == table->best ? LAC_ROW_STRONG : LAC_ROW_PLAIN, cells);
  }
}
