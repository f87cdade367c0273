/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics of a run: the rows of the last steps, of which some are still pending; the newest complete row; and the last
 * finite value of each metric. Compute thread. */
#pragma once

#include "experiment/experiment.h"

G_BEGIN_DECLS

typedef struct {
  gint64     step;
  double     seconds; /* compute clock at the end of the step */
  double    *metrics; /* [n_metrics] */
  LacPending pending; /* metrics that come later */
} LacRunRow;

typedef struct {
  gsize     n_metrics;
  guint     n; /* rows not yet taken, the newest first */
  LacRunRow rows[LAC_STEP_MOST_OPEN];

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

/* Returns: (nullable): the oldest row if it can be finished without waiting, if there is room for no other, or if @all is
 * TRUE. */
LacRunRow *lac_run_rows_get_due(LacRunRows *rows, gboolean all);
/* Removes the oldest row. Returns: that row, valid until the next is added. */
const LacRunRow *lac_run_rows_take(LacRunRows *rows);
/* The device of pending metrics is lost: nothing is pending any more. */
void lac_run_rows_forget_pending(LacRunRows *rows);

/* Removes the newest row, whose step failed. */
void lac_run_rows_drop(LacRunRows *rows);

/* Returns the metrics of the open row of @step; NULL: there is none. */
double *lac_run_rows_find(LacRunRows *rows, gint64 step);

/* Makes a complete row the newest one, which is then pending: packed but not written. */
void lac_run_rows_complete(LacRunRows *rows, const LacRunRow *row);
/* Updates the last finite values. */
void lac_run_rows_note_finite(LacRunRows *rows, const double *metrics);

G_END_DECLS
