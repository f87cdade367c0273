/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing a figure, a report, data or a trace of a run folder, away from the main thread. */
#pragma once

#include "app/latest-job.h"
#include "report/figure/figure.h"

G_BEGIN_DECLS

typedef enum {
  LAC_EXPORT_FIGURE,
  LAC_EXPORT_REPORT,
  LAC_EXPORT_DATA,
  LAC_EXPORT_FILM,
  LAC_EXPORT_TRACE,
} LacExportKind;

typedef struct {
  const char *action;   /* "export-figure" */
  const char *title;    /* translatable; of the chooser */
  const char *name;     /* proposed file name without its ending */
  const char *patterns; /* endings, separated by spaces; the first is proposed */
} LacExportForm;

const LacExportForm *lac_export_form(LacExportKind kind);

typedef struct {
  LacExportKind        kind;
  const char          *folder; /* of the run */
  const char *const   *others; /* (nullable): of a figure and a film: runs beside it */
  const char          *path;   /* its ending chooses the format */
  gint64               step;   /* of data; -1: the last */
  const LacFigureSpec *figure; /* (nullable): of a figure and a film: what is shown */
} LacExportRequest;

/* Copies the request. @owner: held until @show, which gets the path that was written (transfer full), or an error for the person. */
void lac_exporter_start(const LacExportRequest *request, gpointer owner, LacJobShow show);

/* On a worker thread: runs are read, and text is set for paper, by one thread at a time. Returns: (transfer full) */
GMutexLocker *lac_exporter_lock(void);

G_END_DECLS
