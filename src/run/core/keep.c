/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output of a step to the log: metric rows, frames and checkpoints; and the frame for the viewer. */
#include "base/clock.h"
#include "run/core/run-private.h"

#include <string.h>

#define ROOM_SPARE \
  (G_GUINT64_CONSTANT(200) << 20) /* free space beyond the need below which the user is warned */

/* ---- frames ---- */

static void
stamp(const LacRun *run, LacFrame *frame)
{
  frame->step = run->progress.step;
  frame->seconds = run->progress.seconds;
}

static void
give_metrics(const LacRun *run, LacFrame *frame)
{
  if (frame->n_metrics > 0)
    memcpy(frame->metrics, run->rows.last, frame->n_metrics * sizeof(double));
}

static void
finish_planes(LacFrame *frame)
{
  for (gsize i = 0; i < frame->n_planes; i++)
    lac_plane_measure(&frame->planes[i]);
  frame->made_ns = lac_clock_ns();
}

static void
begin_snapshot(LacRunRecorder *recorder, LacRunPhase *phase)
{
  lac_run_phase_begin(recorder, phase, recorder->names.snapshot, &recorder->snapshot);
}

/* Returns: NULL with an error if the device failed meanwhile: its values are then meaningless. */
static LacFrame *
make_frame(LacRun *run, GError **error)
{
  LacFrame   *frame = lac_run_frames_get_free(&run->frames);
  LacRunPhase phase;

  begin_snapshot(&run->recorder, &phase);
  run->experiment->snapshot(run->state, frame, NULL);
  finish_planes(frame);
  stamp(run, frame);
  give_metrics(run, frame);
  lac_run_phase_end(&run->recorder, &phase, run->progress.step);
  return lac_run_computer_check(&run->computer, error) ? frame : NULL;
}

static gboolean
keep_frame(LacRun *run, const LacFrame *frame, GError **error)
{
  if (!lac_run_log_frame(&run->log, frame, run->frames.frame_bytes, error))
    return FALSE;
  return !lac_run_frames_note_kept(&run->frames, frame->step) ||
         lac_run_log_decimate_frames(&run->log, run->frames.stride, error);
}

/* ---- a frame that is made beside the computation ---- */

/* Starts the frame of this step. */
static void
begin_frame(LacRun *run, gboolean kept)
{
  const gint64 start = lac_clock_ns();
  LacFrame    *frame = lac_run_frames_get_free(&run->frames);
  LacPending   pending = {NULL};
  LacRunPhase  phase;

  begin_snapshot(&run->recorder, &phase);
  run->experiment->snapshot(run->state, frame, &pending);
  const gboolean is_measured = !lac_pending_is_open(&pending);
  if (is_measured)
    finish_planes(frame);
  lac_run_phase_end(&run->recorder, &phase, run->progress.step);
  stamp(run, frame);
  run->frames.in_flight = (LacFrameInFlight){
    .frame = lac_frame_ref(frame),
    .pending = pending,
    .kept = kept,
    .has_metrics = run->rows.n == 0,
    .is_measured = is_measured,
    .spent_ns = lac_clock_ns() - start,
  };
  if (run->frames.in_flight.has_metrics)
    give_metrics(run, frame);
}

static gboolean
finish_planes_in_flight(LacRun *run, LacFrameInFlight *in_flight, GError **error)
{
  LacRunPhase phase;

  if (in_flight->is_measured)
    return TRUE;
  begin_snapshot(&run->recorder, &phase);
  const gboolean done = lac_pending_finish(&in_flight->pending, in_flight->frame, error);
  finish_planes(in_flight->frame);
  lac_run_phase_end(&run->recorder, &phase, in_flight->frame->step);
  return done;
}

/* Completes the frame in flight. A saved one requires a check that the device has not failed; for the viewer the next
 * step checks. */
static gboolean
finish_frame(LacRun *run, GError **error)
{
  LacFrameInFlight *in_flight = &run->frames.in_flight;
  const gint64      start = lac_clock_ns();

  if (!finish_planes_in_flight(run, in_flight, error))
    return FALSE;
  if (!in_flight->has_metrics) /* its own step's metrics are not available */
    give_metrics(run, in_flight->frame);
  if (in_flight->kept && !lac_run_computer_check(&run->computer, error))
    return FALSE;
  g_autoptr(LacFrame) done = in_flight->frame;
  const gboolean      kept = in_flight->kept;
  const gint64        now = lac_clock_ns();
  lac_run_frames_pace(&run->frames, now, now - start + in_flight->spent_ns);
  *in_flight = (LacFrameInFlight){NULL};
  lac_run_frames_publish(&run->frames, done);
  lac_run_monitor_wake(&run->monitor);
  return !kept || keep_frame(run, done, error);
}

void
lac_run_fill_again(LacRun *run, gint64 step)
{
  LacFrameInFlight *in_flight = &run->frames.in_flight;

  if (in_flight->frame == NULL || in_flight->frame->step != step)
    return;
  run->experiment->snapshot(run->state, in_flight->frame, NULL);
  in_flight->pending = (LacPending){NULL};
  in_flight->is_measured = FALSE;
}

/* Waits for the frame in flight and the metrics of its step. */
static gboolean
finish_any_frame(LacRun *run, GError **error)
{
  return lac_run_flush_metrics(run, error) &&
         (run->frames.in_flight.frame == NULL || finish_frame(run, error));
}

/* Makes the frame of this step if the viewer or the history needs it. While a frame is in flight the viewer gets no
 * other; the history waits for it. */
static gboolean
keep_due_frame(LacRun *run, GError **error)
{
  const LacFrameInFlight *in_flight = &run->frames.in_flight;
  const gboolean          kept = lac_run_frames_is_kept(&run->frames, run->progress.step);

  if (in_flight->frame != NULL) {
    gboolean is_ready = in_flight->has_metrics && lac_pending_is_ready(&in_flight->pending);
    if (!is_ready && !kept)
      return TRUE;
    if (!(is_ready ? finish_frame(run, error) : finish_any_frame(run, error)))
      return FALSE;
  }
  if (!kept && !lac_run_frames_is_wanted(&run->frames, lac_clock_ns()))
    return TRUE;
  begin_frame(run, kept);
  return lac_pending_is_open(&in_flight->pending) || finish_any_frame(run, error);
}

gboolean
lac_run_show_frame(LacRun *run, GError **error)
{
  LacFrame *frame = make_frame(run, error);

  if (frame == NULL)
    return FALSE;
  lac_run_frames_publish(&run->frames, frame);
  lac_run_monitor_wake(&run->monitor);
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
  return lac_run_log_frame(&run->log, frame, run->frames.frame_bytes, error);
}

/* ---- rows ---- */

static gboolean
keep_row(LacRun *run, const LacRunRow *row, GError **error)
{
  LacFrameInFlight *in_flight = &run->frames.in_flight;

  lac_run_rows_complete(&run->rows, row);
  if (run->outcome.value == LAC_OUTCOME_CONTINUE)
    lac_run_outcome_watch(&run->outcome, &run->outline, run->rows.newest);
  if (in_flight->frame != NULL && in_flight->frame->step == row->step) {
    give_metrics(run, in_flight->frame);
    in_flight->has_metrics = TRUE;
  }
  return !lac_run_budget_has_row(&run->log.budget, row->step) || lac_run_keep_last_row(run, error);
}

gboolean
lac_run_keep_last_row(LacRun *run, GError **error)
{
  if (!run->rows.is_pending)
    return TRUE;
  run->rows.is_pending = FALSE;
  return lac_run_log_row(&run->log, run->rows.step, run->rows.packed, error);
}

gboolean
lac_run_note_report(LacRun *run, const LacStepReport *report, GError **error)
{
  if (report->outcome != LAC_OUTCOME_CONTINUE)
    lac_run_outcome_set(&run->outcome, report);
  return report->outcome != LAC_OUTCOME_CONTINUE || *report->who == '\0' ||
         lac_run_log_event(&run->log, LAC_EVENT_DIVERGED, report->who, error);
}

/* Writes rows in order, once their metrics are there; @all: waits for them. Rows after a divergence are meaningless. */
static gboolean
keep_metrics(LacRun *run, gboolean all, GError **error)
{
  LacRunRow *row;

  while ((row = lac_run_rows_get_due(&run->rows, all)) != NULL) {
    LacStepReport  report = {.outcome = LAC_OUTCOME_CONTINUE, .metrics = row->metrics};
    const gboolean was_open = lac_pending_is_open(&row->pending);

    if (!lac_pending_finish(&row->pending, &report, error) ||
        (was_open && !lac_run_note_report(run, &report, error)) ||
        !keep_row(run, lac_run_rows_take(&run->rows), error))
      return FALSE;
    if (report.outcome == LAC_OUTCOME_DIVERGED)
      run->rows.n = 0;
  }
  return TRUE;
}

gboolean
lac_run_flush_metrics(LacRun *run, GError **error)
{
  if (run->outcome.value == LAC_OUTCOME_DIVERGED) /* later steps are meaningless */
    run->rows.n = 0;
  return keep_metrics(run, TRUE, error);
}

/* ---- checkpoints ---- */

gboolean
lac_run_keep_checkpoint(LacRun *run, GError **error)
{
  gint64      start = lac_clock_ns();
  gint64      outcome = run->outcome.value;
  gsize       n = run->outline.n_metrics;
  LacRunPhase phase;

  if (!finish_any_frame(run, error))
    return FALSE;
  if (run->outcome.value == LAC_OUTCOME_DIVERGED) /* not resumable: keep the previous checkpoint */
    return TRUE;
  lac_run_phase_begin(&run->recorder, &phase, run->recorder.names.checkpoint, NULL);
  run->experiment->save(run->state, run->log.store);
  memcpy(lac_store_put(run->log.store, LAC_RUN_STORE_OUTCOME, 1, 1, 8), &outcome, sizeof outcome);
  if (n > 0)
    memcpy(lac_store_put(run->log.store, LAC_RUN_STORE_METRICS, n, 1, 8), run->rows.last,
           n * sizeof(double));
  gboolean done = lac_run_computer_check(&run->computer, error) &&
                  lac_run_log_records(&run->log, error) && lac_run_log_sums(&run->log, error) &&
                  lac_run_log_checkpoint(&run->log, error);
  lac_run_phase_end(&run->recorder, &phase, run->progress.step);
  lac_run_cadence_end_checkpoint(&run->cadence, start, lac_clock_ns());
  return done;
}

/* ---- a step ---- */

/* Returns the disk space that may still be needed: the next checkpoint beside the last one, and the frames up to the
 * budget, which are duplicated in run.h5. */
static guint64
estimate_need(const LacRun *run)
{
  const LacRunFrames *frames = &run->frames;
  const guint64       budget = run->log.budget.shares.frames;
  const gint64        n_steps = run->progress.n_steps;
  guint64             need = ROOM_SPARE + lac_run_log_get_state_bytes(&run->log);
  guint64             planned =
    n_steps > 0 ? (guint64) (n_steps / frames->stride + 2) * frames->frame_bytes : budget;

  planned = MIN(planned, budget);
  return need + planned + (planned > frames->kept_bytes ? planned - frames->kept_bytes : 0);
}

gboolean
lac_run_keep_step(LacRun *run, GError **error)
{
  LacRunCadence *cadence = &run->cadence;

  if (!keep_metrics(run, FALSE, error))
    return FALSE;
  lac_run_recorder_sample(&run->recorder);
  if (!keep_due_frame(run, error) || !lac_run_log_records(&run->log, error))
    return FALSE;

  gint64 now = lac_clock_ns();
  if (run->outcome.value == LAC_OUTCOME_DIVERGED) /* keep the last checkpoint */
    return TRUE;
  if (lac_run_cadence_take(cadence, LAC_RUN_DUTY_PUBLISH, now) &&
      !lac_run_log_publish(&run->log, error))
    return FALSE;
  if (lac_run_cadence_take(cadence, LAC_RUN_DUTY_ROOM, now) &&
      !lac_run_log_watch_room(&run->log, estimate_need(run), error))
    return FALSE;
  if (lac_run_cadence_is_checkpoint_due(cadence, now))
    return lac_run_keep_checkpoint(run, error);
  return !lac_run_cadence_take(cadence, LAC_RUN_DUTY_FLUSH, now) ||
         lac_run_log_flush(&run->log, error);
}
