/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs one export at a time: reading runs and laying out text must each happen in a single thread. */
#include "app/output/exporter.h"

#include "io/export/export.h"
#include "io/export/measurements.h"
#include "io/runfile/marks.h"
#include "io/runfile/run-file.h"
#include "perf/trace/trace.h"
#include "report/document/report.h"
#include "report/figure/figure.h"
#include "report/figure/film.h"
#include "run/core/replay.h"

#include <glib/gi18n-lib.h>

static const LacExportForm forms[] = {
  [LAC_EXPORT_FIGURE] = {"export-figure", N_("Export a Figure"), "figure", "pdf eps svg png"},
  [LAC_EXPORT_REPORT] = {"export-report", N_("Export a Report"), "report", "pdf txt json"},
  [LAC_EXPORT_DATA] = {"export-data", N_("Export the Data"), "data", "h5 csv npy vti cube"},
  [LAC_EXPORT_FILM] = {"export-film", N_("Export a Film"), "film", "webm"},
  [LAC_EXPORT_MEASUREMENTS] = {"export-measurements", N_("Export the Measurements"), "measurements",
                               "csv"},
  [LAC_EXPORT_TRACE] = {"export-trace", N_("Export the Trace"), "trace", LAC_TRACE_ENDINGS},
  [LAC_EXPORT_CUTOUT] = {"export-cutout", N_("Export a JHTDB Cut-out"), "cutout", "h5"},
  [LAC_EXPORT_TIMES] = {"export-times", N_("Export All Times"), "times", "h5"},
};

typedef struct {
  LacExportKind     kind;
  GPtrArray        *folders; /* of char * */
  char             *path;
  gint64            step;
  LacFigureSpec     figure;
  GObject          *owner;
  LacExportProgress progress; /* (nullable) */
  gint              cancels;  /* value of the count below when the export was asked for */
} Job;

static gint n_cancels; /* atomic */

static void
job_free(gpointer data)
{
  Job *job = data;
  g_ptr_array_unref(job->folders);
  g_free(job->path);
  lac_figure_spec_clear(&job->figure);
  g_clear_object(&job->owner);
  g_free(job);
}

const LacExportForm *
lac_export_form(LacExportKind kind)
{
  return &forms[kind];
}

/* ---- progress: from the worker to the main thread ---- */

typedef struct {
  GObject          *owner;
  LacExportProgress progress;
  char             *path;
  double            share;
} News;

static gboolean
on_news(gpointer data)
{
  const News *news = data;
  news->progress(news->owner, news->path, news->share);
  return G_SOURCE_REMOVE;
}

static void
news_free(gpointer data)
{
  News *news = data;
  g_object_unref(news->owner);
  g_free(news->path);
  g_free(news);
}

static void
tell(const Job *job, double share)
{
  if (job->progress == NULL)
    return;
  News *news = g_new(News, 1);
  *news = (News){g_object_ref(job->owner), job->progress, g_strdup(job->path), share};
  g_idle_add_full(G_PRIORITY_DEFAULT, on_news, news, news_free);
}

static gboolean
is_cancelled(const Job *job)
{
  return g_atomic_int_get(&n_cancels) != job->cancels;
}

/* Called after every frame of a film. */
static gboolean
on_frame(double share, gpointer job)
{
  tell(job, share);
  return !is_cancelled(job);
}

void
lac_exporter_cancel(void)
{
  g_atomic_int_inc(&n_cancels);
}

/* ---- one export ---- */

static gboolean
write_kind(GPtrArray *opened, const Job *job, GError **error)
{
  LacRunFile      **runs = (LacRunFile **) opened->pdata;
  const LacFilmSpec film = {
    .figure = &job->figure, .progress = on_frame, .user_data = (gpointer) job};

  switch (job->kind) {
  case LAC_EXPORT_FIGURE:
    return lac_figure_write(runs, opened->len, &job->figure, job->path, error);
  case LAC_EXPORT_REPORT: return lac_report_write(runs, opened->len, job->path, error);
  case LAC_EXPORT_DATA: return lac_export(runs[0], NULL, job->step, job->path, error);
  case LAC_EXPORT_FILM: return lac_film_write(runs, opened->len, &film, job->path, error);
  case LAC_EXPORT_MEASUREMENTS: return lac_measurements_export(runs[0]->path, job->path, error);
  case LAC_EXPORT_TRACE: {
    g_autoptr(LacCapture) marked = lac_run_marks_ref_capture(runs[0]->path, runs[0]->capture);
    return lac_trace_write(marked, job->path, error);
  }
  case LAC_N_EXPORTS: break;
  case LAC_EXPORT_CUTOUT: return lac_export_cutout(runs[0], NULL, job->path, error);
  case LAC_EXPORT_TIMES: return lac_replay_export_times(runs[0], NULL, job->path, NULL, error);
  }
  return FALSE;
}

/* Returns: (transfer full) (nullable): of LacRunFile; NULL with an error to show. */
static GPtrArray *
open_runs(GPtrArray *folders, GError **error)
{
  g_autoptr(GPtrArray) runs = g_ptr_array_new_with_free_func((GDestroyNotify) lac_run_file_unref);

  for (guint i = 0; i < folders->len; i++) {
    LacRunFile *run = lac_run_file_open(folders->pdata[i], error);

    if (run == NULL)
      return NULL;
    g_ptr_array_add(runs, run);
  }
  return g_steal_pointer(&runs);
}

GMutexLocker *
lac_exporter_lock(void)
{
  static GMutex one;

  return g_mutex_locker_new(&one);
}

static gpointer
work(gpointer data, GCancellable *cancellable, GError **error)
{
  const Job              *job = data;
  g_autoptr(GMutexLocker) locker = lac_exporter_lock();
  tell(job, -1);
  g_autoptr(GPtrArray) runs = open_runs(job->folders, error);
  if (runs != NULL && write_kind(runs, job, error))
    return g_strdup(job->path);
  if (job->kind == LAC_EXPORT_FILM && is_cancelled(job)) {
    g_clear_error(error);
    g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("The film was cancelled."));
  }
  return NULL;
}

void
lac_exporter_start(const LacExportRequest *request,
                   gpointer                owner,
                   LacExportProgress       progress,
                   LacJobShow              show)
{
  g_return_if_fail(request->folder != NULL && request->path != NULL);
  Job *job = g_new0(Job, 1);
  job->kind = request->kind;
  job->folders = g_ptr_array_new_with_free_func(g_free);
  g_ptr_array_add(job->folders, g_strdup(request->folder));
  for (gsize i = 0; request->others != NULL && request->others[i] != NULL; i++)
    g_ptr_array_add(job->folders, g_strdup(request->others[i]));
  job->path = g_strdup(request->path);
  job->step = request->step;
  job->owner = g_object_ref(owner);
  job->progress = progress;
  job->cancels = g_atomic_int_get(&n_cancels);
  if (request->figure != NULL)
    lac_figure_spec_copy(request->figure, &job->figure);
  else
    job->figure.step = request->step;
  lac_job_run(owner, &(LacJobKind){work, show, job_free, g_free}, job);
}
