/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening run files by a worker. A later request supersedes an earlier one. */
#include "app/session/follower.h"
#include "app/session/workbench-private.h"
#include "app/toolkit/recent-files.h"
#include "io/runfile/place.h"
#include "run/plan/equation.h"

typedef enum {
  CHOSEN,   /* by the user */
  WHOLE,    /* a followed run that has ended */
  RECORDED, /* in place of a run to be computed */
} Purpose;

typedef struct {
  char   *path;
  Purpose purpose;
} Request;

/* Either a run that grows, which is followed, or a session made of a whole file. */
typedef struct {
  LacRunFile *growing;
  LacSession *session;
} Opened;

static void
request_free(gpointer data)
{
  g_free(((Request *) data)->path);
  g_free(data);
}

static void
opened_free(gpointer data)
{
  Opened *opened = data;
  lac_run_file_unref(opened->growing);
  g_clear_object(&opened->session);
  g_free(opened);
}

LacRunFile *
lac_workbench_open_growing(const char *path)
{
  g_autofree char      *folder = lac_run_place_dup_folder(path, NULL);
  g_autoptr(LacRunFile) run = folder != NULL ? lac_run_file_open_fields(folder, NULL) : NULL;
  if (run == NULL || !lac_follower_is_alive(run))
    return NULL;
  return g_steal_pointer(&run);
}

static gpointer
open_run(gpointer data, GCancellable *cancellable, GError **error)
{
  const Request *request = data;
  Opened         opened = {0};
  if (request->purpose == CHOSEN)
    opened.growing = lac_workbench_open_growing(request->path);
  g_autoptr(LacRunFile) file =
    opened.growing == NULL ? lac_run_file_open(request->path, error) : NULL;
  if (file != NULL)
    opened.session = lac_session_new_file(file);
  if (file != NULL ||
      opened.growing != NULL) /* otherwise the set-up says that it cannot show the settings */
    lac_equation_learn(file != NULL ? file->path : opened.growing->path, NULL);
  return file != NULL || opened.growing != NULL ? g_memdup2(&opened, sizeof opened) : NULL;
}

static void
fail(LacWorkbench *self, Purpose purpose, const GError *error)
{
  lac_workbench_show_message(self, error->message);
  if (purpose == RECORDED)
    lac_workbench_end_sweep(self);
}

static void
show(LacWorkbench *self, Purpose purpose, LacSession *session)
{
  if (purpose == RECORDED)
    lac_workbench_go_on_with_recorded(self, session);
  else
    lac_workbench_show(self, session);
  if (purpose != CHOSEN)
    return;
  lac_recent_files_add(lac_session_get_folder(session));
  lac_workbench_emit(self, LAC_WORKBENCH_OPENED);
}

static void
on_opened(gpointer owner, gpointer data, gpointer result, const GError *error)
{
  g_autoptr(LacWorkbench) self = g_object_ref(owner);
  const Request          *request = data;
  Opened                 *opened = result;
  g_clear_pointer(&self->opening_path, g_free);
  lac_workbench_emit(self, LAC_WORKBENCH_OPENING_CHANGED);
  if (opened == NULL) {
    fail(self, request->purpose, error);
    return;
  }
  if (opened->growing != NULL)
    opened->session = lac_session_new_followed(opened->growing);
  show(self, request->purpose, opened->session);
  opened_free(opened);
}

static void
open_path(LacWorkbench *self, const char *path, Purpose purpose)
{
  Request *request = g_new(Request, 1);
  *request = (Request){g_strdup(path), purpose};
  g_free(self->opening_path);
  self->opening_path = g_strdup(path);
  if (self->opening == NULL)
    self->opening =
      lac_latest_job_new(self, &(LacJobKind){open_run, on_opened, request_free, opened_free});
  lac_latest_job_start(self->opening, request);
  lac_workbench_emit(self, LAC_WORKBENCH_OPENING_CHANGED);
}

/* Returns TRUE for the run that computes, whose folder is not read: it is here. */
static gboolean
is_active(LacWorkbench *self, const char *path)
{
  LacSession      *active = lac_workbench_get_active_session(self);
  g_autofree char *folder = active != NULL ? lac_run_place_dup_folder(path, NULL) : NULL;
  g_autofree char *whole = folder != NULL ? g_canonicalize_filename(folder, NULL) : NULL;
  g_autofree char *own =
    active != NULL ? g_canonicalize_filename(lac_session_get_folder(active), NULL) : NULL;
  return whole != NULL && g_str_equal(whole, own);
}

void
lac_workbench_open(LacWorkbench *self, const char *path)
{
  g_return_if_fail(LAC_IS_WORKBENCH(self) && path != NULL);
  if (!is_active(self, path)) {
    open_path(self, path, CHOSEN);
    return;
  }
  lac_workbench_show_active(self);
  lac_workbench_emit(self, LAC_WORKBENCH_OPENED);
}

void
lac_workbench_open_whole(LacWorkbench *self)
{
  open_path(self, lac_session_get_folder(self->session), WHOLE);
}

void
lac_workbench_open_recorded(LacWorkbench *self, const char *folder)
{
  open_path(self, folder, RECORDED);
}

void
lac_workbench_stop_opening(LacWorkbench *self)
{
  if (self->opening_path == NULL)
    return;
  lac_latest_job_cancel(self->opening);
  g_clear_pointer(&self->opening_path, g_free);
  lac_workbench_emit(self, LAC_WORKBENCH_OPENING_CHANGED);
}

const char *
lac_workbench_get_opening(LacWorkbench *self)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self), NULL);
  return self->opening_path;
}
