/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics of a run: rows of the last steps, some of which may still be incomplete, the newest complete row, and the last finite
 * value of each metric. Compute thread. */
#pragma once

#include "experiment/experiment.h"

G_BEGIN_DECLS

typedef struct {
  gint64  step;
  double  seconds; /* of the compute clock, when it was done */
  double *metrics; /* [n_metrics] */
} LacRunRow;

typedef struct {
  gsize     n_metrics;
  guint     n; /* rows that are not handed on; the newest one first */
  LacRunRow rows[LAC_STEP_MOST_OPEN];
  double   *earlier[LAC_STEP_MOST_OPEN - 1]; /* as LacStepReport's */

  double *newest; /* [n_metrics]: of the newest complete row */
  double *last;   /* [n_metrics]: last finite values; NaN: none yet */
  gint64  step;   /* of @newest; 0: no row was complete yet */
  double
    *packed; /* [2 + n_metrics]: @newest as it is written: the bits of the step, seconds, metrics */
  gboolean is_pending; /* @packed is not written yet */
} LacRunRows;

void lac_run_rows_init(LacRunRows *rows, gsize n_metrics);
void lac_run_rows_clear(LacRunRows *rows); /* a zeroed one too */

/* A new row of NaN becomes the newest. The oldest one must have been taken where LAC_STEP_MOST_OPEN are there. */
LacRunRow *lac_run_rows_add(LacRunRows *rows);

/* Returns: (nullable): the oldest row, valid until the next is added, where there are more than @n_open. */
const LacRunRow *lac_run_rows_take(LacRunRows *rows, guint n_open);

/* The newest one did not come about. */
void lac_run_rows_drop(LacRunRows *rows);

/* Returns the metrics of the open row of @step; NULL: there is none. */
double *lac_run_rows_find(LacRunRows *rows, gint64 step);

/* A row that is complete becomes the newest one, pending. */
void lac_run_rows_complete(LacRunRows *rows, const LacRunRow *row);
/* Updates the last finite values. */
void lac_run_rows_note_finite(LacRunRows *rows, const double *metrics);

G_END_DECLS
