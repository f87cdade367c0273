/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The best method, and the order of the rows. */
#include "report/summary/method-table-private.h"

#include <math.h>

/* Returns TRUE when @a is better than @b. A missing value is worse than any other. */
static gboolean
is_better(LacRank rank, double a, double b)
{
  if (!isfinite(a) || !isfinite(b))
    return isfinite(a) && !isfinite(b);
  return rank == LAC_RANK_GREATEST ? a > b : a < b;
}

static gssize
find_best(const LacMethodTable *table, gsize column)
{
  gssize best = -1;

  for (gsize r = 0; r < table->n_rows; r++) {
    const double value = table->rows[r].cells[column].value;

    if (!table->rows[r].is_comparison && isfinite(value) &&
        (best < 0 ||
         is_better(table->columns[column].rank, value, table->rows[best].cells[column].value)))
      best = (gssize) r;
  }
  return best;
}

/* Returns TRUE when the column compares methods: not with a value of one among several. */
static gboolean
can_rank(const LacMethodTable *table, gsize column)
{
  gsize n_methods = 0, n_values = 0;

  for (gsize r = 0; r < table->n_rows; r++) {
    n_methods += !table->rows[r].is_comparison;
    n_values += !table->rows[r].is_comparison && isfinite(table->rows[r].cells[column].value);
  }
  return n_values > 1 || n_methods == 1;
}

/* The columns are in the order of precedence: the mean, once there is one, then a ranked column, then the error at the
 * step. */
void
lac_method_table_rank(LacMethodTable *table)
{
  table->ranking = table->best = -1;
  for (gsize c = 0; c < table->n_columns && table->best < 0; c++) {
    if (table->columns[c].rank == LAC_RANK_NONE || !can_rank(table, c))
      continue;
    table->best = find_best(table, c);
    table->ranking = table->best < 0 ? -1 : (gssize) c;
  }
}

void
lac_method_table_sort(LacMethodTable *table, gssize column)
{
  LacMethodRow best = {0};

  g_return_if_fail(table != NULL && column < (gssize) table->n_columns);
  if (column < 0)
    return;
  if (table->best >= 0)
    best = table->rows[table->best];
  for (gsize i = 1; i < table->n_rows; i++)
    for (gsize r = i; r > 0; r--) {
      LacMethodRow *upper = &table->rows[r - 1], *lower = &table->rows[r], moved = *lower;

      if (lower->is_comparison != upper->is_comparison
            ? lower->is_comparison
            : !is_better(table->columns[column].rank, lower->cells[column].value,
                         upper->cells[column].value))
        break;
      *lower = *upper;
      *upper = moved;
    }
  for (gsize r = 0; r < table->n_rows && table->best >= 0; r++)
    if (table->rows[r].cells == best.cells) {
      table->best = (gssize) r;
      break;
    }
}
