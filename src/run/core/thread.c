/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The compute thread: set-up, then commands and steps, then completion of the folder. */
#include "base/clock.h"
#include "base/error.h"
#include "io/input/apart.h"
#include "run/core/run-private.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define PAUSED_TICK_US (500 * 1000)

static const char *const command_names[LAC_N_COMMANDS] = {
  [LAC_COMMAND_PAUSE] = "pause",     [LAC_COMMAND_RESUME] = "resume",
  [LAC_COMMAND_STEP] = "step",       [LAC_COMMAND_CHECKPOINT] = "checkpoint",
  [LAC_COMMAND_SET] = LAC_EVENT_SET,
};

static void
intern_commands(LacRun *run)
{
  for (gsize i = 0; i < LAC_N_COMMANDS; i++) {
    g_autofree char *name = g_strconcat(LAC_MARK_COMMAND, command_names[i], NULL);
    run->recorder.names.commands[i] = lac_perf_name(run->recorder.perf, name);
  }
}

/* ---- the status ---- */

static void
update_status(LacRun *run)
{
  const LacRunProgress    *progress = &run->progress;
  const LacDecimatorCounts counts = lac_decimator_get_counts(run->log.decimator);
  LacRunStatus            *status = lac_run_monitor_lock(&run->monitor);

  status->step = progress->step;
  status->n_steps = progress->n_steps;
  status->seconds = progress->seconds;
  status->setup_seconds = progress->setup_seconds;
  status->seconds_left = lac_run_progress_get_seconds_left(progress);
  if (status->state != LAC_RUN_SETTING_UP && progress->n_steps > 0)
    status->fraction = MIN((double) progress->step / (double) progress->n_steps, 1);
  status->frames_published = run->frames.published;
  status->arena_bytes = (gsize) run->log.live_bytes;
  /* records dropped on purpose do not count as lost */
  status->records_pushed =
    lac_perf_get_n_pushed(run->recorder.perf) - counts.n_taken + counts.n_kept + counts.n_sums;
  status->record_stride = run->log.budget.record_stride;
  lac_run_recorder_read_memory(&run->recorder, &status->memory);
  lac_run_monitor_unlock(&run->monitor);
}

static void
set_state(LacRun *run, LacRunState state)
{
  lac_run_monitor_lock(&run->monitor)->state = state;
  lac_run_monitor_unlock(&run->monitor);
  update_status(run);
  lac_run_monitor_wake(&run->monitor);
}

/* ---- commands ---- */

static gboolean
enter_pause(LacRun *run, GError **error)
{
  run->is_paused = TRUE;
  lac_run_progress_stop_clock(&run->progress);
  if (!lac_run_keep_checkpoint(run, error) || !lac_run_log_flush(&run->log, error))
    return FALSE;
  if (!lac_run_show_frame(run, error))
    return FALSE;
  set_state(run, LAC_RUN_PAUSED);
  return TRUE;
}

static void
leave_pause(LacRun *run)
{
  run->is_paused = FALSE;
  set_state(run, LAC_RUN_RUNNING);
}

static void
retune(LacRun *run, LacCommand *command)
{
  lac_draft_free(run->live);
  run->live = g_steal_pointer(&command->draft);
  if (run->experiment->retune != NULL)
    run->experiment->retune(run->state, lac_draft_get_values(run->live));
  /* so that a kill soon after does not lose the change */
  lac_run_cadence_hasten_checkpoint(&run->cadence, lac_clock_ns());
}

/* Executes a command. @one_step: set when exactly one step is to follow. */
static gboolean
obey(LacRun *run, LacCommand *command, gboolean *one_step, GError **error)
{
  g_autofree char *detail = g_steal_pointer(&command->detail);

  lac_run_recorder_mark(&run->recorder, run->recorder.names.commands[command->kind]);
  if (!lac_run_log_event(&run->log, command_names[command->kind], detail, error))
    return FALSE;
  switch (command->kind) {
  case LAC_COMMAND_PAUSE: return run->is_paused || enter_pause(run, error);
  case LAC_COMMAND_RESUME:
    if (run->is_paused)
      leave_pause(run);
    return TRUE;
  case LAC_COMMAND_STEP: *one_step = TRUE; return TRUE;
  case LAC_COMMAND_CHECKPOINT: return lac_run_keep_checkpoint(run, error);
  case LAC_COMMAND_SET: retune(run, command); return TRUE;
  case LAC_N_COMMANDS: break;
  }
  g_assert_not_reached();
}

/* Processes commands until there is a step to do. Returns: FALSE when there is none: stopped, or @error set. */
static gboolean
attend(LacRun *run, gboolean *one_step, GError **error)
{
  LacCommand command;

  *one_step = FALSE;
  for (;;) {
    while (!*one_step && lac_commands_receive(&run->commands, &command)) {
      gboolean done = obey(run, &command, one_step, error);
      g_clear_pointer(&command.draft, lac_draft_free);
      if (!done)
        return FALSE;
    }
    if (lac_commands_is_stopped(&run->commands))
      return FALSE;
    if (!run->is_paused || *one_step)
      return TRUE;
    lac_commands_wait(&run->commands, PAUSED_TICK_US);
  }
}

/* Repeats the live changes of the original run before the step at which they took effect. */
static gboolean
change_as_before(LacRun *run, GError **error)
{
  const char *change;
  gboolean    one_step;

  while ((change = lac_run_repeat_take_change(&run->repeat, run->progress.step)) != NULL) {
    const char      *equals = strstr(change, " = ");
    g_autofree char *key = g_strndup(change, (gsize) (equals - change));
    LacCommand       command = {
            .kind = LAC_COMMAND_SET, .draft = lac_draft_copy(run->live), .detail = g_strdup(change)};
    gboolean done =
      lac_draft_set(command.draft, key, equals + 3, error) && obey(run, &command, &one_step, error);
    g_clear_pointer(&command.draft, lac_draft_free);
    g_clear_pointer(&command.detail, g_free);
    if (!done)
      return FALSE;
  }
  return TRUE;
}

/* ---- the loop ---- */

static gboolean
do_step(LacRun *run, GError **error)
{
  LacRunRow    *row = lac_run_rows_add(&run->rows);
  LacStepReport report = {
    .outcome = LAC_OUTCOME_CONTINUE,
    .metrics = row->metrics,
  };

  lac_run_progress_start_clock(&run->progress);
  gint64      start = lac_clock_ns();
  LacRunPhase phase;
  lac_run_phase_begin(&run->recorder, &phase, run->recorder.names.step, &run->recorder.step);
  lac_device_log_set_step(run->computer.device.log, run->progress.step + 1);
  gboolean done = run->experiment->step(run->state, &report, error);
  lac_lane_set_batch(run->recorder.compute, report.epoch, report.batch);
  lac_run_phase_end(&run->recorder, &phase, run->progress.step + 1);
  lac_lane_set_batch(run->recorder.compute, 0, 0);
  if (!done) {
    lac_run_rows_drop(&run->rows);
    return FALSE;
  }
  lac_run_progress_count_step(&run->progress);
  run->recorder.samples += report.samples;
  row->step = run->progress.step;
  row->seconds = run->progress.seconds;
  row->pending = report.pending;
  if (!lac_run_note_report(run, &report, error))
    return FALSE;
  done = lac_run_keep_step(run, error);
  lac_run_progress_add_duration(&run->progress, (double) (lac_clock_ns() - start) * 1e-9);
  update_status(run);
  return done;
}

/* Leaves a device that failed. @problem: (transfer full). Returns: FALSE with an error if the run ends here. */
static gboolean
survive(LacRun *run, GError *problem, GError **error)
{
  g_autoptr(GError) lost = problem;

  g_atomic_int_set(&run->log.is_writing, 0); /* computing again, up to the current step */
  if (!lac_run_computer_can_leave(&run->computer, lost)) {
    g_propagate_error(error, g_steal_pointer(&lost));
    return FALSE;
  }
  if (!lac_run_leave_device(run, lost->message, error))
    return FALSE;
  if (run->state != NULL && !lac_run_keep_checkpoint(run, error))
    return FALSE;
  set_state(run, run->is_paused ? LAC_RUN_PAUSED : LAC_RUN_RUNNING);
  return TRUE;
}

static gboolean
begin_loop(LacRun *run, GError **error)
{
  if (run->start_paused)
    return enter_pause(run, error);
  set_state(run, LAC_RUN_RUNNING);
  return TRUE;
}

static gboolean
is_going(LacRun *run)
{
  return run->state != NULL && run->outcome.value == LAC_OUTCOME_CONTINUE &&
         !lac_run_progress_is_out_of_time(&run->progress) &&
         !lac_run_repeat_is_at_last_step(&run->repeat, run->progress.step);
}

static gboolean
take_turn(LacRun *run, gboolean *is_stopped, GError **error)
{
  g_autoptr(GError) problem = NULL;
  gboolean          one_step;

  if (!attend(run, &one_step, &problem)) {
    *is_stopped = problem == NULL;
    if (problem != NULL)
      g_propagate_error(error, g_steal_pointer(&problem));
    return *is_stopped;
  }
  return change_as_before(run, error) && do_step(run, error) &&
         (!one_step || enter_pause(run, error));
}

static gboolean
run_loop(LacRun *run, GError **error)
{
  gboolean is_stopped = FALSE;
  GError  *problem = NULL;

  if (!begin_loop(run, &problem) && !survive(run, problem, error))
    return FALSE;
  while (!is_stopped && is_going(run)) {
    problem = NULL;
    if (!take_turn(run, &is_stopped, &problem) && !survive(run, problem, error))
      return FALSE;
  }
  return TRUE;
}

/* Shows and saves the state before the first step, the start of the history. */
static gboolean
keep_start(LacRun *run, GError **error)
{
  if (run->is_resumed) {
    g_autofree char *detail = g_strdup_printf("from step %" G_GINT64_FORMAT, run->progress.step);
    lac_run_recorder_mark(&run->recorder, run->recorder.names.resumed);
    if (!lac_run_log_event(&run->log, "resumed", detail, error))
      return FALSE;
  }
  if (!lac_run_report_device(run, error))
    return FALSE;
  return run->progress.step > 0 ? lac_run_show_frame(run, error)
                                : lac_run_keep_last_frame(run, error);
}

static gboolean
set_up(LacRun *run, GError **error)
{
  GError *problem = NULL;

  if (lac_run_set_up(run, &problem))
    return TRUE;
  if (!lac_run_computer_can_leave(&run->computer, problem) || lac_run_is_cancelled(run)) {
    g_propagate_error(error, problem);
    return FALSE;
  }
  g_autoptr(GError) lost = problem;
  return lac_run_set_up_on_processor(run, lost->message, error);
}

/* ---- the end ---- */

static char *
dup_detail(const LacRun *run)
{
  if (run->outcome.error != NULL)
    return g_strdup(run->outcome.error->message);
  if (run->outcome.value == LAC_OUTCOME_DIVERGED)
    return g_strdup(run->outcome.why);
  if (run->outcome.value == LAC_OUTCOME_FINISHED)
    return *run->outcome.why != '\0' ? g_strdup(run->outcome.why) : NULL;
  if (lac_commands_is_stopped(&run->commands))
    return g_strdup_printf(_("stopped by the user or a signal after step %" PRId64),
                           run->progress.step);
  if (lac_run_repeat_is_at_last_step(&run->repeat, run->progress.step))
    return g_strdup_printf(_("stopped after step %" PRId64 ", like the run it repeats"),
                           run->progress.step);
  char limit[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(limit, sizeof limit, "%g", run->progress.time_limit);
  return g_strdup_printf(_("the time limit of %s s was reached after step %" PRId64), limit,
                         run->progress.step);
}

/* Saves the last checkpoint and frame, unless the state is invalid. */
static gboolean
keep_end(LacRun *run, GError **error)
{
  if (run->state == NULL || !lac_run_frames_is_ready(&run->frames))
    return TRUE;
  if (lac_commands_is_stopped(&run->commands)) {
    lac_run_recorder_mark(&run->recorder, run->recorder.names.stop);
    if (!lac_run_log_event(&run->log, "stop", NULL, error))
      return FALSE;
  }
  /* after divergence the state is not resumable: keep the previous checkpoint */
  if (!lac_run_flush_metrics(run, error))
    return FALSE;
  g_atomic_int_set(&run->log.is_writing, 1);
  gboolean diverged = run->outcome.value == LAC_OUTCOME_DIVERGED;
  if (diverged && !lac_run_log_event(&run->log, LAC_EVENT_DIVERGED, run->outcome.who, error))
    return FALSE;
  return lac_run_keep_last_row(run, error) && (diverged || lac_run_keep_checkpoint(run, error)) &&
         lac_run_keep_last_frame(run, error) && lac_run_log_flush(&run->log, error);
}

/* Records an unstable true solution in the journal; methods have recorded their own divergence. */
static void
keep_reason(LacRun *run)
{
  if (g_error_matches(run->outcome.error, LAC_ERROR, LAC_ERROR_UNSTABLE))
    lac_run_log_event(&run->log, LAC_EVENT_DIVERGED, "truth", NULL);
}

static void
end_folder(LacRun *run)
{
  g_autofree char  *detail = dup_detail(run);
  g_autoptr(GError) problem = NULL;
  double            assembly_seconds = 0;
  keep_reason(run);
  LacRunEnd end = {
    .outcome = lac_run_outcome_get_word(&run->outcome),
    .detail = detail,
    .steps = run->progress.step,
    .seconds = run->progress.seconds,
    .setup_seconds = run->progress.setup_seconds,
    .assembly_seconds = &assembly_seconds,
    .pool = run->computer.pool,
    .records_are_read = lac_relay_has_spilled(run->log.records),
  };

  const gboolean is_unassembled =
    !lac_run_folder_finish(run->log.folder, &end, &problem) && run->outcome.error == NULL;
  if (is_unassembled) {
    /* the journal has the outcome of the computation, but the folder is not complete */
    g_free(detail);
    detail = g_strdup(problem->message);
    run->outcome.error = g_steal_pointer(&problem);
  }
  LacRunStatus *status = lac_run_monitor_lock(&run->monitor);
  status->is_unassembled = is_unassembled;
  status->assembly_seconds = assembly_seconds;
  g_strlcpy(status->outcome, lac_run_outcome_get_word(&run->outcome), sizeof status->outcome);
  const char *message = detail != NULL ? detail : run->computer.fallback;
  g_strlcpy(status->message, message != NULL ? message : "", sizeof status->message);
  lac_run_monitor_unlock(&run->monitor);
}

gpointer
lac_run_thread(gpointer user_data)
{
  LacRun *run = user_data;

  if (run->gives_way)
    lac_pool_give_way(run->computer.pool);
  lac_run_progress_begin(&run->progress);
  lac_apart_prepare(); /* it looks through run.h5 at the end */
  gboolean is_decided = lac_run_decide_device(run, &run->outcome.error);
  lac_run_recorder_begin(&run->recorder, &run->computer, run->memory, &run->outline);
  lac_run_cadence_begin(&run->cadence, run->progress.thread_begin_ns);
  intern_commands(run);

  GError *problem = NULL;
  if (is_decided && set_up(run, &run->outcome.error)) {
    if (lac_run_frames_is_ready(&run->frames) &&
        (keep_start(run, &problem) || survive(run, g_steal_pointer(&problem), &run->outcome.error)))
      run_loop(run, &run->outcome.error);
  } else if (lac_run_is_cancelled(run)) {
    g_clear_error(&run->outcome.error); /* cancelled on request, not an error */
  }
  lac_run_progress_stop_clock(&run->progress);
  if (run->outcome.error == NULL && !keep_end(run, &problem) &&
      survive(run, g_steal_pointer(&problem), &run->outcome.error))
    keep_end(run, &run->outcome.error);
  g_atomic_int_set(&run->log.is_writing, 1);
  lac_run_recorder_end(&run->recorder);
  lac_run_log_last_records(&run->log, NULL);
  lac_run_log_sums(&run->log, NULL);
  update_status(run);
  lac_run_log_account(&run->log, NULL);
  lac_run_log_finish_relays(&run->log);
  end_folder(run);
  if (run->state != NULL)
    run->experiment->destroy(g_steal_pointer(&run->state));
  g_clear_pointer(&run->log.folder, lac_run_folder_close);
  g_atomic_int_set(&run->has_ended, 1);
  set_state(run, LAC_RUN_ENDED);
  return NULL;
}
