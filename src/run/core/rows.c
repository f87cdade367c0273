/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows are shifted; the memory of their metrics is recycled. */
#include "run/core/rows.h"

#include <math.h>
#include <string.h>

void
lac_run_rows_init(LacRunRows *rows, gsize n_metrics)
{
  *rows = (LacRunRows){.n_metrics = n_metrics};
  for (guint i = 0; i < LAC_STEP_MOST_OPEN; i++)
    rows->rows[i].metrics = g_new0(double, n_metrics + 1);
  rows->newest = g_new0(double, n_metrics + 1);
  rows->last = g_new(double, n_metrics + 1);
  for (gsize m = 0; m < n_metrics; m++)
    rows->last[m] = NAN;
  rows->packed = g_new0(double, n_metrics + 2);
}

void
lac_run_rows_clear(LacRunRows *rows)
{
  for (guint i = 0; i < LAC_STEP_MOST_OPEN; i++)
    g_clear_pointer(&rows->rows[i].metrics, g_free);
  g_clear_pointer(&rows->newest, g_free);
  g_clear_pointer(&rows->last, g_free);
  g_clear_pointer(&rows->packed, g_free);
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
  rows->n++;
  return newest;
}

LacRunRow *
lac_run_rows_get_due(LacRunRows *rows, gboolean all)
{
  LacRunRow *oldest = rows->n > 0 ? &rows->rows[rows->n - 1] : NULL;

  return oldest && (all || rows->n == LAC_STEP_MOST_OPEN || lac_pending_is_ready(&oldest->pending))
           ? oldest
           : NULL;
}

const LacRunRow *
lac_run_rows_take(LacRunRows *rows)
{
  g_return_val_if_fail(rows->n > 0, NULL);
  return &rows->rows[--rows->n];
}

void
lac_run_rows_forget_pending(LacRunRows *rows)
{
  for (guint i = 0; i < rows->n; i++)
    rows->rows[i].pending = (LacPending){NULL};
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

double *
lac_run_rows_find(LacRunRows *rows, gint64 step)
{
  for (guint i = 0; i < rows->n; i++)
    if (rows->rows[i].step == step)
      return rows->rows[i].metrics;
  return NULL;
}

void
lac_run_rows_complete(LacRunRows *rows, const LacRunRow *row)
{
  const gsize n_bytes = rows->n_metrics * sizeof(double);

  memcpy(rows->newest, row->metrics, n_bytes);
  rows->step = row->step;
  lac_run_rows_note_finite(rows, rows->newest);
  memcpy(&rows->packed[0], &row->step, sizeof row->step);
  rows->packed[1] = row->seconds;
  memcpy(&rows->packed[2], row->metrics, n_bytes);
  rows->is_pending = TRUE;
}

void
lac_run_rows_note_finite(LacRunRows *rows, const double *metrics)
{
  for (gsize m = 0; m < rows->n_metrics; m++)
    if (isfinite(metrics[m]))
      rows->last[m] = metrics[m];
}
