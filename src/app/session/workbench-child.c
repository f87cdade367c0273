/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run in a child process: followed like that of another program; the next run of its sweep or of the queue starts
 * after its end. */
#include "app/session/workbench-private.h"
#include "app/toolkit/latest-job.h"
#include "app/toolkit/preferences.h"
#include "app/toolkit/recent-files.h"
#include "run/plan/run-child.h"

#define LOOK_EVERY_MS 200

struct _LacWorkbenchChild {
  LacRunChild *process;
  char        *model;  /* (nullable): its text in the queue */
  char        *folder; /* (nullable): NULL before it is created */
  guint        looking;
  gboolean     shows;     /* display it, unless another run is displayed meanwhile */
  LacSession  *displayed; /* (nullable), weak: at the launch */
};

static void
child_free(LacWorkbenchChild *child)
{
  if (child == NULL)
    return;
  g_clear_handle_id(&child->looking, g_source_remove);
  g_clear_weak_pointer(&child->displayed);
  lac_run_child_unref(child->process);
  g_free(child->model);
  g_free(child->folder);
  g_free(child);
}

void
lac_workbench_leave_child(LacWorkbench *self)
{
  if (self->child != NULL)
    lac_run_child_stop(self->child->process);
  g_clear_pointer(&self->child, child_free);
}

gboolean
lac_workbench_stop_child(LacWorkbench *self)
{
  if (self->child == NULL)
    return FALSE;
  lac_run_child_stop(self->child->process);
  return TRUE;
}

/* Ends a run that left nothing to show. */
static void
leave(LacWorkbench *self)
{
  lac_workbench_notify_changed(self);
  lac_workbench_end_sweep(self);
}

/* ---- end ---- */

/* A process and the folder it writes. */
typedef struct {
  LacRunChild *process;
  char        *folder;
} Written;

static void
written_free(gpointer data)
{
  Written *written = data;
  lac_run_child_unref(written->process);
  g_free(written->folder);
  g_free(written);
}

/* A killed process also leaves a folder: a session with an error is possible. */
static gpointer
wait_for_end(gpointer data, GCancellable *cancellable, GError **error)
{
  const Written        *written = data;
  g_autoptr(GError)     why = NULL;
  g_autoptr(JsonObject) result = lac_run_child_wait(written->process, error);
  g_autoptr(LacRunFile) file = lac_run_file_open(written->folder, &why);
  if (file == NULL && result != NULL)
    g_propagate_error(error, g_steal_pointer(&why));
  return file != NULL ? lac_session_new_file(file) : NULL;
}

static gboolean
is_to_be_shown(LacWorkbench *self)
{
  const LacWorkbenchChild *child = self->child;
  if (self->latest != NULL)
    return self->session == self->latest;
  return child->shows && self->opening_path == NULL && self->session == child->displayed;
}

static void
on_end(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  LacWorkbench         *self = owner;
  g_autoptr(LacSession) session = result;
  if (self->child == NULL) /* abandoned */
    return;
  const gboolean shows = is_to_be_shown(self);
  g_clear_pointer(&self->child, child_free);
  if (error != NULL)
    lac_workbench_show_message(self, error->message);
  if (session == NULL) {
    leave(self);
    lac_workbench_go_on_with_queue(self, FALSE);
    return;
  }
  lac_workbench_set_latest(self, session, shows);
  lac_workbench_finish_run(self);
}

/* ---- following ---- */

/* Polls until the start of the run has been written. */
static gboolean
on_look(gpointer user_data)
{
  LacWorkbench         *self = user_data;
  g_autoptr(LacRunFile) growing = lac_workbench_open_growing(self->child->folder);
  if (growing == NULL)
    return G_SOURCE_CONTINUE;
  g_autoptr(LacSession) session = lac_session_new_followed(growing);
  lac_session_set_own(session);
  lac_workbench_set_latest(self, session, is_to_be_shown(self));
  self->child->looking = 0;
  return G_SOURCE_REMOVE;
}

/* Returns a run that could not start to the queue. */
static void
give_up(LacWorkbench *self, const GError *error)
{
  LacWorkbenchChild *child = g_steal_pointer(&self->child);
  if (child->model != NULL)
    lac_run_queue_add(self->queue, child->model, 0, NULL);
  lac_workbench_hold_queue(self);
  lac_workbench_show_message(self, error->message);
  leave(self);
  child_free(child);
}

static gpointer
find_folder(gpointer process, GCancellable *cancellable, GError **error)
{
  return lac_run_child_wait_for_folder(process, error);
}

static void
on_folder(gpointer owner, gpointer request, gpointer folder, const GError *error)
{
  LacWorkbench *self = owner;
  if (self->child == NULL) {
    g_free(folder);
    return;
  }
  if (folder == NULL) {
    give_up(self, error);
    return;
  }
  self->child->folder = folder;
  lac_recent_files_add(folder);
  if (self->replay != NULL)
    lac_replay_runs_notify_launched(self->replay, folder);
  lac_workbench_emit_text(self, LAC_WORKBENCH_RUN_BEGAN, folder);
  lac_run_store_refresh(self->run_store);
  self->child->looking = g_timeout_add(LOOK_EVERY_MS, on_look, self);
  Written *written = g_new(Written, 1);
  *written = (Written){lac_run_child_ref(self->child->process), g_strdup(folder)};
  lac_job_run(self, &(LacJobKind){wait_for_end, on_end, written_free, g_object_unref}, written);
}

gboolean
lac_workbench_launch_child(LacWorkbench         *self,
                           const LacRunSettings *settings,
                           const char           *model,
                           gboolean              shows)
{
  static gboolean            has_reported = FALSE; /* the device is lost for the whole process */
  g_autoptr(GError)          error = NULL;
  g_autoptr(LacContentCache) cache = lac_content_cache_new(NULL, 0);
  LacRunSettings             placed = *settings;
  if (placed.out == NULL)
    placed.out = lac_run_store_get_folder(self->run_store);
  placed.disk_budget_bytes = lac_preferences_get_disk_budget();
  placed.cache = cache;
  LacRunChild *process = lac_run_child_new(&placed, model, TRUE, &error);
  if (process == NULL) {
    g_debug("no process of its own: %s", error->message);
    return FALSE;
  }
  self->child = g_new0(LacWorkbenchChild, 1);
  self->child->process = process;
  self->child->model = g_strdup(model);
  self->child->shows = shows;
  g_set_weak_pointer(&self->child->displayed, self->session);
  lac_workbench_leave_latest(self);
  if (!has_reported)
    lac_workbench_show_message(self, lac_run_child_get_reason());
  has_reported = TRUE;
  g_clear_pointer(&self->repeated, g_free);
  lac_workbench_notify_changed(self);
  lac_job_run(self,
              &(LacJobKind){find_folder, on_folder, (GDestroyNotify) lac_run_child_unref, g_free},
              lac_run_child_ref(process));
  return TRUE;
}
