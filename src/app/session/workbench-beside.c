/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queued runs that compute beside the one of this window, each in a child process on a device of its own, if the
 * preferences name several devices. The run of this window has the first of them. */
#include "app/session/words.h"
#include "app/session/workbench-private.h"
#include "app/toolkit/latest-job.h"
#include "app/toolkit/preferences.h"
#include "app/toolkit/recent-files.h"
#include "base/pool.h"
#include "run/plan/launch-options.h"

#include <glib/gi18n-lib.h>

static void
beside_free(gpointer data)
{
  LacBesideRun *run = data;
  lac_run_child_unref(run->process);
  g_free(run->device);
  g_free(run->title);
  g_free(run->model);
  g_free(run->folder);
  g_free(run);
}

void
lac_workbench_init_beside(LacWorkbench *self)
{
  self->beside = g_ptr_array_new_with_free_func(beside_free);
}

void
lac_workbench_leave_beside(LacWorkbench *self)
{
  for (guint i = 0; i < lac_workbench_get_n_beside(self); i++)
    lac_run_child_stop(lac_workbench_get_beside(self, i)->process);
  g_clear_handle_id(&self->beside_look, g_source_remove);
  g_clear_pointer(&self->beside, g_ptr_array_unref);
}

guint
lac_workbench_get_n_beside(LacWorkbench *self)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self), 0);
  return self->beside != NULL ? self->beside->len : 0;
}

const LacBesideRun *
lac_workbench_get_beside(LacWorkbench *self, guint i)
{
  g_return_val_if_fail(i < lac_workbench_get_n_beside(self), NULL);
  return self->beside->pdata[i];
}

void
lac_workbench_stop_beside(LacWorkbench *self, const char *folder)
{
  g_return_if_fail(LAC_IS_WORKBENCH(self) && folder != NULL);
  for (guint i = 0; i < lac_workbench_get_n_beside(self); i++) {
    const LacBesideRun *run = self->beside->pdata[i];
    if (g_strcmp0(run->folder, folder) == 0)
      lac_run_child_stop(run->process);
  }
}

/* ---- the end of a run ---- */

/* Returns: (nullable): NULL when it has been left, as all are when the window closes */
static LacBesideRun *
find(LacWorkbench *self, const LacRunChild *process)
{
  for (guint i = 0; i < lac_workbench_get_n_beside(self); i++)
    if (((LacBesideRun *) self->beside->pdata[i])->process == process)
      return self->beside->pdata[i];
  return NULL;
}

/* Returns TRUE for the run on display, whose end is described where it is followed. */
static gboolean
is_displayed(LacWorkbench *self, const LacBesideRun *run)
{
  return self->session != NULL && lac_session_is_followed(self->session) &&
         g_strcmp0(lac_session_get_folder(self->session), run->folder) == 0;
}

static void
notify(LacWorkbench *self)
{
  lac_run_store_refresh(self->run_store);
  lac_workbench_notify_changed(self);
  lac_workbench_emit(self, LAC_WORKBENCH_QUEUE_CHANGED);
}

static gpointer
wait_for_end(gpointer process, GCancellable *cancellable, GError **error)
{
  return lac_run_child_wait(process, error);
}

/* Reports how a run has ended. @end: (nullable): its result; NULL with @error */
static void
describe_end(LacWorkbench *self, const LacBesideRun *run, JsonObject *end, const GError *error)
{
  const char *why =
    end == NULL ? error->message : json_object_get_string_member_with_default(end, "error", NULL);
  LacRunStatus status = {.state = LAC_RUN_ENDED};
  if (end != NULL)
    g_strlcpy(status.outcome, json_object_get_string_member_with_default(end, "outcome", "failed"),
              sizeof status.outcome);
  g_autofree char *words = lac_run_status_dup_words(&status);
  g_autofree char *sentence = why != NULL ? g_strdup_printf("%s: %s", run->title, why)
                                          : g_strdup_printf("%s: %s.", run->title, words);
  lac_workbench_show_message(self, sentence);
}

static void
on_end(gpointer owner, gpointer process, gpointer result, const GError *error)
{
  LacWorkbench         *self = owner;
  g_autoptr(JsonObject) end = result;
  LacBesideRun         *run = find(self, process);
  if (run == NULL)
    return;
  if (!is_displayed(self, run))
    describe_end(self, run, end, error);
  g_ptr_array_remove(self->beside, run);
  notify(self);
  lac_workbench_emit(self, LAC_WORKBENCH_BESIDE_ENDED);
  lac_workbench_go_on_with_queue(self, FALSE);
}

/* ---- its progress ---- */

#define LOOK_S 2

static gpointer
read_journal(gpointer folder, GCancellable *cancellable, GError **error)
{
  return lac_run_file_open_journal(folder, error);
}

/* A journal that cannot be read yet leaves the step as it is. */
static void
on_journal(gpointer owner, gpointer folder, gpointer result, const GError *error)
{
  LacWorkbench *self = owner;
  LacRunFile   *file = result;
  for (guint i = 0; file != NULL && i < lac_workbench_get_n_beside(self); i++) {
    LacBesideRun *run = self->beside->pdata[i];
    if (g_strcmp0(run->folder, folder) == 0 && run->step != file->steps) {
      run->step = file->steps;
      lac_workbench_emit(self, LAC_WORKBENCH_BESIDE_PROGRESSED);
    }
  }
  g_clear_pointer(&file, lac_run_file_unref);
}

static gboolean
on_look(gpointer user_data)
{
  LacWorkbench *self = user_data;
  for (guint i = 0; i < self->beside->len; i++) {
    const LacBesideRun *run = self->beside->pdata[i];
    if (run->folder != NULL)
      lac_job_run(
        self, &(LacJobKind){read_journal, on_journal, g_free, (GDestroyNotify) lac_run_file_unref},
        g_strdup(run->folder));
  }
  if (self->beside->len > 0)
    return G_SOURCE_CONTINUE;
  self->beside_look = 0;
  return G_SOURCE_REMOVE;
}

/* ---- its beginning ---- */

static gpointer
find_folder(gpointer process, GCancellable *cancellable, GError **error)
{
  return lac_run_child_wait_for_folder(process, error);
}

/* Returns a run that could not start to the queue, which pauses. */
static void
give_up(LacWorkbench *self, LacBesideRun *run, const char *why)
{
  lac_run_queue_add(self->queue, run->model, 0, NULL);
  lac_workbench_show_message(self, why);
  g_ptr_array_remove(self->beside, run);
  lac_workbench_hold_queue(self);
  notify(self);
}

static void
on_folder(gpointer owner, gpointer process, gpointer folder, const GError *error)
{
  LacWorkbench *self = owner;
  LacBesideRun *run = find(self, process);
  if (run == NULL) {
    g_free(folder);
    return;
  }
  if (folder == NULL) {
    give_up(self, run, error->message);
    return;
  }
  run->folder = folder;
  if (self->beside_look == 0)
    self->beside_look = g_timeout_add_seconds(LOOK_S, on_look, self);
  lac_recent_files_add(folder);
  notify(self);
  lac_job_run(self,
              &(LacJobKind){wait_for_end, on_end, (GDestroyNotify) lac_run_child_unref,
                            (GDestroyNotify) json_object_unref},
              lac_run_child_ref(process));
}

static gboolean
begin(LacWorkbench *self, const LacRunSettings *settings, const LacQueued *queued)
{
  g_autoptr(GError) error = NULL;
  LacRunChild      *process = lac_run_child_new(settings, queued->text, TRUE, &error);
  if (process == NULL) {
    lac_workbench_show_message(self, error->message);
    lac_workbench_hold_queue(self);
    return FALSE;
  }
  LacBesideRun *run = g_new0(LacBesideRun, 1);
  run->process = process;
  run->device = g_strdup(settings->backend);
  run->title = g_strdup(g_dgettext(GETTEXT_PACKAGE, settings->experiment->title));
  run->model = g_strdup(queued->text);
  run->experiment = settings->experiment;
  g_ptr_array_add(self->beside, run);
  lac_job_run(self,
              &(LacJobKind){find_folder, on_folder, (GDestroyNotify) lac_run_child_unref, g_free},
              lac_run_child_ref(process));
  return TRUE;
}

/* ---- the devices ---- */

GStrv
lac_workbench_dup_queue_devices(LacWorkbench *self)
{
  g_autofree char  *text = lac_preferences_dup_queue_devices();
  g_autoptr(GError) error = NULL;
  g_auto(GStrv)     devices = text != NULL ? lac_run_devices_parse(text, &error) : NULL;
  if (error != NULL)
    g_debug("one queued run at a time: %s", error->message);
  return devices != NULL && g_strv_length(devices) > 1 ? g_steal_pointer(&devices) : NULL;
}

void
lac_workbench_place(LacRunSettings *settings, const char *device, guint n_devices)
{
  const guint n = settings->threads > 0 ? settings->threads : lac_pool_available();
  settings->backend = device;
  settings->threads = MAX(1, n / n_devices);
}

gboolean
lac_workbench_is_placeable(const LacRunPlan *plan)
{
  const char *backend = plan->launch.stated[LAC_LAUNCH_BACKEND];
  return backend == NULL || g_str_equal(backend, "auto");
}

/* Returns: (nullable): one of @devices, but for the first, that no run has; NULL if there is none */
static const char *
find_free(LacWorkbench *self, const char *const *devices)
{
  g_autoptr(GPtrArray) taken = g_ptr_array_new();
  for (guint i = 0; i < self->beside->len; i++)
    g_ptr_array_add(taken, ((LacBesideRun *) self->beside->pdata[i])->device);
  for (guint k = 1; devices[k] != NULL; k++) {
    guint at;
    if (!g_ptr_array_find_with_equal_func(taken, devices[k], g_str_equal, &at))
      return devices[k];
    g_ptr_array_remove_index(taken, at);
  }
  return NULL;
}

/* Starts the first of the queue on @device. Returns: FALSE if it waits for the run of this window. */
static gboolean
start_on(LacWorkbench *self, const char *device, guint n_devices)
{
  const LacQueued           *next = lac_run_queue_get(self->queue, 0);
  g_autoptr(GError)          error = NULL;
  g_autoptr(LacContentCache) cache = lac_content_cache_new(NULL, 0);
  if (next->plan == NULL || next->plan->launch.stated[LAC_LAUNCH_SWEEP] != NULL ||
      !lac_workbench_is_placeable(next->plan))
    return FALSE;
  g_autoptr(LacDraft)   launch = lac_preferences_new_launch(NULL, NULL);
  g_autoptr(LacRunPlan) plan = lac_yaml_read_text(next->text, next->path, &error);
  if (plan == NULL)
    return FALSE;
  LacRunSettings settings = lac_workbench_settings_of(plan, launch);
  lac_workbench_place(&settings, device, n_devices);
  settings.out = settings.out != NULL ? settings.out : lac_run_store_get_folder(self->run_store);
  settings.disk_budget_bytes = lac_preferences_get_disk_budget();
  settings.cache = cache;
  if (!begin(self, &settings, next))
    return FALSE;
  g_free(lac_run_queue_remove(self->queue, 0));
  return TRUE;
}

void
lac_workbench_start_beside(LacWorkbench *self)
{
  g_auto(GStrv) devices = lac_workbench_dup_queue_devices(self);
  if (devices == NULL || self->measuring || self->series != NULL || self->replay != NULL)
    return;
  const guint n_devices = g_strv_length(devices);
  const char *device;
  while (self->queue_goes && lac_run_queue_get_n(self->queue) > 0 &&
         (device = find_free(self, (const char *const *) devices)) != NULL)
    if (!start_on(self, device, n_devices))
      break;
  lac_workbench_notify_changed(self);
}
