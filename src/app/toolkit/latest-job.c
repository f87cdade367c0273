/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs on GTask. The task gets no source object and no free function: GTask may release both in the worker thread,
 * and a widget must not be finalised there. The main loop frees everything instead. */
#include "app/toolkit/latest-job.h"

#define MOST_THREADS 2 /* the latest request, and a cancelled one that has not returned */

typedef struct Work Work;

struct _LacLatestJob {
  LacJobKind kind;
  gpointer   owner;
  Work      *latest; /* (nullable): the request to show; owned by its thread while it runs */
  guint      n_working, delay;
  gboolean   is_left; /* TRUE: freed by its owner; the last worker to return frees the struct */
};

/* One request. */
struct Work {
  LacJobKind    kind;
  LacLatestJob *job;   /* (nullable) */
  gpointer      owner; /* (nullable): holds a reference; set where @job is NULL */
  gpointer      request, result;
  GCancellable *cancellable; /* (nullable): of @job */
  GError       *error;
  gboolean      has_begun;
};

static void
work_free(Work *work)
{
  if (work->kind.free_request != NULL && work->request != NULL)
    work->kind.free_request(work->request);
  if (work->kind.free_result != NULL && work->result != NULL)
    work->kind.free_result(work->result);
  g_clear_error(&work->error);
  g_clear_object(&work->cancellable);
  g_clear_object(&work->owner);
  g_free(work);
}

static void
show(Work *work, gpointer owner)
{
  if (work->kind.show != NULL)
    work->kind.show(owner, work->request, g_steal_pointer(&work->result), work->error);
}

/* ---- in the thread ---- */

static void
work_in_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Work *work = data;
  if (!g_cancellable_is_cancelled(work->cancellable))
    work->result = work->kind.work(work->request, work->cancellable, &work->error);
  g_task_return_boolean(task, TRUE);
}

static void
begin(Work *work, GAsyncReadyCallback done)
{
  g_autoptr(GTask) task = g_task_new(NULL, NULL, done, work);
  work->has_begun = TRUE;
  g_task_set_priority(task, work->kind.priority);
  g_task_set_task_data(task, work, NULL);
  g_task_run_in_thread(task, work_in_thread);
}

/* ---- once ---- */

static void
on_done_once(GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;
  show(work, work->owner);
  work_free(work);
}

void
lac_job_run(gpointer owner, const LacJobKind *kind, gpointer request)
{
  g_return_if_fail((owner == NULL || G_IS_OBJECT(owner)) && kind != NULL && kind->work != NULL);
  Work *work = g_new(Work, 1);
  *work = (Work){.kind = *kind, .request = request};
  g_set_object(&work->owner, owner);
  begin(work, on_done_once);
}

/* ---- the latest ---- */

static void begin_latest(LacLatestJob *self);

static void
on_done(GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work         *work = user_data;
  LacLatestJob *self = work->job;
  if (work == self->latest) {
    self->latest = NULL;
    show(work, self->owner);
  }
  work_free(work);
  self->n_working--;
  if (self->is_left && self->n_working == 0)
    g_free(self);
  else
    begin_latest(self);
}

/* Starts the latest request if its delay has passed and a thread is free. */
static void
begin_latest(LacLatestJob *self)
{
  if (self->latest == NULL || self->latest->has_begun || self->delay != 0 ||
      self->n_working >= MOST_THREADS)
    return;
  self->n_working++;
  begin(self->latest, on_done);
}

static gboolean
on_delay(gpointer user_data)
{
  LacLatestJob *self = user_data;
  self->delay = 0;
  begin_latest(self);
  return G_SOURCE_REMOVE;
}

LacLatestJob *
lac_latest_job_new(gpointer owner, const LacJobKind *kind)
{
  g_return_val_if_fail(kind != NULL && kind->work != NULL, NULL);
  LacLatestJob *self = g_new0(LacLatestJob, 1);
  self->kind = *kind;
  self->owner = owner;
  return self;
}

void
lac_latest_job_free(LacLatestJob *self)
{
  if (self == NULL)
    return;
  lac_latest_job_cancel(self);
  self->is_left = TRUE;
  if (self->n_working == 0)
    g_free(self);
}

void
lac_latest_job_start(LacLatestJob *self, gpointer request)
{
  g_return_if_fail(self != NULL && !self->is_left);
  lac_latest_job_cancel(self);
  self->latest = g_new(Work, 1);
  *self->latest =
    (Work){.kind = self->kind, .job = self, .request = request, .cancellable = g_cancellable_new()};
  if (self->kind.delay_ms > 0)
    self->delay =
      g_timeout_add_full(self->kind.priority, self->kind.delay_ms, on_delay, self, NULL);
  begin_latest(self);
}

void
lac_latest_job_cancel(LacLatestJob *self)
{
  if (self == NULL || self->latest == NULL)
    return;
  Work *work = g_steal_pointer(&self->latest);
  g_clear_handle_id(&self->delay, g_source_remove);
  g_cancellable_cancel(work->cancellable);
  if (!work->has_begun)
    work_free(work);
}

gboolean
lac_latest_job_is_busy(const LacLatestJob *self)
{
  return self != NULL && self->latest != NULL;
}
