/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening a device, choosing between it and the CPU, and leaving it when it is lost or out of memory. */
#include "run/core/computer.h"

#include "base/error.h"

#include <glib/gi18n-lib.h>

static gboolean
is_processor(const LacBackend *table)
{
  return g_str_equal(table->name, "cpu") || g_str_equal(table->name, "strict");
}

void
lac_run_computer_clear(LacRunComputer *computer)
{
  lac_pool_free(computer->pool);
  if (computer->is_open)
    lac_device_close(&computer->device);
  lac_machine_part_free(computer->part);
  g_free(computer->precision);
  g_free(computer->choice);
  g_free(computer->apart);
  g_free(computer->refusal);
  g_free(computer->fallback);
}

/* ---- opening ---- */

/* Returns the backend to open; "cpu" if the experiment does not use a device, which is reported where one was asked for
 * by name. */
static const char *
choose_backend(LacRunComputer         *computer,
               const LacStepSubject   *subject,
               const LacDeviceRequest *request)
{
  g_autoptr(GString) apart = g_string_new(NULL);
  const char        *asked = request->asked;
  gboolean           uses =
    lac_experiment_uses_device(subject->experiment, lac_draft_get_values(subject->draft), apart);

  if (g_str_equal(asked, "cpu") || g_str_equal(asked, "strict"))
    return asked;
  if (uses || request->is_over) {
    computer->apart = apart->len > 0 ? g_strdup(apart->str) : NULL;
    return asked;
  }
  if (request->is_named)
    computer->refusal = g_strdup_printf(_("%s: always runs on the processor"),
                                        apart->len > 0 ? apart->str : subject->experiment->name);
  return "cpu";
}

/* Opens the device; a run that is not bound to it falls back to the CPU if it is unavailable, and reports it once
 * there is a folder. A machine without a device is not reported, unless the run began on one. */
static gboolean
open_or_do_without(LacRunComputer *computer, const char *asked, GError **error)
{
  const gboolean   is_auto = g_str_equal(asked, "auto");
  const char      *name = is_auto ? "cuda" : asked, *backend;
  g_autofree char *why = NULL;
  LacDeviceFacts   facts;
  LacStatus        status;
  guint            number;

  lac_device_parse_name(name, &backend, &number);
  status = lac_device_query(number, &facts, &why);
  if (status == LAC_STATUS_OK) {
    status = lac_device_try(&computer->device, name);
    if (status == LAC_STATUS_OK)
      return TRUE;
    why = g_strdup(lac_status_text(status));
  }
  if (status != LAC_STATUS_NO_DEVICE || !is_auto)
    computer->refusal =
      g_strdup_printf(_("The device cannot be used (%s): the run uses the processor"), why);
  return lac_device_open(&computer->device, "cpu", error);
}

static void
note_device(LacRunComputer *computer)
{
  g_autofree char *name = lac_device_dup_name(&computer->device);

  computer->name = g_intern_string(name);
  g_clear_pointer(&computer->part, lac_machine_part_free);
  if (!is_processor(computer->device.table))
    computer->part = lac_machine_query_device((guint) computer->device.number);
}

const char *
lac_run_computer_get_title(const LacRunComputer *computer)
{
  return computer->part != NULL ? computer->part->device.name : NULL;
}

/* ---- which of the two is faster ---- */

static LacDeviceQuestion
make_question(const LacRunComputer *computer, const LacStepSubject *subject, LacContentCache *cache)
{
  return (LacDeviceQuestion){
    .subject = *subject,
    .device = computer->part,
    .threads = lac_pool_get_n_threads(computer->pool),
    .cache = cache,
  };
}

static gboolean
take_choice(LacRunComputer *computer, const LacDeviceChoice *choice, GError **error)
{
  computer->is_undecided = FALSE;
  g_free(computer->choice);
  computer->choice = g_strdup(choice->reason);
  if (!choice->takes_device) {
    lac_device_close(&computer->device);
    g_clear_pointer(&computer->apart, g_free);
    computer->is_open = lac_device_open(&computer->device, "cpu", error);
    if (!computer->is_open)
      return FALSE;
  }
  note_device(computer);
  return TRUE;
}

/* Recalls a cached choice, else leaves it to a measurement on the run's own thread. A precision that the CPU lacks
 * needs no choice. */
static gboolean
begin_choice(LacRunComputer       *computer,
             const LacStepSubject *subject,
             LacContentCache      *cache,
             GError              **error)
{
  const LacDeviceQuestion question = make_question(computer, subject, cache);
  LacDeviceChoice         choice;

  if (!g_str_equal(lac_precision_storage(computer->precision), computer->precision))
    return TRUE;
  computer->is_undecided = !lac_device_choice_recall(&question, &choice);
  return computer->is_undecided || take_choice(computer, &choice, error);
}

gboolean
lac_run_computer_decide(LacRunComputer       *computer,
                        const LacStepSubject *subject,
                        LacContentCache      *cache,
                        GError              **error)
{
  const LacDeviceQuestion question = make_question(computer, subject, cache);
  LacDeviceChoice         choice;

  lac_device_choice_measure(&question, &choice);
  return take_choice(computer, &choice, error);
}

gboolean
lac_run_computer_open(LacRunComputer         *computer,
                      const LacStepSubject   *subject,
                      LacContentCache        *cache,
                      const LacDeviceRequest *request,
                      GError                **error)
{
  const char *name = choose_backend(computer, subject, request);
  gboolean    is_bound;

  is_bound = request->is_named || request->is_repeat || g_str_equal(name, "cpu") ||
             g_str_equal(name, "strict");
  if (!(is_bound ? lac_device_open(&computer->device, name, error)
                 : open_or_do_without(computer, name, error)))
    return FALSE;
  computer->is_open = TRUE;
  const gboolean on_processor = is_processor(computer->device.table);
  if (on_processor)
    g_clear_pointer(&computer->apart, g_free);
  note_device(computer);
  return on_processor || request->is_over || !g_str_equal(name, "auto") ||
         begin_choice(computer, subject, cache, error);
}

/* ---- leaving ---- */

gboolean
lac_run_computer_check(const LacRunComputer *computer, GError **error)
{
  const LacDevice *device = &computer->device;
  LacStatus        status =
    is_processor(device->table) ? LAC_STATUS_OK : device->table->synchronise(device->self);

  if (status == LAC_STATUS_OK)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, "%s", lac_status_text(status));
  return FALSE;
}

gboolean
lac_run_computer_can_leave(const LacRunComputer *computer, const GError *problem)
{
  return g_error_matches(problem, LAC_ERROR, LAC_ERROR_DEVICE) && computer->is_open &&
         !is_processor(computer->device.table);
}

const char *
lac_run_computer_get_reason(const LacRunComputer *computer, const char *why)
{
  const LacDevice *device = &computer->device;

  return device->table->synchronise(device->self) == LAC_STATUS_DEVICE_LOST
           ? lac_status_text(LAC_STATUS_DEVICE_LOST)
           : why;
}

gboolean
lac_run_computer_leave_device(LacRunComputer *computer, GError **error)
{
  lac_device_close(&computer->device);
  computer->is_open = lac_device_open(&computer->device, "cpu", error);
  if (computer->is_open)
    computer->name = "cpu";
  return computer->is_open;
}
