/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Export of a figure, a report, data or a trace from a run folder in a worker thread. */
#pragma once

#include "app/toolkit/latest-job.h"
#include "report/figure/figure.h"

G_BEGIN_DECLS

typedef enum {
  LAC_EXPORT_FIGURE,
  LAC_EXPORT_REPORT,
  LAC_EXPORT_DATA,
  LAC_EXPORT_FILM,
  LAC_EXPORT_MEASUREMENTS,
  LAC_EXPORT_CUTOUT,
  LAC_EXPORT_TIMES,
  LAC_EXPORT_TRACE,
  LAC_N_EXPORTS
} LacExportKind;

typedef struct {
  const char *action;   /* action name: "export-figure" */
  const char *title;    /* translatable; title of the file chooser */
  const char *name;     /* proposed file name without extension */
  const char *patterns; /* extensions, separated by spaces; the first is the default */
} LacExportForm;

const LacExportForm *lac_export_form(LacExportKind kind);

typedef struct {
  LacExportKind        kind;
  const char          *folder; /* run folder */
  const char *const   *others; /* (nullable): folders of further runs, for figures and films */
  const char          *path;   /* the extension selects the format */
  gint64               step;   /* step of exported data; -1: the last */
  const LacFigureSpec *figure; /* (nullable): contents of a figure or film */
} LacExportRequest;

/* Called in the main thread while an export goes on. @share: fraction completed; negative: not known. */
typedef void (*LacExportProgress)(gpointer owner, const char *path, double share);

/* Copies the request. @owner: referenced until @show has been called, with the path written (transfer full) or with
 * an error to display. @progress: (nullable) */
void lac_exporter_start(const LacExportRequest *request,
                        gpointer                owner,
                        LacExportProgress       progress,
                        LacJobShow              show);
/* Cancels the film that is being written; its export ends with G_IO_ERROR_CANCELLED. Main thread. */
void lac_exporter_cancel(void);

/* Takes the export lock in a worker thread: only one thread at a time reads runs and lays out text for paper.
 * Returns: (transfer full) */
GMutexLocker *lac_exporter_lock(void);

G_END_DECLS
