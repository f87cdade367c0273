/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The compute thread: set up, then commands and steps until it ends, then the end of the folder. */
#include "base/clock.h"
#include "base/error.h"
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
    g_autofree char *name = g_strdup_printf("command: %s", command_names[i]);
    run->command_names[i] = lac_perf_name(run->perf, name);
  }
}

/* ---- the compute clock: runs from the first step on, stands while paused ---- */

static double
read_clock(const LacRun *run)
{
  if (run->go_ns == 0)
    return run->clock_seconds;
  return run->clock_seconds + (double) (lac_clock_ns() - run->go_ns) * 1e-9;
}

static void
stop_clock(LacRun *run)
{
  run->clock_seconds = read_clock(run);
  run->go_ns = 0;
}

static void
start_clock(LacRun *run)
{
  if (run->go_ns == 0)
    run->go_ns = lac_clock_ns();
}

/* ---- commands ---- */

static gboolean
enter_pause(LacRun *run, GError **error)
{
  run->paused = TRUE;
  stop_clock(run);
  if (!lac_run_keep_checkpoint(run, error) || !lac_run_flush(run, error))
    return FALSE;
  if (!lac_run_show_frame(run, error))
    return FALSE;
  lac_run_set_state(run, LAC_RUN_PAUSED);
  return TRUE;
}

static void
leave_pause(LacRun *run)
{
  run->paused = FALSE;
  lac_run_set_state(run, LAC_RUN_RUNNING);
}

static void
retune(LacRun *run, LacCommand *command)
{
  lac_draft_free(run->live);
  run->live = g_steal_pointer(&command->draft);
  if (run->experiment->retune != NULL)
    run->experiment->retune(run->state, lac_draft_get_values(run->live));
  /* a kill soon after should not forget it */
  run->next_checkpoint_ns =
    MIN(run->next_checkpoint_ns, lac_clock_ns() + G_GINT64_CONSTANT(1000000000));
}

/* @one_step: set when exactly one step is to follow. */
static gboolean
obey(LacRun *run, LacCommand *command, gboolean *one_step, GError **error)
{
  g_autofree char *detail = g_steal_pointer(&command->detail);

  lac_run_mark(run, run->command_names[command->kind]);
  if (!lac_run_keep_event(run, command_names[command->kind], detail, error))
    return FALSE;
  switch (command->kind) {
  case LAC_COMMAND_PAUSE: return run->paused || enter_pause(run, error);
  case LAC_COMMAND_RESUME:
    if (run->paused)
      leave_pause(run);
    return TRUE;
  case LAC_COMMAND_STEP: *one_step = TRUE; return TRUE;
  case LAC_COMMAND_CHECKPOINT: return lac_run_keep_checkpoint(run, error);
  case LAC_COMMAND_SET: retune(run, command); return TRUE;
  case LAC_N_COMMANDS: break;
  }
  g_assert_not_reached();
}

/* Until there is a step to do. Returns: FALSE when there is none: stopped, or @error set. */
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
    if (!run->paused || *one_step)
      return TRUE;
    lac_commands_wait(&run->commands, PAUSED_TICK_US);
  }
}

/* What a person changed in the run that is done again, before the step at which it took effect. */
static gboolean
change_as_before(LacRun *run, GError **error)
{
  gboolean one_step;

  for (; run->model != NULL && run->next_change < run->model->n_events; run->next_change++) {
    const LacRunEvent *event = &run->model->events[run->next_change];
    const char        *equals = strstr(event->detail, " = ");
    if (event->step > run->step)
      break;
    if (!g_str_equal(event->what, LAC_EVENT_SET) || equals == NULL)
      continue;
    g_autofree char *key = g_strndup(event->detail, (gsize) (equals - event->detail));
    LacCommand       command = {.kind = LAC_COMMAND_SET,
                                .draft = lac_draft_copy(run->live),
                                .detail = g_strdup(event->detail)};
    gboolean         done =
      lac_draft_set(command.draft, key, equals + 3, error) && obey(run, &command, &one_step, error);
    g_clear_pointer(&command.draft, lac_draft_free);
    g_clear_pointer(&command.detail, g_free);
    if (!done)
      return FALSE;
  }
  return TRUE;
}

static gboolean
is_at_last_step(const LacRun *run)
{
  return run->last_step > 0 && run->step >= run->last_step;
}

/* ---- the loop ---- */

static gboolean
do_step(LacRun *run, GError **error)
{
  LacRunRow    *row = lac_run_rows_add(&run->open_rows);
  LacStepReport report = {
    .outcome = LAC_OUTCOME_CONTINUE,
    .metrics = row->metrics,
    .earlier = run->open_rows.earlier,
  };

  start_clock(run);
  gint64      start = lac_clock_ns();
  LacRunPhase phase;
  lac_run_phase_begin(run, &phase, run->recorder.names.step, &run->recorder.step);
  gboolean done = run->experiment->step(run->state, &report, error);
  lac_run_phase_end(run, &phase, run->step + 1);
  if (!done) {
    lac_run_rows_drop(&run->open_rows);
    return FALSE;
  }
  run->step++;
  run->recorder.samples += report.samples;
  row->step = run->step;
  row->seconds = run->seconds = read_clock(run);
  run->outcome = report.outcome;
  g_strlcpy(run->why, report.why, sizeof run->why);
  g_strlcpy(run->who, report.who, sizeof run->who);
  done = lac_run_keep_step(run, report.n_open, error);
  run->loop_seconds += (double) (lac_clock_ns() - start) * 1e-9;
  lac_run_update_status(run);
  return done;
}

/* A device that failed is left. @problem: (transfer full). Returns: FALSE with an error where the run ends here. */
static gboolean
survive(LacRun *run, GError *problem, GError **error)
{
  g_autoptr(GError) lost = problem;

  g_atomic_int_set(&run->is_writing, 0); /* on the way to its step it computes */
  if (!lac_run_can_leave_device(run, lost)) {
    g_propagate_error(error, g_steal_pointer(&lost));
    return FALSE;
  }
  if (!lac_run_leave_device(run, lost->message, error))
    return FALSE;
  if (run->state != NULL && !lac_run_keep_checkpoint(run, error))
    return FALSE;
  lac_run_set_state(run, run->paused ? LAC_RUN_PAUSED : LAC_RUN_RUNNING);
  return TRUE;
}

static gboolean
begin_loop(LacRun *run, GError **error)
{
  run->loop_first = run->step;
  if (run->start_paused)
    return enter_pause(run, error);
  lac_run_set_state(run, LAC_RUN_RUNNING);
  return TRUE;
}

static gboolean
is_going(LacRun *run)
{
  return run->state != NULL && run->outcome == LAC_OUTCOME_CONTINUE &&
         !lac_run_is_out_of_time(run) && !is_at_last_step(run);
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

/* The state before the first step: the viewer has something to look at, and the history begins there. */
static gboolean
keep_start(LacRun *run, GError **error)
{
  if (run->is_resumed) {
    g_autofree char *detail = g_strdup_printf("from step %" G_GINT64_FORMAT, run->step);
    lac_run_mark(run, run->recorder.names.resumed);
    if (!lac_run_keep_event(run, "resumed", detail, error))
      return FALSE;
  }
  if (!lac_run_tell_device(run, error))
    return FALSE;
  return run->step > 0 ? lac_run_show_frame(run, error) : lac_run_keep_last_frame(run, error);
}

static gboolean
set_up(LacRun *run, GError **error)
{
  GError *problem = NULL;

  if (lac_run_set_up(run, &problem))
    return TRUE;
  if (!lac_run_can_leave_device(run, problem) || lac_run_is_cancelled(run)) {
    g_propagate_error(error, problem);
    return FALSE;
  }
  g_autoptr(GError) lost = problem;
  return lac_run_set_up_on_processor(run, lost->message, error);
}

/* ---- the end ---- */

static const char *
get_outcome(const LacRun *run)
{
  if (run->error != NULL)
    return "failed";
  switch (run->outcome) {
  case LAC_OUTCOME_FINISHED: return "finished";
  case LAC_OUTCOME_DIVERGED: return "diverged";
  case LAC_OUTCOME_CONTINUE: break;
  }
  return "stopped";
}

static char *
dup_detail(const LacRun *run)
{
  if (run->error != NULL)
    return g_strdup(run->error->message);
  if (run->outcome == LAC_OUTCOME_DIVERGED)
    return g_strdup(run->why);
  if (run->outcome == LAC_OUTCOME_FINISHED)
    return NULL;
  if (lac_commands_is_stopped(&run->commands))
    return g_strdup_printf(_("stopped by a person or a signal after step %" PRId64), run->step);
  if (is_at_last_step(run))
    return g_strdup_printf(
      _("stopped after step %" PRId64 ", where the run that it repeats was stopped"), run->step);
  char limit[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(limit, sizeof limit, "%g", run->time_limit);
  return g_strdup_printf(_("the time limit of %s s was reached after step %" PRId64), limit,
                         run->step);
}

/* The last checkpoint and frame of a run whose state is sound. */
static gboolean
keep_end(LacRun *run, GError **error)
{
  if (run->state == NULL || !run->frames_ready)
    return TRUE;
  if (lac_commands_is_stopped(&run->commands)) {
    lac_run_mark(run, run->recorder.names.stop);
    if (!lac_run_keep_event(run, "stop", NULL, error))
      return FALSE;
  }
  /* what has diverged is nothing to go on from: the checkpoint before it stays */
  if (!lac_run_settle(run, error))
    return FALSE;
  g_atomic_int_set(&run->is_writing, 1);
  gboolean diverged = run->outcome == LAC_OUTCOME_DIVERGED;
  if (diverged && !lac_run_keep_event(run, LAC_EVENT_DIVERGED, run->who, error))
    return FALSE;
  return lac_run_keep_last_row(run, error) && (diverged || lac_run_keep_checkpoint(run, error)) &&
         lac_run_keep_last_frame(run, error) && lac_run_flush(run, error);
}

/* What is known of why, for whoever looks for a remedy: an engine says so itself, the truth by the code of its error. */
static void
keep_reason(LacRun *run)
{
  if (g_error_matches(run->error, LAC_ERROR, LAC_ERROR_UNSTABLE))
    lac_run_keep_event(run, LAC_EVENT_DIVERGED, "truth", NULL);
}

static void
end_folder(LacRun *run)
{
  g_autofree char  *detail = dup_detail(run);
  g_autoptr(GError) problem = NULL;
  keep_reason(run);
  LacRunEnd end = {
    .outcome = get_outcome(run),
    .detail = detail,
    .steps = run->step,
    .seconds = run->seconds,
    .setup_seconds = run->setup_seconds,
    .records_are_read = lac_relay_has_spilled(run->records),
  };

  const gboolean is_unassembled =
    !lac_run_folder_finish(run->folder, &end, &problem) && run->error == NULL;
  if (is_unassembled) {
    /* the journal has the outcome of the computation; this program has not done all it was to do */
    g_free(detail);
    detail = g_strdup(problem->message);
    run->error = g_steal_pointer(&problem);
  }
  pthread_mutex_lock(&run->status_lock);
  run->status.is_unassembled = is_unassembled;
  g_strlcpy(run->status.outcome, get_outcome(run), sizeof run->status.outcome);
  const char *message = detail != NULL ? detail : run->fallback;
  g_strlcpy(run->status.message, message != NULL ? message : "", sizeof run->status.message);
  pthread_mutex_unlock(&run->status_lock);
}

gpointer
lac_run_thread(gpointer user_data)
{
  LacRun *run = user_data;

  if (run->gives_way)
    lac_pool_give_way(run->pool);
  run->thread_start_ns = lac_clock_ns();
  gboolean is_decided = lac_run_decide_device(run, &run->error);
  lac_run_recorder_begin(run);
  run->next_checkpoint_ns = run->thread_start_ns + (gint64) (run->checkpoint_seconds * 1e9);
  intern_commands(run);

  GError *problem = NULL;
  if (is_decided && set_up(run, &run->error)) {
    if (run->frames_ready &&
        (keep_start(run, &problem) || survive(run, g_steal_pointer(&problem), &run->error)))
      run_loop(run, &run->error);
  } else if (lac_run_is_cancelled(run)) {
    g_clear_error(&run->error); /* the set-up gave up because it was asked to */
  }
  stop_clock(run);
  if (run->error == NULL && !keep_end(run, &problem) &&
      survive(run, g_steal_pointer(&problem), &run->error))
    keep_end(run, &run->error);
  g_atomic_int_set(&run->is_writing, 1);
  lac_run_recorder_end(run);
  lac_run_keep_last_records(run, NULL);
  lac_run_keep_sums(run, NULL);
  lac_run_update_status(run);
  lac_run_keep_account(run, NULL);
  lac_run_folder_flush(run->folder, NULL);
  lac_relay_finish(run->records);
  lac_relay_finish(run->rows);
  end_folder(run);
  if (run->state != NULL)
    run->experiment->destroy(g_steal_pointer(&run->state));
  g_clear_pointer(&run->folder, lac_run_folder_close);
  g_atomic_int_set(&run->ended, 1);
  lac_run_set_state(run, LAC_RUN_ENDED);
  return NULL;
}
