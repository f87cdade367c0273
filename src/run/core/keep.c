/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a step leaves behind: metric rows, records, kept frames, checkpoints; and the frame for the viewer. */
#include "base/clock.h"
#include "field/composed-label.h"
#include "run/core/run-private.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define SECOND_NS  G_GINT64_CONSTANT(1000000000)
#define FLUSH_NS   SECOND_NS
#define PUBLISH_NS (SECOND_NS / 50)
#define ROOM_NS    (2 * SECOND_NS)
#define ROOM_SPARE \
  (G_GUINT64_CONSTANT(200) << 20) /* below this much beyond what is needed a person is told */
#define CHECKPOINT_SHARE 20       /* a checkpoint takes at most a 20th of the time */

/* ---- frames ---- */

static void
stamp(const LacRun *run, LacFrame *frame)
{
  frame->step = run->step;
  frame->seconds = run->seconds;
}

static void
give_metrics(const LacRun *run, LacFrame *frame)
{
  if (frame->n_metrics > 0)
    memcpy(frame->metrics, run->last_metrics, frame->n_metrics * sizeof(double));
}

static void
finish_planes(LacFrame *frame)
{
  for (gsize i = 0; i < frame->n_planes; i++)
    lac_plane_measure(&frame->planes[i]);
  frame->made_ns = lac_clock_ns();
}

/* Returns: NULL with an error where the device failed meanwhile: then these are no numbers. */
static LacFrame *
make_frame(LacRun *run, GError **error)
{
  LacFrame   *frame = lac_run_frames_get_free(&run->frames);
  LacRunPhase phase;

  lac_run_phase_begin(run, &phase, run->recorder.names.snapshot, &run->recorder.snapshot);
  run->experiment->snapshot(run->state, frame);
  finish_planes(frame);
  stamp(run, frame);
  give_metrics(run, frame);
  lac_run_phase_end(run, &phase, run->step);
  return lac_run_check_device(run, error) ? frame : NULL;
}

static gboolean
write_frame(LacRun *run, const LacFrame *frame, GError **error)
{
  guint64  before = lac_run_folder_get_bytes(run->folder);
  LacSpan  span = lac_run_write_begin(run, run->recorder.names.write_frame);
  gboolean done = lac_run_folder_frame(run->folder, frame, error);

  lac_run_write_end(run, span, lac_run_folder_get_bytes(run->folder) - before);
  return done;
}

/* Pictures of the way are no part of the result. */
static gboolean
write_if_room(LacRun *run, const LacFrame *frame, GError **error)
{
  GError *problem = NULL;

  lac_run_spare_room(run, run->frames.frame_bytes);
  if (run->stopped[LAC_RUN_STREAM_FRAMES] || write_frame(run, frame, &problem) ||
      lac_run_do_without(run, LAC_RUN_STREAM_FRAMES, &problem))
    return TRUE;
  g_propagate_error(error, problem);
  return FALSE;
}

static gboolean
keep_frame(LacRun *run, const LacFrame *frame, GError **error)
{
  if (!write_if_room(run, frame, error))
    return FALSE;
  if (!lac_run_frames_note_kept(&run->frames, frame->step))
    return TRUE;
  return run->stopped[LAC_RUN_STREAM_FRAMES] ||
         lac_run_folder_thin(run->folder, run->frames.stride, error);
}

/* ---- a frame that is made beside the computation ---- */

/* Returns: FALSE where it has to be made at once. */
static gboolean
begin_frame(LacRun *run, gboolean kept)
{
  const gint64 start = lac_clock_ns();
  LacFrame    *frame;
  LacRunPhase  phase;
  gboolean     begun;

  if (run->experiment->snapshot_begin == NULL)
    return FALSE;
  frame = lac_run_frames_get_free(&run->frames);
  lac_run_phase_begin(run, &phase, run->recorder.names.snapshot, &run->recorder.snapshot);
  begun = run->experiment->snapshot_begin(run->state, frame);
  lac_run_phase_end(run, &phase, run->step);
  if (!begun)
    return FALSE;
  stamp(run, frame);
  run->underway = (LacFrameUnderway){
    .frame = lac_frame_ref(frame),
    .kept = kept,
    .has_metrics = run->open_rows.n == 0,
    .spent_ns = lac_clock_ns() - start,
  };
  if (run->underway.has_metrics)
    give_metrics(run, frame);
  return TRUE;
}

/* One that stays is of a device that did not fail meanwhile; the viewer's next step tells. */
static gboolean
finish_frame(LacRun *run, GError **error)
{
  LacFrame    *frame = run->underway.frame;
  const gint64 start = lac_clock_ns();
  LacRunPhase  phase;

  lac_run_phase_begin(run, &phase, run->recorder.names.snapshot, &run->recorder.snapshot);
  if (!run->underway.is_filled)
    run->experiment->snapshot_finish(run->state, frame);
  finish_planes(frame);
  if (!run->underway.has_metrics) /* of a step that means nothing any more */
    give_metrics(run, frame);
  lac_run_phase_end(run, &phase, frame->step);
  if (run->underway.kept && !lac_run_check_device(run, error))
    return FALSE;
  g_autoptr(LacFrame) done = frame;
  const gboolean      kept = run->underway.kept;
  const gint64        now = lac_clock_ns();
  lac_run_frames_pace(&run->frames, now, now - start + run->underway.spent_ns);
  run->underway = (LacFrameUnderway){NULL};
  lac_run_frames_publish(&run->frames, done);
  lac_run_wake(run);
  return !kept || keep_frame(run, done, error);
}

void
lac_run_fill_again(LacRun *run, gint64 step)
{
  if (run->underway.frame == NULL || run->underway.frame->step != step)
    return;
  run->experiment->snapshot(run->state, run->underway.frame);
  run->underway.is_filled = TRUE;
}

/* Waits for the frame that is on its way, and for what its step measured. */
static gboolean
finish_any_frame(LacRun *run, GError **error)
{
  return lac_run_settle(run, error) && (run->underway.frame == NULL || finish_frame(run, error));
}

/* The frame of this step, made when the viewer waits for one or the history keeps it. While one is on its way the viewer gets no
 * other; the history waits for it. */
static gboolean
keep_due_frame(LacRun *run, GError **error)
{
  gint64   start = lac_clock_ns();
  gboolean kept = lac_run_frames_is_kept(&run->frames, run->step);

  if (run->underway.frame != NULL) {
    gboolean is_here = run->underway.has_metrics &&
                       (run->underway.is_filled || run->experiment->snapshot_is_here(run->state));
    if (!is_here && !kept)
      return TRUE;
    if (!(is_here ? finish_frame(run, error) : finish_any_frame(run, error)))
      return FALSE;
  }
  if (!kept && !lac_run_frames_is_wanted(&run->frames, start))
    return TRUE;
  if (begin_frame(run, kept))
    return TRUE;
  if (!lac_run_settle(run, error))
    return FALSE;
  LacFrame *frame = make_frame(run, error);
  gint64    now = lac_clock_ns();
  if (frame == NULL)
    return FALSE;
  lac_run_frames_pace(&run->frames, now, now - start);
  lac_run_frames_publish(&run->frames, frame);
  lac_run_wake(run);
  return !kept || keep_frame(run, frame, error);
}

gboolean
lac_run_show_frame(LacRun *run, GError **error)
{
  LacFrame *frame = make_frame(run, error);

  if (frame == NULL)
    return FALSE;
  lac_run_frames_publish(&run->frames, frame);
  lac_run_wake(run);
  return TRUE;
}

gboolean
lac_run_keep_last_frame(LacRun *run, GError **error)
{
  if (!finish_any_frame(run, error))
    return FALSE;
  LacFrame *frame = make_frame(run, error);

  if (frame == NULL)
    return FALSE;
  lac_run_frames_publish(&run->frames, frame);
  if (frame->step == run->frames.last_kept)
    return TRUE;
  run->frames.last_kept = frame->step;
  return write_if_room(run, frame, error);
}

/* ---- records and rows ---- */

static gboolean
publish(LacRun *run, GError **error)
{
  gboolean spilling = lac_relay_is_spilling(run->records) || lac_relay_is_spilling(run->rows);

  if (spilling && !lac_run_folder_flush(run->folder, error))
    return FALSE;
  gboolean records = lac_relay_publish(run->records);
  gboolean rows = lac_relay_publish(run->rows);
  if (records || rows)
    lac_run_wake(run);
  return TRUE;
}

static gboolean
write_journal(LacRun *run, GError **error)
{
  guint64 bytes = lac_run_folder_get_bytes(run->folder);
  LacSpan span = lac_run_write_begin(run, run->recorder.names.write_journal);

  lac_run_spare_room(run, 0);
  gboolean done = lac_run_folder_flush(run->folder, error);

  lac_run_write_end(run, span, bytes - MIN(run->flushed_bytes, bytes));
  run->flushed_bytes = bytes;
  return done;
}

gboolean
lac_run_flush(LacRun *run, GError **error)
{
  LacRunPhase phase;

  lac_run_phase_begin(run, &phase, run->recorder.names.journal, &run->recorder.journal);
  gboolean done = write_journal(run, error);
  lac_run_phase_end(run, &phase, run->step);
  return done && lac_run_keep_records(run, error) && publish(run, error);
}

/* ---- room on the disk ---- */

/* What the folder may still need: the next checkpoint beside the last one, and the frames up to the budget, which
 * run.h5 holds a second time. */
static guint64
estimate_need(const LacRun *run)
{
  guint64 need = ROOM_SPARE + lac_run_get_state_bytes(run);
  guint64 planned = run->n_steps > 0
                      ? (guint64) (run->n_steps / run->frames.stride + 2) * run->frames.frame_bytes
                      : run->frame_budget;
  planned = MIN(planned, run->frame_budget);
  return need + planned + (planned > run->frames.kept_bytes ? planned - run->frames.kept_bytes : 0);
}

static gboolean
watch_room(LacRun *run, GError **error)
{
  guint64  room = lac_run_folder_get_free_bytes(run->folder);
  guint64  need = estimate_need(run);
  gboolean is_short = room < need;

  if (is_short == run->room_is_short)
    return TRUE;
  run->room_is_short = is_short;
  if (!is_short) {
    lac_run_set_message(run, "");
    lac_run_go_on_recording(run);
    return lac_run_keep_event(run, "room", _("there is room on the disk again"), error);
  }
  g_autofree char *room_text = g_format_size(room);
  g_autofree char *need_text = g_format_size(need);
  g_autofree char *message =
    g_strdup_printf(_("The disk is nearly full: %s free, about %s wanted for %s"), room_text,
                    need_text, run->folder_path);
  lac_run_set_message(run, message);
  return lac_run_keep_event(run, "room", message, error);
}

/* ---- a step, a checkpoint, an event ---- */

gboolean
lac_run_keep_event(LacRun *run, const char *what, const char *detail, GError **error)
{
  return lac_run_folder_event(run->folder, run->step, run->seconds, what, detail, error);
}

/* The part of a key before its last point names the solver it is of. */
static void
watch_growth(LacRun *run)
{
  for (gsize m = 0; m < run->outline.n_metrics; m++) {
    const LacMetric *metric = &run->outline.metrics[m];
    if (!metric->log_axis || !lac_blow_up_watch(&run->blow_ups[m], run->metrics[m]))
      continue;
    const char      *point = strrchr(metric->key, '.');
    g_autofree char *who =
      g_strndup(metric->key, point != NULL ? (gsize) (point - metric->key) : 0);
    char value[G_ASCII_DTOSTR_BUF_SIZE], start[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(value, sizeof value, "%.3g", run->metrics[m]);
    g_ascii_formatd(start, sizeof start, "%.3g", run->blow_ups[m].start);
    run->outcome = LAC_OUTCOME_DIVERGED;
    g_strlcpy(run->who, who, sizeof run->who);
    g_snprintf(run->why, sizeof run->why, _("%s grew from %s to %s"),
               lac_label_translate(metric->label), start, value);
    return;
  }
}

static gboolean
keep_row(LacRun *run, const LacRunRow *row, GError **error)
{
  gsize n = run->outline.n_metrics;

  memcpy(run->metrics, row->metrics, n * sizeof(double));
  run->metrics_step = row->step;
  for (gsize m = 0; m < n; m++) {
    if (isfinite(run->metrics[m]))
      run->last_metrics[m] = run->metrics[m];
  }
  if (run->outcome == LAC_OUTCOME_CONTINUE)
    watch_growth(run);
  if (run->underway.frame != NULL && run->underway.frame->step == row->step) {
    give_metrics(run, run->underway.frame);
    run->underway.has_metrics = TRUE;
  }
  memcpy(&run->row[0], &row->step, sizeof row->step);
  run->row[1] = row->seconds;
  memcpy(&run->row[2], run->metrics, n * sizeof(double));
  run->row_waits = TRUE;
  return !lac_run_row_stays(run, row->step) || lac_run_keep_last_row(run, error);
}

gboolean
lac_run_keep_last_row(LacRun *run, GError **error)
{
  if (!run->row_waits)
    return TRUE;
  run->row_waits = FALSE;
  if (!lac_run_folder_metrics(run->folder, run->metrics_step, run->row[1], &run->row[2], error))
    return FALSE;
  lac_relay_put(run->rows, run->n_rows++, run->row, 1);
  return TRUE;
}

/* The rows that are complete, in their order. */
static gboolean
keep_metrics(LacRun *run, guint n_open, GError **error)
{
  const LacRunRow *row;

  while ((row = lac_run_rows_take(&run->open_rows, n_open)) != NULL) {
    if (!keep_row(run, row, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
lac_run_settle(LacRun *run, GError **error)
{
  LacRunRows   *rows = &run->open_rows;
  LacStepReport report = {.outcome = LAC_OUTCOME_CONTINUE};

  if (run->outcome == LAC_OUTCOME_DIVERGED) /* what was asked for after that means nothing */
    rows->n = 0;
  if (rows->n == 0)
    return TRUE;
  report.metrics = rows->rows[0].metrics;
  report.earlier = rows->earlier;
  if (run->experiment->settle != NULL && !run->experiment->settle(run->state, &report, error))
    return FALSE;
  if (report.outcome == LAC_OUTCOME_DIVERGED) {
    run->outcome = report.outcome;
    g_strlcpy(run->why, report.why, sizeof run->why);
    g_strlcpy(run->who, report.who, sizeof run->who);
  }
  return keep_metrics(run, report.n_open, error);
}

static gboolean
write_checkpoint(LacRun *run, GError **error)
{
  const gint before = g_atomic_int_get(&run->is_writing);
  LacSpan    span = lac_run_write_begin(run, run->recorder.names.write_checkpoint);

  g_atomic_int_set(&run->is_writing, 1);
  gboolean done =
    lac_run_folder_checkpoint(run->folder, run->step, run->seconds, run->store, error);
  g_atomic_int_set(&run->is_writing, before);
  lac_run_write_end(run, span, lac_run_get_state_bytes(run));
  return done;
}

gboolean
lac_run_keep_checkpoint(LacRun *run, GError **error)
{
  gint64      start = lac_clock_ns();
  gint64      outcome = run->outcome;
  gsize       n = run->outline.n_metrics;
  LacRunPhase phase;

  if (!finish_any_frame(run, error))
    return FALSE;
  if (run->outcome == LAC_OUTCOME_DIVERGED) /* nothing to go on from: the one before stays */
    return TRUE;
  lac_run_phase_begin(run, &phase, run->recorder.names.checkpoint, NULL);
  run->experiment->save(run->state, run->store);
  memcpy(lac_store_put(run->store, LAC_RUN_STORE_OUTCOME, 1, 1, 8), &outcome, sizeof outcome);
  if (n > 0)
    memcpy(lac_store_put(run->store, LAC_RUN_STORE_METRICS, n, 1, 8), run->last_metrics,
           n * sizeof(double));
  gboolean done = lac_run_check_device(run, error) && lac_run_keep_records(run, error) &&
                  lac_run_keep_sums(run, error) && write_checkpoint(run, error);
  lac_run_phase_end(run, &phase, run->step);
  gint64 now = lac_clock_ns();
  run->next_checkpoint_ns = now + MAX((gint64) (run->checkpoint_seconds * (double) SECOND_NS),
                                      CHECKPOINT_SHARE * (now - start));
  run->next_flush_ns = now + FLUSH_NS;
  return done;
}

gboolean
lac_run_keep_step(LacRun *run, guint n_open, GError **error)
{
  if (!keep_metrics(run, n_open, error))
    return FALSE;
  lac_run_sample(run);
  if (!keep_due_frame(run, error) || !lac_run_keep_records(run, error))
    return FALSE;

  gint64 now = lac_clock_ns();
  if (run->outcome == LAC_OUTCOME_DIVERGED) /* the run ends here, with the checkpoint it has */
    return TRUE;
  if (now >= run->next_publish_ns) {
    run->next_publish_ns = now + PUBLISH_NS;
    if (!publish(run, error))
      return FALSE;
  }
  if (now >= run->next_room_ns) {
    run->next_room_ns = now + ROOM_NS;
    if (!watch_room(run, error))
      return FALSE;
  }
  if (now >= run->next_checkpoint_ns)
    return lac_run_keep_checkpoint(run, error);
  if (now >= run->next_flush_ns) {
    run->next_flush_ns = now + FLUSH_NS;
    return lac_run_flush(run, error);
  }
  return TRUE;
}
