/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Follows a run by polling: inotify does not work across networks, and checking a file's size is cheap. */
#include "app/session/follower.h"

#include "app/toolkit/latest-job.h"
#include "io/runfile/format.h"

#include <glib/gstdio.h>

#define PERIOD_MS 1000
#define SHARE     5  /* reading pauses for this many times its duration */
#define FRESH_S   20 /* seconds: a writer this recent on another machine is taken to be alive */

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
  gint64          rest_until_us; /* monotonic time before which nothing is read */
  LacLatestJob   *reading;
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

/* Returns TRUE unless the run was begun on this machine, whose locks are visible here. */
static gboolean
is_elsewhere(const LacRunFile *run)
{
  for (gsize i = 0; i < run->n_facts; i++)
    if (g_str_equal(run->facts[i].key, "host"))
      return !g_str_equal(run->facts[i].value, g_get_host_name());
  return TRUE;
}

/* @stamp: of the run's folder */
static gboolean
is_alive(const LacRunFile *run, const Stamp *stamp)
{
  return g_str_equal(run->outcome, "running") ||
         (g_str_equal(run->outcome, "interrupted") && is_elsewhere(run) && age_of(stamp) < FRESH_S);
}

gboolean
lac_follower_is_alive(const LacRunFile *run)
{
  Stamp stamp = take_stamp(run->path);
  return is_alive(run, &stamp);
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

static gpointer
read_fields(gpointer data, GCancellable *cancellable, GError **error)
{
  Reading    *reading = data;
  gint64      start = g_get_monotonic_time();
  LacRunFile *run = lac_run_file_open_fields(reading->folder, error);
  reading->took_us = g_get_monotonic_time() - start;
  return run;
}

/* Shows the run. A folder that cannot be read, for example while the network is down, is retried. */
static void
on_read(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  LacFollower          *self = owner;
  const Reading        *reading = request;
  g_autoptr(LacRunFile) run = result;
  self->rest_until_us = g_get_monotonic_time() + SHARE * reading->took_us;
  if (run != NULL && is_alive(run, &self->stamp)) {
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
  /* also reads after 3 s without news: the writer may be gone */
  gboolean is_silent = age_of(&now) > 3;
  self->stamp = now;
  if (lac_latest_job_is_busy(self->reading) || (!is_new && !is_silent) ||
      g_get_monotonic_time() < self->rest_until_us) {
    self->on_news(NULL, self->user_data);
    return G_SOURCE_CONTINUE;
  }
  Reading *reading = g_new0(Reading, 1);
  reading->folder = g_strdup(self->folder);
  lac_latest_job_start(self->reading, reading);
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
  self->reading = lac_latest_job_new(
    self, &(LacJobKind){read_fields, on_read, reading_free, (GDestroyNotify) lac_run_file_unref});
  self->timer = g_timeout_add(PERIOD_MS, on_timer, self);
  return self;
}

void
lac_follower_free(LacFollower *self)
{
  if (self == NULL)
    return;
  g_clear_handle_id(&self->timer, g_source_remove);
  lac_latest_job_free(self->reading);
  g_free(self->folder);
  g_free(self);
}
