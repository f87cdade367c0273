/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages of a report: blocks stacked from top to bottom, with a header and a footer on each page. In points. */
#pragma once

#include "report/canvas/canvas.h"
#include "report/canvas/paper-private.h"

G_BEGIN_DECLS

#define LAC_PAGE_MARGIN 51.0
#define LAC_PAGE_TEXT   9.0 /* font size of running text */

typedef struct _LacPages LacPages;

/* @head: top of every page; @foot: bottom, beside the page number. @width, @height: of the paper */
LacPages *lac_pages_new(const char *head, const char *foot, double width, double height);
void      lac_pages_free(LacPages *pages);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPages, lac_pages_free)

double lac_pages_get_width(const LacPages *pages); /* between the margins */

/* Reserves @height on this page or, if it does not fit, on the next page. Returns: the page's drawing; @y: (out): top
 * of the space. */
LacDrawing *lac_pages_place(LacPages *pages, double height, double *y);
/* Starts a new page unless @height is left on this one. */
void lac_pages_need(LacPages *pages, double height);
void lac_pages_skip(LacPages *pages, double height);
void lac_pages_break(LacPages *pages);

/* @is_top: title of a run, else of a section; @follows: height of the text below it that must be on the same page. */
void lac_pages_heading(LacPages *pages, const char *text, gboolean is_top, double follows);
void lac_pages_paragraph(LacPages *pages, const LacParagraphStyle *style, const char *text);

typedef struct {
  const char *title;
  LacAlign    align;
  gboolean    flexible; /* truncated when the table is wider than the page */
} LacColumn;

typedef struct {
  const LacColumn *columns;
  LacColumn       *owned_columns; /* (nullable): columns, if owned by the table */
  gsize            n_columns;
  GPtrArray       *cells; /* of char *, in row-major order; owned */
  GArray          *kinds; /* of guint: the LacRowKind of each row */
} LacTable;
typedef enum { LAC_ROW_PLAIN, LAC_ROW_STRONG, LAC_ROW_GROUP } LacRowKind;

void lac_table_init(LacTable *table, const LacColumn *columns, gsize n_columns);
void lac_table_clear(LacTable *table);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacTable, lac_table_clear)
/* @cells: [n_columns], copied; a group row uses only the first. */
void lac_table_add(LacTable *table, LacRowKind kind, const char *const *cells);

/* Draws the table; a long one continues on the next page, where the column titles are repeated. */
void lac_pages_table(LacPages *pages, const LacTable *table);
/* Appends the table as plain text. */
void lac_table_print(const LacTable *table, GString *text);

/* Adds headers, footers and page numbers; called once, after the last block. Returns: (transfer full): array of
 * LacDrawing */
GPtrArray *lac_pages_finish(LacPages *pages);
gboolean   lac_pages_write(LacPages   *pages,
                           const char *path,
                           const char *title,
                           const char *keywords,
                           GError    **error);

G_END_DECLS
