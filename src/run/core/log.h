/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writer of the run folder on the compute thread: events, metric rows, records, frames and checkpoints within the
 * disk budget, and the relays that pass rows and records to the controlling thread. */
#pragma once

#include "io/runfile/folder.h"
#include "io/runfile/replay.h"
#include "perf/recorder/decimator.h"
#include "run/core/budget.h"
#include "run/core/monitor.h"
#include "run/core/progress.h"
#include "run/core/recorder.h"
#include "run/core/relay.h"

G_BEGIN_DECLS

#define LAC_EVENT_SET      "set"
#define LAC_MARK_COMMAND   "command: " /* and the event: the mark of a command in the records */
#define LAC_EVENT_DIVERGED "diverged"  /* event whose detail names the solver that diverged */

typedef struct {
  const LacRunProgress *progress; /* provides step and time of every entry */
  LacRunRecorder       *recorder;
  LacRunMonitor        *monitor;

  char         *path;  /* of the folder; remains valid after closing */
  char         *sweep; /* (nullable): for the header of a new folder */
  LacRunSession session;
  LacRunFolder *folder;
  LacStore     *store; /* state of the last checkpoint */
  LacRunBudget  budget;
  LacDecimator *decimator;         /* decimates the records */
  LacRelay     *records, *rows;    /* read by the controlling thread */
  guint64       n_records, n_rows; /* numbers of records and rows handed over so far */
  guint64       flushed_bytes;     /* size of the folder at the last flush */
  gint64        live_bytes;        /* largest arena of any operation, from the planner */
  gboolean      is_room_short;
  gint          is_writing; /* atomic: writing the folder, not computing */
} LacRunLog;

/* Zeroes @log. Borrows @progress, @recorder, @monitor. */
void lac_run_log_init(LacRunLog            *log,
                      const LacRunProgress *progress,
                      LacRunRecorder       *recorder,
                      LacRunMonitor        *monitor);
void lac_run_log_clear(LacRunLog *log);

/* Creates a folder within @parent. */
gboolean
lac_run_log_create(LacRunLog *log, const char *parent, const LacRunHeader *header, GError **error);
/* Opens the folder at @path. @step, @seconds: (out): step and compute time of its checkpoint */
gboolean lac_run_log_reopen(LacRunLog *log, gint64 *step, double *seconds, GError **error);
/* @n_metrics: number of metrics per row */
void lac_run_log_open_relays(LacRunLog *log, gsize n_metrics);

/* ---- compute thread ---- */
gboolean lac_run_log_event(LacRunLog *log, const char *what, const char *detail, GError **error);
/* @row: as packed by LacRunRows */
gboolean lac_run_log_row(LacRunLog *log, gint64 step, const double *row, GError **error);
/* Omits frames while the disk is full. */
gboolean
lac_run_log_frame(LacRunLog *log, const LacFrame *frame, guint64 frame_bytes, GError **error);
gboolean lac_run_log_decimate_frames(LacRunLog *log, gint64 stride, GError **error);
/* Writes the state in the log's store. */
gboolean lac_run_log_checkpoint(LacRunLog *log, GError **error);
guint64  lac_run_log_get_state_bytes(const LacRunLog *log); /* size of the last checkpoint */

/* Writes all records since the last call, within the budget. */
gboolean lac_run_log_records(LacRunLog *log, GError **error);
gboolean lac_run_log_last_records(LacRunLog *log,
                                  GError **error); /* the same without recording the write itself */
/* Writes the records that were dropped, as sums. */
gboolean lac_run_log_sums(LacRunLog *log, GError **error);
/* Writes an event with the number of dropped records, at the end of the run. */
gboolean lac_run_log_account(LacRunLog *log, GError **error);

/* Hands new rows and records over to the controlling thread. */
gboolean lac_run_log_publish(LacRunLog *log, GError **error);
gboolean lac_run_log_flush(LacRunLog *log, GError **error);
/* Flushes the folder, then announces the rows and records that are only in the folder, not in the queues. Call after
 * the last write. */
void lac_run_log_finish_relays(LacRunLog *log);
/* Warns the user when free disk space falls below @need bytes; resumes all streams when it is sufficient again. */
gboolean lac_run_log_watch_room(LacRunLog *log, guint64 need, GError **error);

G_END_DECLS
