/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One export at a time: reading runs and drawing text are each done by one thread only. */
#include "app/exporter.h"

#include "io/export.h"
#include "io/run-file.h"
#include "perf/trace.h"
#include "report/figure.h"
#include "report/film.h"
#include "report/report.h"

#include <glib/gi18n-lib.h>

static const LacExportForm forms[] = {
  [LAC_EXPORT_FIGURE] = {"export-figure", N_("Export a Figure"), "figure", "pdf svg png"},
  [LAC_EXPORT_REPORT] = {"export-report", N_("Export a Report"), "report", "pdf txt json"},
  [LAC_EXPORT_DATA] = {"export-data", N_("Export the Data"), "data", "h5 csv npy vti cube"},
  [LAC_EXPORT_FILM] = {"export-film", N_("Export a Film"), "film", "webm"},
  [LAC_EXPORT_TRACE] = {"export-trace", N_("Export the Trace"), "trace", LAC_TRACE_ENDINGS},
};

typedef struct {
  LacExportKind kind;
  char         *folder, *path;
  gint64        step;
} Job;

static void
job_free(gpointer data)
{
  Job *job = data;
  g_free(job->folder);
  g_free(job->path);
  g_free(job);
}

const LacExportForm *
lac_export_form(LacExportKind kind)
{
  return &forms[kind];
}

static gboolean
write_film(const LacRunFile *run, const char *path, GError **error)
{
  const LacFilmSpec spec = {0};

  return lac_film_write(run, &spec, path, error);
}

static gboolean
write_kind(LacRunFile *run, const Job *job, GError **error)
{
  switch (job->kind) {
  case LAC_EXPORT_FIGURE: return lac_figure_write(run, NULL, job->step, job->path, error);
  case LAC_EXPORT_REPORT: return lac_report_write(&run, 1, job->path, error);
  case LAC_EXPORT_DATA: return lac_export(run, NULL, job->step, job->path, error);
  case LAC_EXPORT_FILM: return write_film(run, job->path, error);
  case LAC_EXPORT_TRACE: return lac_trace_write(run->capture, job->path, error);
  }
  return FALSE;
}

static void
work(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  static GMutex           one;
  Job                    *job = data;
  GError                 *error = NULL;
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&one);
  g_autoptr(LacRunFile)   run = lac_run_file_open(job->folder, &error);
  if (run != NULL && write_kind(run, job, &error))
    g_task_return_pointer(task, g_strdup(job->path), g_free);
  else
    g_task_return_error(task, error);
}

void
lac_exporter_start(const LacExportRequest *request,
                   GAsyncReadyCallback     callback,
                   gpointer                user_data)
{
  g_return_if_fail(request->folder != NULL && request->path != NULL);
  Job *job = g_new0(Job, 1);
  job->kind = request->kind;
  job->folder = g_strdup(request->folder);
  job->path = g_strdup(request->path);
  job->step = request->step;
  g_autoptr(GTask) task = g_task_new(NULL, NULL, callback, user_data);
  g_task_set_task_data(task, job, job_free);
  g_task_run_in_thread(task, work);
}

char *
lac_exporter_finish(GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer(G_TASK(result), error);
}
