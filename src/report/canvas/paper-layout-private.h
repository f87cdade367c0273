/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A drawing as a single-page file: PDF, EPS, SVG or PNG by file extension. */
#pragma once

#include "report/canvas/canvas.h"
#include "report/canvas/paper-private.h"

G_BEGIN_DECLS

typedef struct {
  double        width, height; /* points */
  double        dpi;           /* PNG only */
  LacPaperFacts facts;
  gboolean      is_clear; /* transparent background */
} LacPaperLayout;

/* Writes @drawing as one page. Output is reproducible: the same drawing and layout give the same bytes. Returns:
 * FALSE with %LAC_ERROR_USAGE, %LAC_ERROR_UNWRITABLE, %LAC_ERROR_DISK_FULL or %LAC_ERROR_FAILED (too large) set. */
gboolean lac_paper_layout_write(const LacDrawing     *drawing,
                                const LacPaperLayout *sheet,
                                const char           *path,
                                GError              **error);

G_END_DECLS
