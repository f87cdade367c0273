/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file to draw into: PDF, EPS or PNG by file extension; written to a temporary file and renamed when complete. */
#pragma once

#include <cairo.h>
#include <glib.h>

G_BEGIN_DECLS

#define LAC_POINTS_PER_MM (72.0 / 25.4)

typedef struct _LacPaper LacPaper;

/* @width, @height: points. @dpi: PNG only. Returns: %NULL with %LAC_ERROR_USAGE or %LAC_ERROR_UNWRITABLE set. */
LacPaper *lac_paper_open(const char *path, double width, double height, double dpi, GError **error);
/* Page size and resolution of a paper file. @is_clear: transparent background. */
typedef struct {
  double   width, height, dpi;
  gboolean is_clear;
} LacPaperPage;
LacPaper *lac_paper_open_page(const char *path, const LacPaperPage *sheet, GError **error);
void      lac_paper_free(LacPaper *paper); /* removes an unfinished file */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPaper, lac_paper_free)

cairo_t *lac_paper_get_cairo(LacPaper *paper);
/* Metadata of a file. Each member may be NULL. */
typedef struct {
  const char *title, *subject, *keywords;
  const char
    *created;         /* ISO 8601; NULL: a PDF stores the time of writing and is not reproducible */
  const char *source; /* JSON figure description that reproduces the file; not in PDF */
} LacPaperFacts;
void lac_paper_describe(LacPaper *paper, const LacPaperFacts *facts);
void lac_paper_outline(LacPaper *paper, const char *heading, int page, gboolean is_top);
void lac_paper_next_page(LacPaper *paper);
/* Returns: FALSE with %LAC_ERROR_UNWRITABLE or %LAC_ERROR_DISK_FULL set and no file left. */
gboolean lac_paper_finish(LacPaper *paper, GError **error);

/* Writes a text file atomically, like a paper file. */
gboolean lac_text_write(const char *path, const char *text, GError **error);

G_END_DECLS
