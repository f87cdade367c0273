/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report as it is told, whatever it is written as: content.c tells it, once; pdf.c and html.c write it. */
#pragma once

#include "io/runfile/run-file.h"
#include "report/canvas/canvas.h"
#include "report/canvas/palette.h"
#include "report/document/plan.h"
#include "report/text/pages-private.h"

G_BEGIN_DECLS

typedef struct {
  const char *label;
  char       *value; /* owned by who made it */
} LacTile;

/* Draws at @at, @width wide. @drawing: NULL: nothing is drawn. Returns: the height it takes. */
typedef double (*LacPictureFunc)(LacDrawing       *drawing,
                                 LacPoint          at,
                                 double            width,
                                 const LacPalette *palette,
                                 gconstpointer     data);

typedef struct {
  LacPictureFunc draw;
  gconstpointer  data;
  const char    *words;    /* what is to be seen, for who cannot see it */
  gboolean       on_paper; /* has the colours of paper, whatever palette it is given */
} LacPicture;

typedef struct _LacDocument LacDocument;

/* Who writes a document. All parts go below each other. */
struct _LacDocument {
  void (*begin_run)(LacDocument *document, gboolean is_first);
  void (*title)(LacDocument *document, const char *text); /* of a run or of the whole */
  void (*heading)(LacDocument *document, const char *text);
  void (*paragraph)(LacDocument *document, const char *text, gboolean is_faint);
  void (*items)(LacDocument *document, const char *const *texts, gsize n);
  void (*tiles)(LacDocument   *document,
                const LacTile *tiles,
                gsize          n); /* the first is the key result */
  void (*table)(LacDocument *document, const LacTable *table);
  void (*picture)(LacDocument *document, const LacPicture *picture);
};

/* What is told, and how the file that holds it is called. */
typedef struct {
  const char *title, *head, *foot, *keywords;
  gboolean (*add)(LacDocument *document, gconstpointer data, GError **error);
  gconstpointer data;
} LacDocumentContent;

/* Returns: (transfer full): of LacDrawing, a page each; NULL with an error. */
GPtrArray *lac_document_lay_out(const LacDocumentContent *content, GError **error);
gboolean
      lac_document_write_pdf(const LacDocumentContent *content, const char *path, GError **error);
char *lac_document_dup_html(const LacDocumentContent *content,
                            GError                  **error); /* (transfer full) */

typedef struct {
  LacRunFile *const *runs;
  gsize              n;
} LacRuns;

/* The story of runs; @data: LacRuns. Returns: FALSE with the error of a file that cannot be read. */
gboolean lac_report_add_runs(LacDocument *document, gconstpointer data, GError **error);

/* One part of a run, as a report without a plan has it; nothing where the run has none of it. */
gboolean lac_report_add_part(LacDocument      *document,
                             const LacRunFile *run,
                             LacReportPart     part,
                             GError          **error);
void     lac_report_add_comparison(LacDocument *document, LacRunFile *const *runs, gsize n_runs);

void lac_report_add_profile(LacCapture *capture, LacDocument *document);

G_END_DECLS
