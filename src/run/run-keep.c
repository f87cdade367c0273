/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a step leaves behind: metric rows, records, kept frames, checkpoints; and the frame for the viewer. */
#include "base/clock.h"
#include "base/error.h"
#include "run/run-private.h"

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

static LacFrame *
make_frame(LacRun *run)
{
  LacFrame   *frame = lac_run_frames_get_free(&run->frames);
  LacRunPhase phase;

  lac_run_phase_begin(run, &phase, run->recorder.names.snapshot, &run->recorder.snapshot);

  run->experiment->snapshot(run->state, frame);
  for (gsize i = 0; i < frame->n_planes; i++)
    lac_plane_measure(&frame->planes[i]);
  frame->step = run->step;
  frame->seconds = run->seconds;
  frame->made_ns = lac_clock_ns();
  if (frame->n_metrics > 0)
    memcpy(frame->metrics, run->last_metrics, frame->n_metrics * sizeof(double));
  lac_run_phase_end(run, &phase, run->step);
  return frame;
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

static gboolean
keep_frame(LacRun *run, const LacFrame *frame, GError **error)
{
  if (!write_frame(run, frame, error))
    return FALSE;
  if (!lac_run_frames_note_kept(&run->frames, frame->step))
    return TRUE;
  return lac_run_folder_thin(run->folder, run->frames.stride, error);
}

/* The frame of this step, made when the viewer waits for one or the history keeps it. */
static gboolean
keep_due_frame(LacRun *run, GError **error)
{
  gint64   start = lac_clock_ns();
  gboolean kept = lac_run_frames_is_kept(&run->frames, run->step);

  if (!kept && !lac_run_frames_is_wanted(&run->frames, start))
    return TRUE;
  LacFrame *frame = make_frame(run);
  gint64    now = lac_clock_ns();
  lac_run_frames_pace(&run->frames, now, now - start);
  lac_run_frames_publish(&run->frames, frame);
  lac_run_wake(run);
  return !kept || keep_frame(run, frame, error);
}

void
lac_run_show_frame(LacRun *run)
{
  lac_run_frames_publish(&run->frames, make_frame(run));
  lac_run_wake(run);
}

gboolean
lac_run_keep_last_frame(LacRun *run, GError **error)
{
  LacFrame *frame = make_frame(run);

  lac_run_frames_publish(&run->frames, frame);
  if (frame->step == run->frames.last_kept)
    return TRUE;
  run->frames.last_kept = frame->step;
  return write_frame(run, frame, error);
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
  guint64  bytes = lac_run_folder_get_bytes(run->folder);
  LacSpan  span = lac_run_write_begin(run, run->recorder.names.write_journal);
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

static guint64
get_store_bytes(const LacRun *run)
{
  gsize   n_tensors = lac_store_get_n_entries(run->store);
  guint64 bytes = 0;

  for (gsize i = 0; i < n_tensors; i++) {
    const LacEntry *tensor = lac_store_get_entry(run->store, i);
    bytes += (guint64) tensor->n_rows * tensor->n_columns * tensor->element_size;
  }
  return bytes;
}

/* What the folder may still need: the next checkpoint beside the last one, and the frames up to the budget, which
 * run.h5 holds a second time. */
static guint64
estimate_need(const LacRun *run)
{
  guint64 need = ROOM_SPARE + get_store_bytes(run);
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

static gboolean
keep_metrics(LacRun *run, GError **error)
{
  gsize n = run->outline.n_metrics;

  for (gsize m = 0; m < n; m++) {
    if (isfinite(run->metrics[m]))
      run->last_metrics[m] = run->metrics[m];
  }
  memcpy(&run->row[0], &run->step, sizeof run->step);
  run->row[1] = run->seconds;
  memcpy(&run->row[2], run->metrics, n * sizeof(double));
  if (!lac_run_folder_metrics(run->folder, run->step, run->seconds, run->metrics, error))
    return FALSE;
  lac_relay_put(run->rows, run->n_rows++, run->row, 1);
  return TRUE;
}

static gboolean
write_checkpoint(LacRun *run, GError **error)
{
  LacSpan  span = lac_run_write_begin(run, run->recorder.names.write_checkpoint);
  gboolean done =
    lac_run_folder_checkpoint(run->folder, run->step, run->seconds, run->store, error);

  lac_run_write_end(run, span, get_store_bytes(run));
  return done;
}

gboolean
lac_run_keep_checkpoint(LacRun *run, GError **error)
{
  gint64      start = lac_clock_ns();
  gint64      outcome = run->outcome;
  gsize       n = run->outline.n_metrics;
  LacRunPhase phase;

  lac_run_phase_begin(run, &phase, run->recorder.names.checkpoint, NULL);
  run->experiment->save(run->state, run->store);
  memcpy(lac_store_put(run->store, LAC_RUN_STORE_OUTCOME, 1, 1, 8), &outcome, sizeof outcome);
  if (n > 0)
    memcpy(lac_store_put(run->store, LAC_RUN_STORE_METRICS, n, 1, 8), run->last_metrics,
           n * sizeof(double));
  gboolean done = lac_run_keep_records(run, error) && write_checkpoint(run, error);
  lac_run_phase_end(run, &phase, run->step);
  gint64 now = lac_clock_ns();
  run->next_checkpoint_ns = now + MAX((gint64) (run->checkpoint_seconds * (double) SECOND_NS),
                                      CHECKPOINT_SHARE * (now - start));
  run->next_flush_ns = now + FLUSH_NS;
  return done;
}

gboolean
lac_run_keep_step(LacRun *run, GError **error)
{
  lac_run_sample(run);
  if (!keep_metrics(run, error) || !keep_due_frame(run, error) || !lac_run_keep_records(run, error))
    return FALSE;

  gint64 now = lac_clock_ns();
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
