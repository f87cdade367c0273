/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing a figure, a report, data or a trace of a run folder, away from the main thread. */
#pragma once

#include <gio/gio.h>

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
  LacExportKind kind;
  const char   *folder; /* of the run */
  const char   *path;   /* its ending chooses the format */
  gint64        step;   /* -1: the last */
} LacExportRequest;

/* Copies the request. */
void lac_exporter_start(const LacExportRequest *request,
                        GAsyncReadyCallback     callback,
                        gpointer                user_data);

/* Returns: (transfer full): the path that was written; NULL with an error for the person. */
char *lac_exporter_finish(GAsyncResult *result, GError **error);

G_END_DECLS
