/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows move; the memory of their metrics goes round. */
#include "run/core/rows.h"

#include <math.h>
#include <string.h>

void
lac_run_rows_init(LacRunRows *rows, gsize n_metrics)
{
  *rows = (LacRunRows){.n_metrics = n_metrics};
  for (guint i = 0; i < LAC_STEP_MOST_OPEN; i++)
    rows->rows[i].metrics = g_new0(double, n_metrics + 1);
}

void
lac_run_rows_clear(LacRunRows *rows)
{
  for (guint i = 0; i < LAC_STEP_MOST_OPEN; i++)
    g_clear_pointer(&rows->rows[i].metrics, g_free);
}

LacRunRow *
lac_run_rows_add(LacRunRows *rows)
{
  LacRunRow *newest = &rows->rows[0];
  double    *metrics = rows->rows[LAC_STEP_MOST_OPEN - 1].metrics;

  g_return_val_if_fail(rows->n < LAC_STEP_MOST_OPEN, NULL);
  memmove(rows->rows + 1, rows->rows, (LAC_STEP_MOST_OPEN - 1) * sizeof *rows->rows);
  *newest = (LacRunRow){.metrics = metrics};
  for (gsize i = 0; i < rows->n_metrics; i++)
    metrics[i] = NAN;
  for (guint i = 0; i + 1 < LAC_STEP_MOST_OPEN; i++)
    rows->earlier[i] = rows->rows[i + 1].metrics;
  rows->n++;
  return newest;
}

const LacRunRow *
lac_run_rows_take(LacRunRows *rows, guint n_open)
{
  return rows->n > n_open ? &rows->rows[--rows->n] : NULL;
}

void
lac_run_rows_drop(LacRunRows *rows)
{
  const LacRunRow dropped = rows->rows[0];

  g_return_if_fail(rows->n > 0);
  memmove(rows->rows, rows->rows + 1, (LAC_STEP_MOST_OPEN - 1) * sizeof *rows->rows);
  rows->rows[LAC_STEP_MOST_OPEN - 1] = dropped;
  rows->n--;
}
