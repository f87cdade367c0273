/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics of the last steps, while some of them may still be on their way. */
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
} LacRunRows;

void lac_run_rows_init(LacRunRows *rows, gsize n_metrics);
void lac_run_rows_clear(LacRunRows *rows);

/* A new row of NaN becomes the newest. The oldest one must have been taken where LAC_STEP_MOST_OPEN are there. */
LacRunRow *lac_run_rows_add(LacRunRows *rows);

/* Returns: (nullable): the oldest row, valid until the next is added, where there are more than @n_open. */
const LacRunRow *lac_run_rows_take(LacRunRows *rows, guint n_open);

/* The newest one did not come about. */
void lac_run_rows_drop(LacRunRows *rows);

G_END_DECLS
