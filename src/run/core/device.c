/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a run computes: the device it begins on, what of it stays on the processor, and how it goes on there when the device is
 * lost or full. */
#include "base/error.h"
#include "io/runfile/checkpoint.h"
#include "run/core/device-choice.h"
#include "run/core/run-private.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <math.h>

static gboolean
is_processor(const LacBackend *table)
{
  return g_str_equal(table->name, "cpu") || g_str_equal(table->name, "strict");
}

/* A device that has nothing to do is not opened; to ask for one by its name is a mistake. */
static const char *
choose_backend(LacRun *run, const char *asked, gboolean is_named, GError **error)
{
  g_autoptr(GString) apart = g_string_new(NULL);
  gboolean           uses =
    lac_experiment_uses_device(run->experiment, lac_draft_get_values(run->draft), apart);

  if (g_str_equal(asked, "cpu") || g_str_equal(asked, "strict"))
    return asked;
  if (uses || run->already != NULL) {
    run->computer.apart = apart->len > 0 ? g_strdup(apart->str) : NULL;
    return asked;
  }
  if (!is_named)
    return "cpu";
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE,
              _("backend = %s: %s computes on the processor alone; use backend = cpu or auto"),
              asked, apart->len > 0 ? apart->str : run->experiment->name);
  return NULL;
}

/* A run that is not bound to the device goes to the processor where that cannot be had, and says so once there is a folder. A
 * machine without a device is no news, unless the run began on one. */
static gboolean
open_or_do_without(LacRun *run, const char *asked, GError **error)
{
  const gboolean   is_open = g_str_equal(asked, "auto");
  const char      *name = is_open ? "cuda" : asked, *backend;
  g_autofree char *why = NULL;
  LacDeviceFacts   facts;
  LacStatus        status;
  guint            number;

  lac_device_parse_name(name, &backend, &number);
  status = lac_device_ask(number, &facts, &why);
  if (status == LAC_STATUS_OK) {
    status = lac_device_try(&run->device, name);
    if (status == LAC_STATUS_OK)
      return TRUE;
    why = g_strdup(lac_status_text(status));
  }
  if (status != LAC_STATUS_NO_DEVICE || !is_open)
    run->computer.refusal = g_strdup_printf(
      _("The device cannot be used (%s): the run is computed on the processor"), why);
  return lac_device_open(&run->device, "cpu", error);
}

/* What is open now, as others see it. */
static void
note_device(LacRun *run)
{
  g_autofree char *name = lac_device_dup_name(&run->device);

  run->computer.name = g_intern_string(name);
  g_clear_pointer(&run->computer.part, lac_machine_part_free);
  if (!is_processor(run->device.table))
    run->computer.part = lac_machine_ask_device((guint) run->device.number);
  pthread_mutex_lock(&run->status_lock);
  g_strlcpy(run->status.device, run->computer.part != NULL ? run->computer.part->device.name : "",
            sizeof run->status.device);
  g_strlcpy(run->status.choice, run->computer.choice != NULL ? run->computer.choice : "",
            sizeof run->status.choice);
  pthread_mutex_unlock(&run->status_lock);
}

/* ---- which of the two is faster ---- */

static LacDeviceQuestion
question_of(LacRun *run)
{
  return (LacDeviceQuestion){
    .subject =
      {
        .experiment = run->experiment,
        .draft = run->draft,
        .inputs = &run->inputs,
        .memory = run->memory != NULL ? &run->memory->memory : NULL,
        .pool = run->pool,
        .seed = run->seed,
        .precision = run->precision,
        .cancelled = lac_run_is_cancelled,
        .user_data = run,
      },
    .device = run->computer.part,
    .threads = lac_pool_get_n_threads(run->pool),
    .cache = run->memory != NULL ? run->memory->cache : NULL,
  };
}

static gboolean
take_choice(LacRun *run, const LacDeviceChoice *choice, GError **error)
{
  run->computer.is_undecided = FALSE;
  g_free(run->computer.choice);
  run->computer.choice = g_strdup(choice->reason);
  if (!choice->takes_device) {
    lac_device_close(&run->device);
    g_clear_pointer(&run->computer.apart, g_free);
    run->device_open = lac_device_open(&run->device, "cpu", error);
    if (!run->device_open)
      return FALSE;
  }
  note_device(run);
  return TRUE;
}

/* A precision that the processor lacks decides by itself. What is not known yet is measured on the run's own thread. */
static gboolean
begin_choice(LacRun *run, GError **error)
{
  const LacDeviceQuestion question = question_of(run);
  LacDeviceChoice         choice;

  if (!g_str_equal(lac_precision_storage(run->precision), run->precision))
    return TRUE;
  run->computer.is_undecided = !lac_device_choice_recall(&question, &choice);
  return run->computer.is_undecided || take_choice(run, &choice, error);
}

gboolean
lac_run_decide_device(LacRun *run, GError **error)
{
  const LacDeviceQuestion question = question_of(run);
  LacDeviceChoice         choice;

  if (!run->computer.is_undecided)
    return TRUE;
  lac_run_set_phase(run, 0, _("Measuring a step on GPU and processor"));
  lac_device_choice_measure(&question, &choice);
  return take_choice(run, &choice, error) && lac_run_write_header(run, error);
}

gboolean
lac_run_open_device(LacRun *run, const char *asked, gboolean is_named, GError **error)
{
  const char *name = choose_backend(run, asked, is_named, error);
  gboolean    is_bound;

  if (name == NULL)
    return FALSE;
  is_bound = is_named || run->model != NULL /* done again to the bit */ ||
             g_str_equal(name, "cpu") || g_str_equal(name, "strict");
  if (!(is_bound ? lac_device_open(&run->device, name, error)
                 : open_or_do_without(run, name, error)))
    return FALSE;
  run->device_open = TRUE;
  if (is_processor(run->device.table))
    g_clear_pointer(&run->computer.apart, g_free);
  note_device(run);
  return is_processor(run->device.table) || run->already != NULL || !g_str_equal(name, "auto") ||
         begin_choice(run, error);
}

static void
show_fallback(LacRun *run)
{
  lac_run_set_message(run, run->fallback);
  pthread_mutex_lock(&run->status_lock);
  g_strlcpy(run->status.fallback, run->fallback, sizeof run->status.fallback);
  run->status.device[0] = '\0';
  run->status.memory = (LacDeviceMemory){0};
  pthread_mutex_unlock(&run->status_lock);
}

/* Told once, before the first step. */
gboolean
lac_run_tell_device(LacRun *run, GError **error)
{
  if (run->computer.choice != NULL && !run->is_resumed &&
      !lac_run_keep_event(run, LAC_RUN_EVENT_DEVICE, run->computer.choice, error))
    return FALSE;
  if (run->computer.refusal != NULL) {
    run->fallback = g_steal_pointer(&run->computer.refusal);
    show_fallback(run);
    return lac_run_keep_event(run, LAC_RUN_EVENT_FALLBACK, run->fallback, error);
  }
  if (run->computer.apart == NULL)
    return TRUE;
  g_autofree char *message = g_strdup_printf(
    _("%s: computed on the processor, whatever the device is"), run->computer.apart);
  lac_run_set_message(run, message);
  return lac_run_keep_event(run, LAC_RUN_EVENT_DEVICE, message, error);
}

gboolean
lac_run_check_device(LacRun *run, GError **error)
{
  const LacDevice *device = &run->device;
  LacStatus        status =
    is_processor(device->table) ? LAC_STATUS_OK : device->table->synchronise(device->self);

  if (status == LAC_STATUS_OK)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, "%s", lac_status_text(status));
  return FALSE;
}

gboolean
lac_run_can_leave_device(const LacRun *run, const GError *error)
{
  return g_error_matches(error, LAC_ERROR, LAC_ERROR_DEVICE) && run->device_open &&
         !is_processor(run->device.table);
}

/* The state goes first: what it holds is memory of the device. */
static gboolean
move_to_processor(LacRun *run, GError **error)
{
  if (run->state != NULL)
    run->experiment->destroy(g_steal_pointer(&run->state));
  lac_run_recorder_leave_device(run);
  lac_device_close(&run->device);
  run->device_open = lac_device_open(&run->device, "cpu", error);
  if (run->device_open)
    run->computer.name = "cpu";
  return run->device_open;
}

/* What a device that is lost says of itself is plainer than what found it so. */
static const char *
find_reason(LacRun *run, const char *why)
{
  return run->device.table->synchronise(run->device.self) == LAC_STATUS_DEVICE_LOST
           ? lac_status_text(LAC_STATUS_DEVICE_LOST)
           : why;
}

static gboolean
tell(LacRun *run, gint64 from, const char *why, GError **error)
{
  g_autofree char *message = g_strdup_printf(_("The device cannot go on (%s): from step %" PRId64
                                               " on the run is computed on the processor"),
                                             why, from);

  g_free(run->fallback);
  run->fallback = g_steal_pointer(&message);
  show_fallback(run);
  return lac_run_keep_event(run, LAC_RUN_EVENT_FALLBACK, run->fallback, error);
}

gboolean
lac_run_set_up_on_processor(LacRun *run, const char *why, GError **error)
{
  return tell(run, run->step, find_reason(run, why), error) && move_to_processor(run, error) &&
         lac_run_set_up(run, error);
}

/* Returns: where the metrics of a step go that is done again: its row where that was still open, else @nowhere */
static double *
find_row(LacRun *run, gint64 step, double *nowhere)
{
  for (guint i = 0; i < run->open_rows.n; i++)
    if (run->open_rows.rows[i].step == step)
      return run->open_rows.rows[i].metrics;
  return nowhere;
}

static gboolean
repeat_step(LacRun *run, gint64 step, double *nowhere, GError **error)
{
  LacStepReport report = {.metrics = find_row(run, step, nowhere)};

  for (gsize m = 0; m < run->outline.n_metrics; m++)
    report.metrics[m] = NAN;
  if (!run->experiment->step(run->state, &report, error))
    return FALSE;
  for (gsize m = 0; m < run->outline.n_metrics; m++)
    if (isfinite(report.metrics[m]))
      run->last_metrics[m] = report.metrics[m];
  run->outcome = report.outcome;
  g_strlcpy(run->why, report.why, sizeof run->why);
  g_strlcpy(run->who, report.who, sizeof run->who);
  return TRUE;
}

/* Steps that are kept already are done again and leave nothing behind. */
static gboolean
catch_up(LacRun *run, gint64 from, GError **error)
{
  g_autofree double *nowhere = g_new(double, run->outline.n_metrics + 1);

  for (gint64 step = from; step < run->step && run->outcome == LAC_OUTCOME_CONTINUE; step++) {
    if (lac_run_is_cancelled(run)) { /* the last checkpoint stays what it is */
      run->experiment->destroy(g_steal_pointer(&run->state));
      return TRUE;
    }
    if (!repeat_step(run, step + 1, nowhere, error))
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

  if (!lac_run_checkpoint_read(run->folder_path, &at, &store, error) ||
      !tell(run, run->step, find_reason(run, why), error) || !move_to_processor(run, error))
    return FALSE;
  lac_store_free(run->store);
  run->store = g_steal_pointer(&store);
  run->outcome = LAC_OUTCOME_CONTINUE;
  return lac_run_remake_state(run, error) && catch_up(run, at.step, error);
}
