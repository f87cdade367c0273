/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report independent of its output format: content.c generates it once; pdf.c and html.c write it. */
#pragma once

#include "io/runfile/run-file.h"
#include "report/canvas/canvas.h"
#include "report/canvas/palette.h"
#include "report/document/plan.h"
#include "report/summary/summary-private.h"
#include "report/text/pages-private.h"

G_BEGIN_DECLS

typedef struct {
  const char *label;
  char       *value; /* owned by the caller */
} LacTile;

/* Draws at @at, @width wide. @drawing: (nullable): measures only. Returns: the height used. */
typedef double (*LacPictureFunc)(LacDrawing       *drawing,
                                 LacPoint          at,
                                 double            width,
                                 const LacPalette *palette,
                                 gconstpointer     data);

typedef struct {
  LacPictureFunc draw;
  gconstpointer  data;
  const char    *words;    /* text alternative for screen readers */
  gboolean       on_paper; /* uses the colours of paper whatever the palette */
} LacPicture;

typedef struct _LacDocument LacDocument;

/* Interface of a document writer. Parts are stacked from top to bottom. */
struct _LacDocument {
  void (*begin_run)(LacDocument *document, gboolean is_first);
  void (*title)(LacDocument *document,
                const char  *text); /* title of a run or of the whole document */
  void (*heading)(LacDocument *document, const char *text);
  void (*paragraph)(LacDocument *document, const char *text, gboolean is_faint);
  void (*items)(LacDocument *document, const char *const *texts, gsize n);
  void (*tiles)(LacDocument   *document,
                const LacTile *tiles,
                gsize          n); /* the first is the key result */
  void (*table)(LacDocument *document, const LacTable *table);
  void (*picture)(LacDocument *document, const LacPicture *picture);
};

/* Content of a document and the texts of its title, head and foot. */
typedef struct {
  const char *title, *head, *foot, *keywords;
  gboolean (*add)(LacDocument *document, gconstpointer data, GError **error);
  gconstpointer  data;
  LacReportPaper paper;
} LacDocumentContent;

/* Returns: (transfer full): plain text without the pictures; NULL with an error. */
char *lac_document_dup_plain(const LacDocumentContent *content, GError **error);

/* Returns: (transfer full): array of LacDrawing, one per page; NULL with an error. */
GPtrArray *lac_document_lay_out(const LacDocumentContent *content, GError **error);
gboolean
      lac_document_write_pdf(const LacDocumentContent *content, const char *path, GError **error);
char *lac_document_dup_html(const LacDocumentContent *content,
                            GError                  **error); /* (transfer full) */

/* Returns: (transfer full): the report in another format. @data: of the content */
typedef char *(*LacDupFunc)(gconstpointer data);

/* Writes the format of the extension of @path. @text: for .txt; NULL: the content as plain text; @json: for .json */
gboolean lac_report_write_content(const LacDocumentContent *content,
                                  LacDupFunc                text,
                                  LacDupFunc                json,
                                  const char               *path,
                                  GError                  **error);

typedef struct {
  LacRunFile *const *runs;
  gsize              n;
  LacReportSections  sections; /* of each run */
} LacRuns;

/* Adds the report of runs. @data: LacRuns. Returns: FALSE with the error of an unreadable file. */
gboolean lac_report_add_runs(LacDocument *document, gconstpointer data, GError **error);

/* Adds one section of a run; adds nothing if the run lacks it. */
gboolean lac_report_add_part(LacDocument      *document,
                             const LacRunFile *run,
                             LacReportPart     part,
                             GError          **error);
void     lac_report_add_comparison(LacDocument *document, LacRunFile *const *runs, gsize n_runs);

/* curves.c: each adds nothing where there is no data. Charts are those of the last frame; the joint curve is the key
 * result of the first run for every run that has it. Returns: FALSE with the error of an unreadable file. */
void     lac_report_add_curves(LacDocument *document, const LacRunFile *run);
gboolean lac_report_add_charts(LacDocument *document, const LacRunFile *run, GError **error);
void     lac_report_add_joint_curve(LacDocument *document, LacRunFile *const *runs, gsize n_runs);

/* profile.c: findings; bars of phases and operations with a flame graph; the roofline; iterations and the timeline. */
/* Returns: (transfer full) (nullable): see lac_answer_time(). */
char *lac_report_dup_time_answer(const LacRunFile *run);
void  lac_report_add_findings(LacDocument *document, const LacRunFile *run);
void  lac_report_add_shares(LacDocument *document, const LacSummary *summary);
void  lac_report_add_roofline(LacDocument *document, const LacCapture *capture);
void  lac_report_add_timeline(LacDocument *document, LacCapture *capture);

G_END_DECLS
