/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of `lacuna run --monitor-batches N`: the first N batches of each epoch, and the end of each epoch, on standard
 * error. Main thread. */
#pragma once

#include "run/core/run.h"

G_BEGIN_DECLS

typedef struct {
  LacRun     *run;     /* borrowed */
  guint       most;    /* number of batches of each epoch that have a line; 0: nothing is printed */
  GArray     *records; /* LacRecord: steps whose metrics are not known yet */
  GHashTable *losses;  /* step -> double: of steps whose records have not arrived yet */
  gsize       loss;    /* index of the metric shown: the first loss, else the main result */
  guint       epoch;   /* that is open; 0: none */
  gint64  begin_ns, end_ns, cpu, cpu_peak; /* of the epoch; cpu: resident bytes at its last batch */
  guint64 n_batches;
  double  sum, shortest, longest; /* seconds of its batches */
} LacBatchLog;

void lac_batch_log_init(LacBatchLog *log, LacRun *run, guint most);
void lac_batch_log_clear(LacBatchLog *log);

/* For lac_run_drain(), with the log as user data. */
void lac_batch_log_take_records(const LacRecord *records, gsize n, gpointer log);
void lac_batch_log_take_metrics(gint64 step, double seconds, const double *metrics, gpointer log);
/* Prints what is left, after the last lac_run_drain(). */
void lac_batch_log_end(LacBatchLog *log);

G_END_DECLS
