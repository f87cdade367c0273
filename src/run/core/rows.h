/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics of a run: the rows of the last steps, some of them still incomplete; the newest complete row; and the last
 * finite value of each metric. Compute thread. */
#pragma once

#include "experiment/experiment.h"

G_BEGIN_DECLS

typedef struct {
  gint64  step;
  double  seconds; /* compute clock at the end of the step */
  double *metrics; /* [n_metrics] */
} LacRunRow;

typedef struct {
  gsize     n_metrics;
  guint     n; /* rows not yet taken, the newest first */
  LacRunRow rows[LAC_STEP_MOST_OPEN];
  double   *earlier[LAC_STEP_MOST_OPEN - 1]; /* see LacStepReport */

  double  *newest; /* [n_metrics]: the newest complete row */
  double  *last;   /* [n_metrics]: last finite values; NaN: none yet */
  gint64   step;   /* step of @newest; 0: no row is complete yet */
  double  *packed; /* [2 + n_metrics]: @newest in file format: bits of the step, seconds, metrics */
  gboolean is_pending; /* @packed is not written yet */
} LacRunRows;

void lac_run_rows_init(LacRunRows *rows, gsize n_metrics);
void lac_run_rows_clear(LacRunRows *rows); /* accepts a zeroed struct */

/* Adds a row of NaN as the newest. There must be fewer than LAC_STEP_MOST_OPEN rows not yet taken. */
LacRunRow *lac_run_rows_add(LacRunRows *rows);

/* Removes the oldest row if there are more than @n_open. Returns: (nullable): that row, valid until the next is
 * added. */
const LacRunRow *lac_run_rows_take(LacRunRows *rows, guint n_open);

/* Removes the newest row, whose step failed. */
void lac_run_rows_drop(LacRunRows *rows);

/* Returns the metrics of the open row of @step; NULL: there is none. */
double *lac_run_rows_find(LacRunRows *rows, gint64 step);

/* Makes a complete row the newest one, which is then pending: packed but not written. */
void lac_run_rows_complete(LacRunRows *rows, const LacRunRow *row);
/* Updates the last finite values. */
void lac_run_rows_note_finite(LacRunRows *rows, const double *metrics);

G_END_DECLS
