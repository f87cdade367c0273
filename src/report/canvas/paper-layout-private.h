/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A drawing as a file of one page: PDF, EPS, SVG or PNG by its ending. */
#pragma once

#include "report/canvas/canvas.h"
#include "report/canvas/paper-private.h"

G_BEGIN_DECLS

typedef struct {
  double        width, height; /* points */
  double        dpi;           /* of a PNG */
  LacPaperFacts facts;
  gboolean      is_clear; /* without a white ground */
} LacPaperLayout;

/* The same drawing and sheet make the same bytes, wherever and whenever they are written.
 * Returns: FALSE with %LAC_ERROR_USAGE, %LAC_ERROR_UNWRITABLE, %LAC_ERROR_DISK_FULL or %LAC_ERROR_FAILED (too large) set. */
gboolean lac_paper_layout_write(const LacDrawing     *drawing,
                                const LacPaperLayout *sheet,
                                const char           *path,
                                GError              **error);

G_END_DECLS
