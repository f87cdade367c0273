/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The outcome of a run and its reason: as the experiment reports it, by the growth of a metric, or an error. */
#pragma once

#include "experiment/experiment.h"

G_BEGIN_DECLS

/* Growth of a loss or an error, which a run is to bring down, over the values it began with. */
#define LAC_BLOW_UP_FACTOR 1e6
#define LAC_BLOW_UP_FIRST  5 /* values whose largest is what the metric began with */
#define LAC_BLOW_UP_ROWS   2 /* values in a row: one may be an outlier */

typedef struct {
  guint  n_seen, n_above;
  double start;
} LacBlowUp;

/* Takes the next value of one metric on a logarithmic axis; non-finite ones are skipped. @watch begins zeroed; a resumed run begins
 * anew. Returns: TRUE once it has blown up: its values are finite and mean nothing any more. */
gboolean lac_blow_up_watch(LacBlowUp *watch, double value);

/* Compute thread; others read it after that has ended. */
typedef struct {
  LacOutcome value;
  char       why[160], who[32]; /* of a divergence; who: the solver */
  LacBlowUp *blow_ups;          /* [n_metrics] */
  GError    *error;             /* (nullable): of a failed run */
} LacRunOutcome;

void lac_run_outcome_init(LacRunOutcome *outcome, gsize n_metrics);
void lac_run_outcome_clear(LacRunOutcome *outcome); /* a zeroed one too */

void lac_run_outcome_set(LacRunOutcome *outcome, const LacStepReport *report);
/* Ends the run as diverged when one of the @metrics has grown a millionfold. */
void
lac_run_outcome_watch(LacRunOutcome *outcome, const LacOutline *outline, const double *metrics);

/* Returns: (transfer none): finished, stopped, diverged, failed */
const char *lac_run_outcome_get_word(const LacRunOutcome *outcome);

G_END_DECLS
