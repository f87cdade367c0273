/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run folder as the compute thread writes it: events, metric rows, records, frames and checkpoints within the disk budget, and
 * the relays that hand rows and records to the controlling thread. */
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
#define LAC_EVENT_DIVERGED "diverged" /* its detail: which solver did */

typedef struct {
  const LacRunProgress *progress; /* the step and second that everything is stamped with */
  LacRunRecorder       *recorder;
  LacRunMonitor        *monitor;

  char         *path; /* of the folder; stays when that is closed */
  LacRunSession session;
  LacRunFolder *folder;
  LacStore     *store; /* the state as in the last checkpoint */
  LacRunBudget  budget;
  LacDecimator *decimator;         /* of records */
  LacRelay     *records, *rows;    /* controlling thread: reads */
  guint64       n_records, n_rows; /* handed over */
  guint64       flushed_bytes;     /* of the folder, when it was last flushed */
  gint64        live_bytes;        /* the most that any operation had live, as the planner knows */
  gboolean      is_room_short;
  gint          is_writing; /* atomic: the folder is written, nothing is computed */
} LacRunLog;

/* Zeroed. Borrows @progress, @recorder, @monitor. */
void lac_run_log_init(LacRunLog            *log,
                      const LacRunProgress *progress,
                      LacRunRecorder       *recorder,
                      LacRunMonitor        *monitor);
void lac_run_log_clear(LacRunLog *log);

/* Makes a folder within @parent. */
gboolean
lac_run_log_create(LacRunLog *log, const char *parent, const LacRunHeader *header, GError **error);
/* Opens the folder at @path. @step, @seconds: (out): of its checkpoint */
gboolean lac_run_log_reopen(LacRunLog *log, gint64 *step, double *seconds, GError **error);
/* @n_metrics: in a row */
void lac_run_log_open_relays(LacRunLog *log, gsize n_metrics);

/* ---- compute thread ---- */
gboolean lac_run_log_event(LacRunLog *log, const char *what, const char *detail, GError **error);
/* @row: as LacRunRows packs it */
gboolean lac_run_log_row(LacRunLog *log, gint64 step, const double *row, GError **error);
/* Frames are left out where the disk is full. */
gboolean
lac_run_log_frame(LacRunLog *log, const LacFrame *frame, guint64 frame_bytes, GError **error);
gboolean lac_run_log_decimate_frames(LacRunLog *log, gint64 stride, GError **error);
/* Writes @store. */
gboolean lac_run_log_checkpoint(LacRunLog *log, GError **error);
guint64  lac_run_log_get_state_bytes(const LacRunLog *log); /* of the last checkpoint */

/* All records since the last call, within the budget. */
gboolean lac_run_log_records(LacRunLog *log, GError **error);
gboolean lac_run_log_last_records(LacRunLog *log, GError **error); /* leaves no record of itself */
/* Sums of the records that were dropped. */
gboolean lac_run_log_sums(LacRunLog *log, GError **error);
/* How many records were dropped, at the end. */
gboolean lac_run_log_account(LacRunLog *log, GError **error);

/* Hands rows and records over. */
gboolean lac_run_log_publish(LacRunLog *log, GError **error);
gboolean lac_run_log_flush(LacRunLog *log, GError **error);
/* Everything is written: announces what went only to the folder. */
void lac_run_log_finish_relays(LacRunLog *log);
/* Tells the user once when less than @need bytes of the disk are free; goes on with all streams once they are. */
gboolean lac_run_log_watch_room(LacRunLog *log, guint64 need, GError **error);

G_END_DECLS
