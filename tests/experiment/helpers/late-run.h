/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run whose metrics may come some steps later, walked through as run/ does, and beside one whose steps wait for theirs. */
#pragma once

#include "experiment/experiment.h"

#define LATE_MOST_STEPS   80
#define LATE_MOST_METRICS 64

/* Rows of a run, and the steps whose metrics are pending. */
typedef struct {
  gsize      n_steps, n_finished;
  double     rows[LATE_MOST_STEPS][LATE_MOST_METRICS];
  LacPending pending[LATE_MOST_STEPS];
  guint      most_open;
} LateRows;

typedef struct {
  const char        *experiment;
  const char *const *settings;
  guint              most_open; /* that is expected where metrics may be late */
  const char        *precision; /* NULL: f32 */
} LateBed;

/* Performs a step. @may_lag: its metrics may come later, as in a run. Returns: its outcome. */
LacOutcome
late_rows_step(LateRows *rows, const LacExperiment *experiment, gpointer state, gboolean may_lag);

/* Waits for the metrics of all steps but @n_open. */
void late_rows_finish(LateRows *rows, guint n_open);

/* Returns: (transfer full): the state of a new run. @draft: its parameters, which are borrowed. */
gpointer late_run_new(const LateBed *bed, LacContext *context, LacDraft **draft);

/* To the end. Returns: (transfer full): its rows. */
LateRows *late_run_walk(const LateBed *bed, LacDevice device, gboolean may_lag);

/* The same rows to the bit, late or not. */
void late_run_compare(const LateBed *bed, const LacBackend *table);

LacFrame *late_run_new_frame(const LacExperiment *experiment, gconstpointer params, gpointer state);
