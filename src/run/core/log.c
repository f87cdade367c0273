/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing the run folder within the disk budget, including on a full disk. */
#include "run/core/log.h"

#include "base/error.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>

#define RECORD_BATCH 512
#define ROW_BATCH    256
#define RELAY_BUDGET ((gsize) 32 << 20)  /* for records waiting for the controlling thread */
#define JOURNAL_ROOM ((guint64) 8 << 20) /* metric rows for a while, and texts */

/* ---- beginning and end ---- */

void
lac_run_log_init(LacRunLog            *log,
                 const LacRunProgress *progress,
                 LacRunRecorder       *recorder,
                 LacRunMonitor        *monitor)
{
  log->progress = progress;
  log->recorder = recorder;
  log->monitor = monitor;
  log->decimator = lac_decimator_new();
}

void
lac_run_log_clear(LacRunLog *log)
{
  lac_relay_free(log->records);
  lac_relay_free(log->rows);
  lac_run_folder_close(log->folder);
  lac_store_free(log->store);
  lac_decimator_free(log->decimator);
  g_free(log->path);
  g_free(log->sweep);
}

gboolean
lac_run_log_create(LacRunLog *log, const char *parent, const LacRunHeader *header, GError **error)
{
  log->folder = lac_run_folder_create(parent, header, error);
  if (log->folder == NULL)
    return FALSE;
  log->path = g_strdup(lac_run_folder_get_path(log->folder));
  log->store = lac_store_new();
  return TRUE;
}

gboolean
lac_run_log_reopen(LacRunLog *log, gint64 *step, double *seconds, GError **error)
{
  log->folder = lac_run_folder_reopen(log->path, &log->store, step, seconds, error);
  return log->folder != NULL;
}

void
lac_run_log_open_relays(LacRunLog *log, gsize n_metrics)
{
  log->session = lac_run_folder_get_session(log->folder);
  log->records = lac_relay_new(sizeof(LacRecord), RECORD_BATCH, RELAY_BUDGET);
  log->rows = lac_relay_new((2 + n_metrics) * sizeof(double), ROW_BATCH, RELAY_BUDGET / 4);
}

/* ---- events ---- */

gboolean
lac_run_log_event(LacRunLog *log, const char *what, const char *detail, GError **error)
{
  return lac_run_folder_event(log->folder, log->progress->step, log->progress->seconds, what,
                              detail, error);
}

static void
notify(LacRunLog *log, const char *sentence)
{
  lac_run_monitor_set_message(log->monitor, sentence);
  /* on a full disk this may fail too; the status has the message */
  lac_run_log_event(log, "recording", sentence, NULL);
}

static void
notify_coarser(LacRunLog *log)
{
  const LacRunBudget *budget = &log->budget;
  g_autofree char    *size = g_format_size(budget->bytes);
  g_autofree char    *sentence = g_strdup_printf(
       _("The records would exceed the run's disk budget of %s: from step %" PRId64
         " on, one step in %" PRId64 " is recorded, later fewer; totals include all steps"),
       size, log->progress->step + 1, MAX(budget->record_stride, budget->row_stride));

  notify(log, sentence);
}

/* ---- a full disk ---- */

/* Stops a stream until there is room again. Checkpoint and journal are never stopped. */
static void
stop_stream(LacRunLog *log, LacRunStream stream, const char *why)
{
  g_autofree char *sentence = g_strdup_printf(
    stream == LAC_RUN_STREAM_FRAMES
      ? _("No frames are saved until there is disk space again: %s")
      : _("No times are recorded, not even as sums, until there is disk space again: %s"),
    why);

  log->budget.is_stopped[stream] = TRUE;
  notify(log, sentence);
}

static void
update_budget(LacRunLog *log)
{
  const LacRunFolderBytes spent = lac_run_folder_get_parts(log->folder);

  for (guint i = 0; i < LAC_N_RUN_STREAMS; i++) {
    const char *why = lac_run_folder_get_left_out(log->folder, (LacRunStream) i);
    if (why != NULL && !log->budget.is_stopped[i])
      stop_stream(log, (LacRunStream) i, why);
  }
  const gboolean is_first = lac_run_budget_update(&log->budget, &spent);
  lac_decimator_set_stride(log->decimator, log->budget.record_stride);
  if (is_first)
    notify_coarser(log);
}

/* Handles a failed write of a stream. Returns: TRUE, with @problem cleared, if the disk is full and the run continues
 * without the stream. */
static gboolean
leave_out(LacRunLog *log, LacRunStream stream, GError **problem)
{
  if (!g_error_matches(*problem, LAC_ERROR, LAC_ERROR_DISK_FULL))
    return FALSE;
  lac_run_folder_leave_out(log->folder, stream, (*problem)->message);
  g_clear_error(problem);
  update_budget(log);
  return TRUE;
}

guint64
lac_run_log_get_state_bytes(const LacRunLog *log)
{
  gsize   n_tensors = lac_store_get_n_entries(log->store);
  guint64 bytes = 0;

  for (gsize i = 0; i < n_tensors; i++) {
    const LacEntry *tensor = lac_store_get_entry(log->store, i);
    bytes += (guint64) tensor->n_rows * tensor->n_columns * tensor->element_size;
  }
  return bytes;
}

/* Stops streams if the free disk space does not hold @n_bytes besides the journal and the next checkpoint, which is
 * written beside the last. */
static void
reserve_room(LacRunLog *log, guint64 n_bytes)
{
  const guint64 room = lac_run_folder_get_free_bytes(log->folder);
  gboolean      any = FALSE;

  if (room >= n_bytes + lac_run_log_get_state_bytes(log) + JOURNAL_ROOM)
    return;
  g_autofree char *left = g_format_size(room);
  g_autofree char *why = g_strdup_printf(
    _("the disk has %s left, which the next checkpoint may need: free some disk space"), left);
  for (guint i = 0; i < LAC_N_RUN_STREAMS; i++) {
    any |= !log->budget.is_stopped[i];
    if (!log->budget.is_stopped[i])
      lac_run_folder_leave_out(log->folder, (LacRunStream) i, why);
  }
  if (any)
    update_budget(log);
}

static void
resume_streams(LacRunLog *log)
{
  for (guint i = 0; i < LAC_N_RUN_STREAMS; i++) {
    lac_run_folder_leave_out(log->folder, (LacRunStream) i, NULL);
    log->budget.is_stopped[i] = FALSE;
  }
}

gboolean
lac_run_log_watch_room(LacRunLog *log, guint64 need, GError **error)
{
  guint64  room = lac_run_folder_get_free_bytes(log->folder);
  gboolean is_short = room < need;

  if (is_short == log->is_room_short)
    return TRUE;
  log->is_room_short = is_short;
  if (!is_short) {
    lac_run_monitor_set_message(log->monitor, "");
    resume_streams(log);
    return lac_run_log_event(log, "room", _("the disk has enough free space again"), error);
  }
  g_autofree char *room_text = g_format_size(room);
  g_autofree char *need_text = g_format_size(need);
  g_autofree char *message = g_strdup_printf(
    _("The disk is nearly full: %s free, about %s needed for %s"), room_text, need_text, log->path);
  lac_run_monitor_set_message(log->monitor, message);
  return lac_run_log_event(log, "room", message, error);
}

/* ---- rows, frames, checkpoints ---- */

gboolean
lac_run_log_row(LacRunLog *log, gint64 step, const double *row, GError **error)
{
  if (!lac_run_folder_metrics(log->folder, step, row[1], &row[2], error))
    return FALSE;
  lac_relay_put(log->rows, log->n_rows++, row, 1);
  return TRUE;
}

static gboolean
write_frame(LacRunLog *log, const LacFrame *frame, GError **error)
{
  guint64  before = lac_run_folder_get_bytes(log->folder);
  LacSpan  span = lac_run_write_begin(log->recorder, log->recorder->names.write_frame);
  gboolean done = lac_run_folder_frame(log->folder, frame, error);

  lac_run_write_end(log->recorder, span, lac_run_folder_get_bytes(log->folder) - before);
  return done;
}

gboolean
lac_run_log_frame(LacRunLog *log, const LacFrame *frame, guint64 frame_bytes, GError **error)
{
  GError *problem = NULL;

  reserve_room(log, frame_bytes);
  if (log->budget.is_stopped[LAC_RUN_STREAM_FRAMES] || write_frame(log, frame, &problem) ||
      leave_out(log, LAC_RUN_STREAM_FRAMES, &problem))
    return TRUE;
  g_propagate_error(error, problem);
  return FALSE;
}

gboolean
lac_run_log_decimate_frames(LacRunLog *log, gint64 stride, GError **error)
{
  return log->budget.is_stopped[LAC_RUN_STREAM_FRAMES] ||
         lac_run_folder_decimate(log->folder, stride, error);
}

gboolean
lac_run_log_checkpoint(LacRunLog *log, GError **error)
{
  const gint before = g_atomic_int_get(&log->is_writing);
  LacSpan    span = lac_run_write_begin(log->recorder, log->recorder->names.write_checkpoint);

  g_atomic_int_set(&log->is_writing, 1);
  gboolean done = lac_run_folder_checkpoint(log->folder, log->progress->step,
                                            log->progress->seconds, log->store, error);
  g_atomic_int_set(&log->is_writing, before);
  lac_run_write_end(log->recorder, span, lac_run_log_get_state_bytes(log));
  return done;
}

/* ---- records ---- */

typedef struct {
  LacRunLog *log;
  GError   **error;
  gboolean   done;
} RecordSink;

/* Records that do not fit on the disk are summed like those beyond the budget. */
static void
write_batch(const LacRecord *records, gsize n, gpointer user_data)
{
  RecordSink     *sink = user_data;
  LacRunLog      *log = sink->log;
  const gboolean *is_stopped = &log->budget.is_stopped[LAC_RUN_STREAM_RECORDS];
  GError         *error = NULL;

  if (sink->done && !*is_stopped &&
      !lac_run_folder_records(log->folder, log->recorder->perf, records, n, &error)) {
    sink->done = leave_out(log, LAC_RUN_STREAM_RECORDS, &error);
    if (error != NULL)
      g_propagate_error(sink->error, error);
  }
  if (*is_stopped) {
    lac_decimator_take_back(log->decimator, records, n);
    return;
  }
  lac_relay_put(log->records, log->n_records, records, n);
  log->n_records += n;
}

static void
on_records(const LacRecord *records, gsize n, gpointer user_data)
{
  RecordSink *sink = user_data;
  LacRunLog  *log = sink->log;

  for (gsize i = 0; i < n; i++) {
    if (records[i].kind != LAC_RECORD_MEMORY)
      log->live_bytes = MAX(log->live_bytes, records[i].memory);
  }
  lac_decimator_take(log->decimator, records, n, write_batch, sink);
}

gboolean
lac_run_log_last_records(LacRunLog *log, GError **error)
{
  RecordSink sink = {log, error, TRUE};

  lac_perf_drain(log->recorder->perf, on_records, &sink);
  return sink.done;
}

gboolean
lac_run_log_records(LacRunLog *log, GError **error)
{
  LacRunRecorder *recorder = log->recorder;
  guint64         before = log->n_records;
  LacSpan         span = lac_span_begin(recorder->profiler, recorder->names.drain);

  update_budget(log);
  gboolean done = lac_run_log_last_records(log, error);

  span.bytes = (double) (log->n_records - before) * sizeof(LacRecord);
  lac_span_end(recorder->profiler, span, log->progress->step);
  return done;
}

gboolean
lac_run_log_sums(LacRunLog *log, GError **error)
{
  RecordSink sink = {log, error, TRUE};

  if (!log->budget.is_stopped[LAC_RUN_STREAM_RECORDS])
    lac_decimator_finish(log->decimator, write_batch, &sink);
  return sink.done;
}

gboolean
lac_run_log_account(LacRunLog *log, GError **error)
{
  const LacDecimatorCounts counts = lac_decimator_get_counts(log->decimator);
  const gboolean           is_stopped = log->budget.is_stopped[LAC_RUN_STREAM_RECORDS];
  const char              *sentence =
    is_stopped
                   ? _("%s of %s recorded individually; the disk was full: the others, from step %" PRId64
                       " on, are missing, also from the totals")
                   : _("%s of %s recorded individually; the others, from step %" PRId64
                       " on, only as sums: the totals are complete");

  if (counts.first_step < 0)
    return TRUE;
  const guint64    waiting = lac_run_folder_get_parts(log->folder).records_waiting;
  const guint64    unwritten = is_stopped ? waiting / sizeof(LacRecord) : 0;
  g_autofree char *kept =
    g_strdup_printf("%" PRIu64, counts.n_kept - MIN(unwritten, counts.n_kept));
  g_autofree char *all = g_strdup_printf("%" PRIu64, counts.n_taken);
  g_autofree char *detail = g_strdup_printf(sentence, kept, all, counts.first_step);
  return lac_run_log_event(log, LAC_EVENT_RECORDS_KEPT, detail, error);
}

/* ---- flushing ---- */

gboolean
lac_run_log_publish(LacRunLog *log, GError **error)
{
  gboolean spilling = lac_relay_is_spilling(log->records) || lac_relay_is_spilling(log->rows);

  if (spilling && !lac_run_folder_flush(log->folder, error))
    return FALSE;
  gboolean records = lac_relay_publish(log->records);
  gboolean rows = lac_relay_publish(log->rows);
  if (records || rows)
    lac_run_monitor_wake(log->monitor);
  return TRUE;
}

static gboolean
write_journal(LacRunLog *log, GError **error)
{
  guint64 bytes = lac_run_folder_get_bytes(log->folder);
  LacSpan span = lac_run_write_begin(log->recorder, log->recorder->names.write_journal);

  reserve_room(log, 0);
  gboolean done = lac_run_folder_flush(log->folder, error);

  lac_run_write_end(log->recorder, span, bytes - MIN(log->flushed_bytes, bytes));
  log->flushed_bytes = bytes;
  return done;
}

gboolean
lac_run_log_flush(LacRunLog *log, GError **error)
{
  LacRunRecorder *recorder = log->recorder;
  LacRunPhase     phase;

  lac_run_phase_begin(recorder, &phase, recorder->names.journal, &recorder->journal);
  gboolean done = write_journal(log, error);
  lac_run_phase_end(recorder, &phase, log->progress->step);
  return done && lac_run_log_records(log, error) && lac_run_log_publish(log, error);
}

void
lac_run_log_finish_relays(LacRunLog *log)
{
  lac_run_folder_flush(log->folder, NULL);
  lac_relay_finish(log->records);
  lac_relay_finish(log->rows);
}
