/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outcome of a run and its reason: reported by the experiment, detected from a growing metric, or due to an error. */
#pragma once

#include "experiment/experiment.h"

G_BEGIN_DECLS

/* Divergence criterion: growth of a loss or error, which a run should reduce, relative to its initial values. */
#define LAC_BLOW_UP_FACTOR 1e6
#define LAC_BLOW_UP_FIRST  5 /* number of initial values whose maximum is the reference */
#define LAC_BLOW_UP_ROWS   2 /* consecutive values, since one may be an outlier */

typedef struct {
  guint  n_seen, n_above;
  double start;
} LacBlowUp;

/* Adds the next value of a metric that has a logarithmic axis; non-finite values are skipped. @watch is zeroed
 * initially and for a resumed run. Returns: TRUE once the metric has blown up: its values are finite but
 * meaningless. */
gboolean lac_blow_up_watch(LacBlowUp *watch, double value);

/* Outcome of a run: written by the compute thread; read by others after that thread has ended. */
typedef struct {
  LacOutcome value;
  char       why[160], who[32]; /* reason of a divergence, and the solver that diverged */
  LacBlowUp *blow_ups;          /* [n_metrics] */
  GError    *error;             /* (nullable): set if the run failed */
} LacRunOutcome;

void lac_run_outcome_init(LacRunOutcome *outcome, gsize n_metrics);
void lac_run_outcome_clear(LacRunOutcome *outcome); /* accepts a zeroed struct */

void lac_run_outcome_set(LacRunOutcome *outcome, const LacStepReport *report);
/* Ends the run of a single method as diverged when one of the @metrics has grown by LAC_BLOW_UP_FACTOR. */
void
lac_run_outcome_watch(LacRunOutcome *outcome, const LacOutline *outline, const double *metrics);

/* Returns: (transfer none): finished, stopped, diverged, failed */
const char *lac_run_outcome_get_word(const LacRunOutcome *outcome);

G_END_DECLS
