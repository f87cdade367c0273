/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interface of a run for its controlling thread. */
#include "run/core/run.h"

#include "base/error.h"
#include "io/runfile/replay.h"
#include "run/core/run-private.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

LacRun *
lac_run_new(const LacRunSettings *settings, GError **error)
{
  g_autoptr(LacRun) run = g_new0(LacRun, 1);

  lac_run_monitor_init(&run->monitor);
  lac_run_recorder_init(&run->recorder, settings->detail, &run->progress, &run->rows);
  lac_run_log_init(&run->log, &run->progress, &run->recorder, &run->monitor);
  lac_commands_init(&run->commands);
  if (!lac_run_open(run, settings, error))
    return NULL;
  return g_steal_pointer(&run);
}

void
lac_run_free(LacRun *run)
{
  if (run == NULL)
    return;
  if (run->thread != NULL) {
    lac_run_stop(run);
    g_thread_join(run->thread);
  }
  lac_run_frames_clear(&run->frames);
  lac_run_log_clear(&run->log);
  lac_run_file_unref(run->already);
  lac_run_repeat_clear(&run->repeat);
  lac_run_recorder_leave_device(&run->recorder);
  lac_run_computer_clear(&run->computer);
  lac_run_recorder_clear(&run->recorder); /* nothing records any more */
  lac_run_memory_free(run->memory);
  lac_inputs_clear(&run->inputs);
  lac_outline_clear(&run->outline);
  lac_draft_free(run->draft);
  lac_draft_free(run->live);
  lac_draft_free(run->controls);
  lac_commands_clear(&run->commands);
  lac_run_monitor_clear(&run->monitor);
  lac_run_outcome_clear(&run->outcome);
  lac_run_rows_clear(&run->rows);
  g_free(run);
}

/* Shows the results of a run that had already ended. */
static void
show_as_before(LacRun *run)
{
  const LacRunFile *before = run->already;
  LacRunStatus     *status = &run->monitor.status;

  for (gsize m = 0; m < run->outline.n_metrics; m++) {
    for (gsize i = 0; i < before->n_metrics; i++) {
      if (g_str_equal(before->metrics[i].key, run->outline.metrics[m].key))
        run->rows.last[m] = before->metrics[i].last;
    }
  }
  run->progress.step = before->steps;
  run->progress.seconds = before->seconds;
  run->progress.setup_seconds = before->setup_seconds;
  status->state = LAC_RUN_ENDED;
  status->step = before->steps;
  status->n_steps = before->steps;
  status->seconds = before->seconds;
  status->setup_seconds = before->setup_seconds;
  status->fraction = 1;
  g_strlcpy(status->outcome, before->outcome, sizeof status->outcome);
  g_snprintf(status->message, sizeof status->message,
             _("this run had already ended after step %" PRId64 "; there is nothing to resume"),
             before->steps);
  if (before->unassembled != NULL) {
    status->is_unassembled = TRUE;
    g_strlcpy(status->outcome, "failed", sizeof status->outcome);
    g_strlcpy(status->message, before->unassembled, sizeof status->message);
    g_set_error_literal(&run->outcome.error, LAC_ERROR, LAC_ERROR_DISK_FULL, before->unassembled);
  }
  g_atomic_int_set(&run->has_ended, 1);
}

LacRunFile *
lac_run_peek(LacRun *run, GError **error)
{
  g_return_val_if_fail(run->thread == NULL && (run->is_resumed || run->already != NULL), NULL);
  return run->already != NULL ? lac_run_file_ref(run->already)
                              : lac_run_file_peek(run->log.folder, error);
}

void
lac_run_start(LacRun *run, gboolean paused)
{
  g_return_if_fail(run->thread == NULL && !g_atomic_int_get(&run->has_ended));
  run->start_paused = paused;
  if (run->already != NULL) {
    show_as_before(run);
    lac_run_monitor_wake(&run->monitor);
    return;
  }
  run->thread = g_thread_new("lacuna-run", lac_run_thread, run);
}

gboolean
lac_run_wait(LacRun *run, GError **error)
{
  if (run->thread != NULL)
    g_thread_join(g_steal_pointer(&run->thread));
  if (run->outcome.error == NULL)
    return TRUE;
  g_propagate_error(error, g_error_copy(run->outcome.error));
  return FALSE;
}

gboolean
lac_run_is_writing(LacRun *run)
{
  return g_atomic_int_get(&run->log.is_writing) != 0;
}

void
lac_run_set_wake(LacRun *run, void (*wake)(gpointer user_data), gpointer user_data)
{
  g_return_if_fail(run->thread == NULL);
  run->monitor.wake = wake;
  run->monitor.wake_data = user_data;
}

/* ---- commands ---- */

/* Sends a command; with 256 queued commands, during a step of minutes, waits for the end of that step. */
static void
send(LacRun *run, LacCommandKind kind)
{
  LacCommand command = {.kind = kind};

  while (!g_atomic_int_get(&run->has_ended) && !lac_commands_send(&run->commands, &command))
    g_usleep(1000);
}

void
lac_run_pause(LacRun *run)
{
  send(run, LAC_COMMAND_PAUSE);
}

void
lac_run_resume(LacRun *run)
{
  send(run, LAC_COMMAND_RESUME);
}

void
lac_run_step(LacRun *run)
{
  send(run, LAC_COMMAND_STEP);
}

void
lac_run_checkpoint(LacRun *run)
{
  send(run, LAC_COMMAND_CHECKPOINT);
}

void
lac_run_stop(LacRun *run)
{
  lac_commands_send_stop(&run->commands);
}

gboolean
lac_run_set_live(LacRun *run, const char *key, const char *text, GError **error)
{
  const LacExperiment *experiment = run->experiment;
  const LacParam      *row = lac_param_find(&experiment->params, key);
  g_autoptr(LacDraft)  draft = lac_draft_copy(run->controls);

  if (!lac_draft_set(draft, key, text, error))
    return FALSE;
  if (row == NULL || (row->flags & LAC_PARAM_LIVE) == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                _("%s cannot be changed during a run: start a new run with another value"), key);
    return FALSE;
  }
  if (experiment->check != NULL &&
      !experiment->check(experiment, lac_draft_get_values(draft), error))
    return FALSE;
  if (g_atomic_int_get(&run->has_ended)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                _("the run has ended: %s can no longer be changed"), key);
    return FALSE;
  }
  g_autofree char *value = lac_draft_dup_text(draft, row);
  LacCommand       command = {
          .kind = LAC_COMMAND_SET,
          .draft = lac_draft_copy(draft),
          .detail = g_strdup_printf("%s = %s", key, value),
  };
  if (!lac_commands_send(&run->commands, &command)) {
    lac_draft_free(command.draft);
    g_free(command.detail);
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                _("%s: too many pending changes; wait until this step has ended"), key);
    return FALSE;
  }
  lac_draft_free(run->controls);
  run->controls = g_steal_pointer(&draft);
  return TRUE;
}

/* ---- what comes back; each call first says that it looks, so that no wake is lost ---- */

void
lac_run_get_status(LacRun *run, LacRunStatus *status)
{
  lac_run_monitor_read(&run->monitor, status);
}

LacFrame *
lac_run_take_frame(LacRun *run)
{
  lac_wake_clear(&run->monitor.woken);
  return lac_run_frames_take(&run->frames);
}

typedef struct {
  LacRun       *run;
  LacRecordFunc on_records;
  void (*on_metrics)(gint64 step, double seconds, const double *metrics, gpointer user_data);
  gpointer user_data;
} Drain;

static void
give_records(gconstpointer elements, gsize n, gpointer user_data)
{
  const Drain *drain = user_data;

  if (drain->on_records != NULL)
    drain->on_records(elements, n, drain->user_data);
}

static void
give_rows(gconstpointer elements, gsize n, gpointer user_data)
{
  const Drain  *drain = user_data;
  const double *row = elements;

  for (gsize i = 0; i < n; i++, row += 2 + drain->run->outline.n_metrics) {
    gint64 step;
    memcpy(&step, &row[0], sizeof step);
    if (drain->on_metrics != NULL)
      drain->on_metrics(step, row[1], &row[2], drain->user_data);
  }
}

static gsize
load_records(guint64 first, guint64 n, LacRelayFunc func, gpointer func_data, gpointer user_data)
{
  LacRun *run = user_data;

  return lac_run_replay_records(run->log.path, &run->log.session, first, n, func, func_data);
}

static gsize
load_rows(guint64 first, guint64 n, LacRelayFunc func, gpointer func_data, gpointer user_data)
{
  LacRun *run = user_data;

  return lac_run_replay_metrics(run->log.path, &run->log.session, first, n, func, func_data);
}

void
lac_run_drain(
  LacRun       *run,
  LacRecordFunc on_records,
  void (*on_metrics)(gint64 step, double seconds, const double *metrics, gpointer user_data),
  gpointer user_data)
{
  Drain drain = {run, on_records, on_metrics, user_data};

  lac_wake_clear(&run->monitor.woken);
  if (run->already != NULL)
    return;
  lac_relay_drain(run->log.records, give_records, &drain, load_records, run);
  lac_relay_drain(run->log.rows, give_rows, &drain, load_rows, run);
}

void
lac_run_record_drawing(LacRun *run, gint64 begin_ns, gint64 upload_ns, gint64 end_ns)
{
  lac_run_recorder_draw(&run->recorder, begin_ns, upload_ns, end_ns);
}

void
lac_run_record_stall(LacRun *run, gint64 begin_ns, gint64 end_ns)
{
  lac_run_recorder_stall(&run->recorder, begin_ns, end_ns);
}

/* ---- facts ---- */

LacPerf *
lac_run_get_perf(LacRun *run)
{
  return run->recorder.perf;
}

const LacOutline *
lac_run_get_outline(LacRun *run)
{
  return &run->outline;
}

const LacExperiment *
lac_run_get_experiment(LacRun *run)
{
  return run->experiment;
}

const char *
lac_run_get_folder(LacRun *run)
{
  return run->log.path;
}

const LacDraft *
lac_run_get_controls(LacRun *run)
{
  return run->controls;
}

const double *
lac_run_get_metrics(LacRun *run)
{
  return run->rows.last;
}

guint
lac_run_get_threads(LacRun *run)
{
  return lac_pool_get_n_threads(run->computer.pool);
}

const char *
lac_run_get_backend(LacRun *run)
{
  return run->computer.name;
}

const char *
lac_run_get_precision(LacRun *run)
{
  return run->computer.precision;
}

const char *
lac_run_get_fallback(LacRun *run)
{
  return run->computer.fallback;
}

guint64
lac_run_get_seed(LacRun *run)
{
  return run->seed;
}
