/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Following is polling: notification does not cross a network, and a file that grows is cheap to ask. */
#include "app/follower.h"

#include "io/runfile/format.h"

#include <gio/gio.h>
#include <glib/gstdio.h>

#define PERIOD_MS 1000
#define SHARE     5 /* reading takes at most one part in so many of the time */
#define FRESH_S \
  20 /* a lock of another machine may not be seen here: who has written so lately is alive */

typedef struct {
  guint64 bytes;
  double  changed; /* seconds since 1970 */
} Stamp;

struct _LacFollower {
  char           *folder;
  LacFollowerFunc on_news;
  gpointer        user_data;
  Stamp           stamp;
  guint           timer;
  gint64          rest_until_us; /* monotonic */
  GCancellable   *cancellable;
  gboolean        is_reading;
};

static void
stamp_file(const char *folder, const char *name, Stamp *stamp)
{
  g_autofree char *path = g_build_filename(folder, name, NULL);
  GStatBuf         about;
  if (g_stat(path, &about) != 0)
    return;
  double changed = (double) about.st_mtim.tv_sec + 1e-9 * (double) about.st_mtim.tv_nsec;
  stamp->bytes += (guint64) about.st_size;
  stamp->changed = MAX(stamp->changed, changed);
}

static Stamp
take_stamp(const char *folder)
{
  Stamp stamp = {0};
  stamp_file(folder, LAC_RUN_JOURNAL, &stamp);
  stamp_file(folder, LAC_RUN_FRAMES, &stamp);
  return stamp;
}

static double
age_of(const Stamp *stamp)
{
  return MAX((double) g_get_real_time() * 1e-6 - stamp->changed, 0);
}

gboolean
lac_follower_is_fresh(const char *folder)
{
  Stamp stamp = take_stamp(folder);
  return age_of(&stamp) < FRESH_S;
}

double
lac_follower_get_age(const LacFollower *self)
{
  return age_of(&self->stamp);
}

typedef struct {
  char  *folder;
  gint64 took_us;
} Reading;

static void
reading_free(gpointer data)
{
  Reading *reading = data;
  g_free(reading->folder);
  g_free(reading);
}

static void
read_in_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Reading    *reading = data;
  gint64      start = g_get_monotonic_time();
  GError     *error = NULL;
  LacRunFile *run = lac_run_file_open_fields(reading->folder, &error);
  reading->took_us = g_get_monotonic_time() - start;
  if (run != NULL)
    g_task_return_pointer(task, run, (GDestroyNotify) lac_run_file_unref);
  else
    g_task_return_error(task, error);
}

/* A folder that cannot be read just now, as when a network is away, is asked again. */
static void
on_read(GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr(GError)     error = NULL;
  Reading              *reading = g_task_get_task_data(G_TASK(result));
  g_autoptr(LacRunFile) run = g_task_propagate_pointer(G_TASK(result), &error);
  LacFollower          *self = user_data;
  if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return; /* the follower is gone */
  self->is_reading = FALSE;
  self->rest_until_us = g_get_monotonic_time() + SHARE * reading->took_us;
  if (run != NULL && g_str_equal(run->outcome, "interrupted") && age_of(&self->stamp) < FRESH_S) {
    g_free(run->outcome);
    run->outcome = g_strdup("running");
  }
  self->on_news(run, self->user_data);
}

static gboolean
on_timer(gpointer user_data)
{
  LacFollower *self = user_data;
  Stamp        now = take_stamp(self->folder);
  gboolean     is_new = now.bytes != self->stamp.bytes || now.changed > self->stamp.changed;
  /* silence is looked into as well: the writer may be gone */
  gboolean is_silent = age_of(&now) > 3;
  self->stamp = now;
  if (self->is_reading || (!is_new && !is_silent) || g_get_monotonic_time() < self->rest_until_us) {
    self->on_news(NULL, self->user_data);
    return G_SOURCE_CONTINUE;
  }
  g_autoptr(GTask) task = g_task_new(NULL, self->cancellable, on_read, self);
  Reading         *reading = g_new0(Reading, 1);
  reading->folder = g_strdup(self->folder);
  g_task_set_check_cancellable(task, TRUE);
  g_task_set_task_data(task, reading, reading_free);
  self->is_reading = TRUE;
  g_task_run_in_thread(task, read_in_thread);
  return G_SOURCE_CONTINUE;
}

LacFollower *
lac_follower_new(const char *folder, LacFollowerFunc on_news, gpointer user_data)
{
  LacFollower *self = g_new0(LacFollower, 1);
  self->folder = g_strdup(folder);
  self->on_news = on_news;
  self->user_data = user_data;
  self->stamp = take_stamp(folder);
  self->cancellable = g_cancellable_new();
  self->timer = g_timeout_add(PERIOD_MS, on_timer, self);
  return self;
}

void
lac_follower_free(LacFollower *self)
{
  if (self == NULL)
    return;
  g_clear_handle_id(&self->timer, g_source_remove);
  g_cancellable_cancel(self->cancellable);
  g_object_unref(self->cancellable);
  g_free(self->folder);
  g_free(self);
}
