/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A task whose progress is read by a clock of the main loop. */
#include "app/device-test.h"

#include "app/owned-task.h"

#include <gio/gio.h>

#define PERIOD_MS 100

/* Both threads', by atomic operations; held by the task. */
typedef struct {
  char         *name;
  GCancellable *cancellable;
  gint          permille;
  const char   *what; /* static, of a check */
} Job;

struct _LacDeviceTest {
  GObject      parent_instance;
  char        *name;
  Job         *job; /* (nullable): of the task that is running */
  LacSelfTest *result;
  GError      *error;
  guint        ticker;
};

G_DEFINE_FINAL_TYPE(LacDeviceTest, lac_device_test, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
job_free(gpointer data)
{
  Job *job = data;
  g_free(job->name);
  g_object_unref(job->cancellable);
  g_free(job);
}

static void
lac_device_test_finalize(GObject *object)
{
  LacDeviceTest *self = LAC_DEVICE_TEST(object);
  g_clear_handle_id(&self->ticker, g_source_remove);
  g_clear_pointer(&self->result, lac_self_test_free);
  g_clear_error(&self->error);
  g_free(self->name);
  G_OBJECT_CLASS(lac_device_test_parent_class)->finalize(object);
}

static void
lac_device_test_class_init(LacDeviceTestClass *class)
{
  G_OBJECT_CLASS(class)->finalize = lac_device_test_finalize;
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_DEVICE_TEST, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
}

static void
lac_device_test_init(LacDeviceTest *self)
{
}

LacDeviceTest *
lac_device_test_new(const char *name)
{
  LacDeviceTest *self = g_object_new(LAC_TYPE_DEVICE_TEST, NULL);
  self->name = g_strdup(name);
  return self;
}

static void
on_progress(double fraction, const char *what, gpointer user_data)
{
  Job *job = user_data;
  g_atomic_int_set(&job->permille, (gint) (1000 * fraction));
  g_atomic_pointer_set(&job->what, what);
}

static gboolean
is_cancelled(gpointer user_data)
{
  return g_cancellable_is_cancelled(((Job *) user_data)->cancellable);
}

static void
run(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job                   *job = data;
  const LacSelfTestWatch watch = {on_progress, is_cancelled, job};
  GError                *error = NULL;
  LacSelfTest           *result = lac_self_test_run(job->name, &watch, &error);
  if (result != NULL)
    g_task_return_pointer(task, result, (GDestroyNotify) lac_self_test_free);
  else
    g_task_return_error(task, error);
}

static void
on_done(GObject *source, GAsyncResult *result, gpointer user_data)
{
  LacDeviceTest *self = LAC_DEVICE_TEST(source);
  g_clear_handle_id(&self->ticker, g_source_remove);
  self->job = NULL;
  self->result = g_task_propagate_pointer(G_TASK(result), &self->error);
  g_signal_emit(self, signals[CHANGED], 0);
}

static gboolean
on_tick(gpointer user_data)
{
  g_signal_emit(user_data, signals[CHANGED], 0);
  return G_SOURCE_CONTINUE;
}

/* What was cancelled has a result too: the task itself knows nothing of that. */
void
lac_device_test_start(LacDeviceTest *self)
{
  g_return_if_fail(LAC_IS_DEVICE_TEST(self));
  if (self->job != NULL)
    return;
  g_autoptr(GTask) task = lac_owned_task_new(self, NULL, on_done);
  g_clear_pointer(&self->result, lac_self_test_free);
  g_clear_error(&self->error);
  self->job = g_new0(Job, 1);
  self->job->name = g_strdup(self->name);
  self->job->cancellable = g_cancellable_new();
  self->ticker = g_timeout_add(PERIOD_MS, on_tick, self);
  g_task_set_task_data(task, self->job, job_free);
  g_task_run_in_thread(task, run);
  g_signal_emit(self, signals[CHANGED], 0);
}

void
lac_device_test_cancel(LacDeviceTest *self)
{
  g_return_if_fail(LAC_IS_DEVICE_TEST(self));
  if (self->job != NULL)
    g_cancellable_cancel(self->job->cancellable);
}

gboolean
lac_device_test_is_running(LacDeviceTest *self)
{
  g_return_val_if_fail(LAC_IS_DEVICE_TEST(self), FALSE);
  return self->job != NULL;
}

double
lac_device_test_get_progress(LacDeviceTest *self, const char **what)
{
  g_return_val_if_fail(LAC_IS_DEVICE_TEST(self), 0);
  *what = self->job != NULL ? g_atomic_pointer_get(&self->job->what) : NULL;
  return self->job != NULL ? g_atomic_int_get(&self->job->permille) / 1000.0 : 0;
}

const LacSelfTest *
lac_device_test_get_result(LacDeviceTest *self)
{
  g_return_val_if_fail(LAC_IS_DEVICE_TEST(self), NULL);
  return self->result;
}

const char *
lac_device_test_get_error(LacDeviceTest *self)
{
  g_return_val_if_fail(LAC_IS_DEVICE_TEST(self), NULL);
  return self->error != NULL ? self->error->message : NULL;
}
