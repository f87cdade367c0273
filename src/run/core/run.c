/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run as its controlling thread sees it. */
#include "run/core/run.h"

#include "base/error.h"
#include "run/core/run-private.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

LacRun *
lac_run_new(const LacRunSettings *settings, GError **error)
{
  g_autoptr(LacRun) run = g_new0(LacRun, 1);

  pthread_mutex_init(&run->status_lock, NULL);
  pthread_mutex_init(&run->recorder.window_lock, NULL);
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
  if (run->frames_ready)
    lac_run_frames_clear(&run->frames);
  lac_relay_free(run->records);
  lac_relay_free(run->rows);
  lac_run_folder_close(run->folder);
  lac_store_free(run->store);
  lac_run_file_unref(run->already);
  lac_run_file_unref(run->model);
  lac_pool_free(run->pool);
  lac_run_recorder_clear(&run->recorder);
  if (run->device_open)
    lac_device_close(&run->device);
  lac_thinner_free(run->thinner);
  lac_perf_free(run->perf);
  lac_run_memory_free(run->memory);
  lac_inputs_clear(&run->inputs);
  lac_outline_clear(&run->outline);
  lac_draft_free(run->draft);
  lac_draft_free(run->live);
  lac_draft_free(run->controls);
  lac_commands_clear(&run->commands);
  pthread_mutex_destroy(&run->status_lock);
  g_clear_error(&run->error);
  g_clear_pointer(&run->underway.frame, lac_frame_unref);
  lac_run_rows_clear(&run->open_rows);
  g_free(run->metrics);
  g_free(run->blow_ups);
  g_free(run->last_metrics);
  g_free(run->row);
  g_free(run->precision);
  g_free(run->backend);
  g_free(run->computer.refusal);
  g_free(run->computer.choice);
  lac_machine_part_free(run->computer.part);
  g_free(run->computer.apart);
  g_free(run->fallback);
  g_free(run->folder_path);
  g_free(run);
}

/* What a run that had ended before says of itself. */
static void
show_as_before(LacRun *run)
{
  const LacRunFile *before = run->already;
  LacRunStatus     *status = &run->status;

  for (gsize m = 0; m < run->outline.n_metrics; m++) {
    for (gsize i = 0; i < before->n_metrics; i++) {
      if (g_str_equal(before->metrics[i].key, run->outline.metrics[m].key))
        run->last_metrics[m] = before->metrics[i].last;
    }
  }
  run->step = before->steps;
  run->seconds = before->seconds;
  run->setup_seconds = before->setup_seconds;
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
    g_set_error_literal(&run->error, LAC_ERROR, LAC_ERROR_DISK_FULL, before->unassembled);
  }
  g_atomic_int_set(&run->ended, 1);
}

void
lac_run_start(LacRun *run, gboolean paused)
{
  g_return_if_fail(run->thread == NULL && !g_atomic_int_get(&run->ended));
  run->start_paused = paused;
  if (run->already != NULL) {
    show_as_before(run);
    lac_run_wake(run);
    return;
  }
  run->thread = g_thread_new("lacuna-run", lac_run_thread, run);
}

gboolean
lac_run_wait(LacRun *run, GError **error)
{
  if (run->thread != NULL)
    g_thread_join(g_steal_pointer(&run->thread));
  if (run->error == NULL)
    return TRUE;
  g_propagate_error(error, g_error_copy(run->error));
  return FALSE;
}

gboolean
lac_run_is_writing(LacRun *run)
{
  return g_atomic_int_get(&run->is_writing) != 0;
}

void
lac_run_set_wake(LacRun *run, void (*wake)(gpointer user_data), gpointer user_data)
{
  g_return_if_fail(run->thread == NULL);
  run->wake = wake;
  run->wake_data = user_data;
}

/* ---- commands ---- */

/* 256 waiting commands mean a step of minutes: the sender then waits for the end of that step. */
static void
send(LacRun *run, LacCommandKind kind)
{
  LacCommand command = {.kind = kind};

  while (!g_atomic_int_get(&run->ended) && !lac_commands_send(&run->commands, &command))
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
                _("%s cannot change while the run is going: start a new run with another value"),
                key);
    return FALSE;
  }
  if (experiment->check != NULL &&
      !experiment->check(experiment, lac_draft_get_values(draft), error))
    return FALSE;
  if (g_atomic_int_get(&run->ended)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                _("the run has ended: %s cannot change any more"), key);
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
                _("%s: too many changes wait for the end of this step"), key);
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
  lac_wake_clear(&run->woken);
  pthread_mutex_lock(&run->status_lock);
  *status = run->status;
  pthread_mutex_unlock(&run->status_lock);
}

LacFrame *
lac_run_take_frame(LacRun *run)
{
  lac_wake_clear(&run->woken);
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

  return lac_run_replay_records(run->folder_path, &run->session, first, n, func, func_data);
}

static gsize
load_rows(guint64 first, guint64 n, LacRelayFunc func, gpointer func_data, gpointer user_data)
{
  LacRun *run = user_data;

  return lac_run_replay_metrics(run->folder_path, &run->session, first, n, func, func_data);
}

void
lac_run_drain(
  LacRun       *run,
  LacRecordFunc on_records,
  void (*on_metrics)(gint64 step, double seconds, const double *metrics, gpointer user_data),
  gpointer user_data)
{
  Drain drain = {run, on_records, on_metrics, user_data};

  lac_wake_clear(&run->woken);
  if (run->already != NULL)
    return;
  lac_relay_drain(run->records, give_records, &drain, load_records, run);
  lac_relay_drain(run->rows, give_rows, &drain, load_rows, run);
}

/* ---- facts ---- */

LacPerf *
lac_run_get_perf(LacRun *run)
{
  return run->perf;
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
  return run->folder_path;
}

const double *
lac_run_get_metrics(LacRun *run)
{
  return run->last_metrics;
}

guint
lac_run_get_threads(LacRun *run)
{
  return lac_pool_get_n_threads(run->pool);
}

const char *
lac_run_get_backend(LacRun *run)
{
  return run->computer.name;
}

const char *
lac_run_get_fallback(LacRun *run)
{
  return run->fallback;
}

guint64
lac_run_get_seed(LacRun *run)
{
  return run->seed;
}

char *
lac_run_dup_default_folder(void)
{
  return g_build_filename(g_get_user_data_dir(), "lacuna", "runs", NULL);
}
