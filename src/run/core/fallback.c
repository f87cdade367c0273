/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device of a run on its own thread: the choice before the first step, and the switch to the CPU when the device is
 * lost or out of memory. */
#include "base/error.h"
#include "io/runfile/checkpoint.h"
#include "run/core/run-private.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <math.h>

gboolean
lac_run_decide_device(LacRun *run, GError **error)
{
  const LacStepSubject subject = lac_run_get_subject(run);
  LacRunComputer      *computer = &run->computer;

  if (!computer->is_undecided)
    return TRUE;
  lac_run_monitor_set_phase(&run->monitor, 0, _("Timing a step on GPU and processor"), NULL);
  if (!lac_run_computer_decide(computer, &subject, run->memory != NULL ? run->memory->cache : NULL,
                               error))
    return FALSE;
  lac_run_monitor_set_device(&run->monitor, lac_run_computer_get_title(computer), computer->choice);
  return lac_run_write_header(run, error);
}

/* ---- messages to the user ---- */

static gboolean
report_fallback(LacRun *run, GError **error)
{
  lac_run_monitor_set_fallback(&run->monitor, run->computer.fallback);
  return lac_run_log_event(&run->log, LAC_RUN_EVENT_FALLBACK, run->computer.fallback, error);
}

gboolean
lac_run_report_device(LacRun *run, GError **error)
{
  LacRunComputer *computer = &run->computer;

  if (computer->choice != NULL && !run->is_resumed &&
      !lac_run_log_event(&run->log, LAC_RUN_EVENT_DEVICE, computer->choice, error))
    return FALSE;
  if (computer->refusal != NULL) {
    computer->fallback = g_steal_pointer(&computer->refusal);
    return report_fallback(run, error);
  }
  if (computer->apart == NULL)
    return TRUE;
  g_autofree char *message =
    g_strdup_printf(_("%s: always runs on the processor"), computer->apart);
  lac_run_monitor_set_message(&run->monitor, message);
  return lac_run_log_event(&run->log, LAC_RUN_EVENT_DEVICE, message, error);
}

/* ---- to the processor ---- */

/* Destroys the state before the device, because it holds device memory. */
static gboolean
move_to_processor(LacRun *run, const char *why, GError **error)
{
  LacRunComputer *computer = &run->computer;

  g_free(computer->fallback);
  computer->fallback = g_strdup_printf(
    _("The device failed (%s): from step %" PRId64 " on, the run uses the processor"),
    lac_run_computer_get_reason(computer, why), run->progress.step);
  if (!report_fallback(run, error))
    return FALSE;
  lac_run_rows_forget_pending(&run->rows);
  run->frames.in_flight.pending = (LacPending){NULL};
  if (run->state != NULL)
    run->experiment->destroy(g_steal_pointer(&run->state));
  lac_run_recorder_leave_device(&run->recorder);
  return lac_run_computer_leave_device(computer, error);
}

gboolean
lac_run_set_up_on_processor(LacRun *run, const char *why, GError **error)
{
  return move_to_processor(run, why, error) && lac_run_set_up(run, error);
}

/* Repeats a step; its metrics go to its row if that is still open, else to @unused. */
static gboolean
repeat_step(LacRun *run, gint64 step, double *unused, GError **error)
{
  double       *metrics = lac_run_rows_find(&run->rows, step);
  LacStepReport report = {.metrics = metrics != NULL ? metrics : unused};

  for (gsize m = 0; m < run->outline.n_metrics; m++)
    report.metrics[m] = NAN;
  if (!lac_experiment_step(run->experiment, run->state, &report, error))
    return FALSE;
  lac_run_rows_note_finite(&run->rows, report.metrics);
  lac_run_outcome_set(&run->outcome, &report);
  return TRUE;
}

/* Repeats steps that are already recorded, without output. */
static gboolean
catch_up(LacRun *run, gint64 from, GError **error)
{
  g_autofree double *unused = g_new(double, run->outline.n_metrics + 1);

  for (gint64 step = from; step < run->progress.step && run->outcome.value == LAC_OUTCOME_CONTINUE;
       step++) {
    if (lac_run_is_cancelled(run)) { /* keep the last checkpoint */
      run->experiment->destroy(g_steal_pointer(&run->state));
      return TRUE;
    }
    if (!repeat_step(run, step + 1, unused, error))
      return FALSE;
    lac_run_fill_again(run, step + 1);
  }
  return TRUE;
}

gboolean
lac_run_leave_device(LacRun *run, const char *why, GError **error)
{
  g_autoptr(LacStore) store = NULL;
  LacCheckpointEntry  at;

  if (!lac_run_checkpoint_read(run->log.path, &at, &store, error) ||
      !move_to_processor(run, why, error))
    return FALSE;
  lac_store_free(run->log.store);
  run->log.store = g_steal_pointer(&store);
  run->outcome.value = LAC_OUTCOME_CONTINUE;
  return lac_run_remake_state(run, error) && catch_up(run, at.step, error);
}
