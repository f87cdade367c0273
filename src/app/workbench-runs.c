/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs on the disk: those that are deleted unless that is undone, and one that was done again. */
#include "app/owned-task.h"
#include "app/workbench-private.h"
#include "report/compare/sameness.h"
#include "run/library/library.h"

/* ---- deleting ---- */

gboolean
lac_workbench_has_deleted(LacWorkbench *self)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self), FALSE);
  return self->aside != NULL;
}

static void
delete_in_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GPtrArray *aside = data;
  for (guint i = 0; i < aside->len; i++) {
    g_autoptr(GError) kept = NULL;
    if (!lac_run_delete(g_ptr_array_index(aside, i), &kept))
      g_debug("%s", kept->message);
  }
  g_task_return_boolean(task, TRUE);
}

static void
delete_aside(LacWorkbench *self)
{
  if (self->aside == NULL)
    return;
  g_autoptr(GTask) task = g_task_new(NULL, NULL, NULL, NULL);
  g_task_set_task_data(task, g_steal_pointer(&self->aside), (GDestroyNotify) g_ptr_array_unref);
  g_task_run_in_thread(task, delete_in_thread);
}

void
lac_workbench_forget_deleted(LacWorkbench *self)
{
  g_return_if_fail(LAC_IS_WORKBENCH(self));
  delete_aside(self);
  lac_workbench_tell_changed(self);
}

guint
lac_workbench_delete_runs(LacWorkbench *self, const GPtrArray *paths)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self) && paths != NULL, 0);
  g_autoptr(GPtrArray) aside = g_ptr_array_new_with_free_func(g_free);
  g_autoptr(GError)    error = NULL;
  guint                n;
  for (guint i = 0; i < paths->len && error == NULL; i++) {
    char *path = lac_run_set_aside(g_ptr_array_index(paths, i), &error);
    if (path != NULL)
      g_ptr_array_add(aside, path);
  }
  if (error != NULL)
    lac_workbench_say(self, error->message);
  n = aside->len;
  if (n == 0)
    return 0;
  delete_aside(self);
  self->aside = g_steal_pointer(&aside);
  lac_run_store_refresh(self->run_store);
  lac_workbench_tell_changed(self);
  return n;
}

void
lac_workbench_undo_delete(LacWorkbench *self)
{
  g_return_if_fail(LAC_IS_WORKBENCH(self));
  if (self->aside == NULL)
    return;
  g_autoptr(GPtrArray) aside = g_steal_pointer(&self->aside);
  g_autoptr(GError)    error = NULL;
  for (guint i = 0; i < aside->len && error == NULL; i++)
    g_free(lac_run_bring_back(g_ptr_array_index(aside, i), &error));
  if (error != NULL)
    lac_workbench_say(self, error->message);
  lac_run_store_refresh(self->run_store);
  lac_workbench_tell_changed(self);
}

/* ---- done again ---- */

typedef struct {
  char *run, *model;
} Pair;

static void
pair_free(gpointer data)
{
  Pair *pair = data;
  g_free(pair->run);
  g_free(pair->model);
  g_free(pair);
}

static void
judge(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Pair           *pair = data;
  GError               *error = NULL;
  gboolean              is_same;
  g_autoptr(LacRunFile) run = lac_run_file_open(pair->run, &error);
  g_autoptr(LacRunFile) model = run != NULL ? lac_run_file_open(pair->model, &error) : NULL;
  char *text = model != NULL ? lac_sameness_judge(run, model, &is_same, &error) : NULL;
  if (text != NULL)
    g_task_return_pointer(task, text, g_free);
  else
    g_task_return_error(task, error);
}

static void
on_judged(GObject *source, GAsyncResult *result, gpointer user_data)
{
  LacWorkbench     *self = LAC_WORKBENCH(source);
  g_autoptr(GError) error = NULL;
  g_autofree char  *text = g_task_propagate_pointer(G_TASK(result), &error);
  lac_workbench_emit_text(self, LAC_WORKBENCH_ANSWERED, text != NULL ? text : error->message);
}

void
lac_workbench_set_repeated(LacWorkbench *self, const char *model)
{
  g_return_if_fail(LAC_IS_WORKBENCH(self));
  char *copy = g_strdup(model);
  g_free(self->repeated);
  self->repeated = copy;
}

void
lac_workbench_judge_repetition(LacWorkbench *self)
{
  if (self->repeated == NULL)
    return;
  Pair            *pair = g_new0(Pair, 1);
  g_autoptr(GTask) task = lac_owned_task_new(self, NULL, on_judged);
  pair->run = g_strdup(lac_session_get_folder(self->session));
  pair->model = g_steal_pointer(&self->repeated);
  g_task_set_task_data(task, pair, pair_free);
  g_task_run_in_thread(task, judge);
}

/* ---- given again ---- */

void
lac_workbench_set_replay(LacWorkbench *self, LacReplayRuns *replay)
{
  g_return_if_fail(LAC_IS_WORKBENCH(self));
  lac_replay_runs_free(self->replay);
  self->replay = replay;
}

LacReplayRuns *
lac_workbench_get_replay(LacWorkbench *self)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self), NULL);
  return self->replay;
}
