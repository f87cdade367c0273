/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs on disk: deleted runs until deletion is final, and a repeated run. */
#include "app/session/workbench-private.h"
#include "app/toolkit/latest-job.h"
#include "report/compare/bitwise.h"
#include "run/library/library.h"

/* ---- deleting ---- */

gboolean
lac_workbench_has_deleted(LacWorkbench *self)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self), FALSE);
  return self->aside != NULL;
}

/* Reports the first run that could not be moved to the trash. */
static gpointer
dispose_of(gpointer data, GCancellable *cancellable, GError **error)
{
  const GPtrArray *aside = data;
  for (guint i = 0; i < aside->len; i++)
    lac_run_dispose_of(g_ptr_array_index(aside, i), error != NULL && *error == NULL ? error : NULL);
  return NULL;
}

static void
on_disposed_of(gpointer workbench, gpointer aside, gpointer result, const GError *error)
{
  if (error != NULL)
    lac_workbench_show_message(workbench, error->message);
}

static void
delete_aside(LacWorkbench *self)
{
  if (self->aside == NULL)
    return;
  lac_job_run(self,
              &(LacJobKind){.work = dispose_of,
                            .show = on_disposed_of,
                            .free_request = (GDestroyNotify) g_ptr_array_unref},
              g_steal_pointer(&self->aside));
}

void
lac_workbench_forget_deleted(LacWorkbench *self)
{
  g_return_if_fail(LAC_IS_WORKBENCH(self));
  delete_aside(self);
  lac_workbench_notify_changed(self);
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
    lac_workbench_show_message(self, error->message);
  n = aside->len;
  if (n == 0)
    return 0;
  delete_aside(self);
  self->aside = g_steal_pointer(&aside);
  lac_run_store_refresh(self->run_store);
  lac_workbench_notify_changed(self);
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
    lac_workbench_show_message(self, error->message);
  lac_run_store_refresh(self->run_store);
  lac_workbench_notify_changed(self);
}

/* ---- repeated runs ---- */

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

static gpointer
score(gpointer data, GCancellable *cancellable, GError **error)
{
  const Pair           *pair = data;
  gboolean              is_same;
  g_autoptr(LacRunFile) run = lac_run_file_open(pair->run, error);
  g_autoptr(LacRunFile) model = run != NULL ? lac_run_file_open(pair->model, error) : NULL;
  return model != NULL ? lac_bitwise_compare(run, model, &is_same, error) : NULL;
}

static void
on_scored(gpointer workbench, gpointer request, gpointer result, const GError *error)
{
  g_autofree char *text = result;
  lac_workbench_emit_text(workbench, LAC_WORKBENCH_ANSWERED, text != NULL ? text : error->message);
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
lac_workbench_compare_repetition(LacWorkbench *self)
{
  if (self->repeated == NULL)
    return;
  Pair *pair = g_new0(Pair, 1);
  pair->run = g_strdup(lac_session_get_folder(self->latest));
  pair->model = g_steal_pointer(&self->repeated);
  lac_job_run(self, &(LacJobKind){score, on_scored, pair_free, g_free}, pair);
}

/* ---- replayed runs ---- */

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
