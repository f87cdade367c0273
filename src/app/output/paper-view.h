/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Print preview of a page between rulers in millimetres; white in light and dark style. */
#pragma once

#include "app/toolkit/drawing-view.h"
#include "report/canvas/canvas.h"

G_BEGIN_DECLS

#define LAC_TYPE_PAPER_VIEW (lac_paper_view_get_type())
G_DECLARE_FINAL_TYPE(LacPaperView, lac_paper_view, LAC, PAPER_VIEW, LacDrawingView)

/* @drawing: (nullable): borrowed from @owner, which is released with @free_owner when @drawing is no longer shown
 * @width, @height: points */
void lac_paper_view_show(LacPaperView     *view,
                         const LacDrawing *drawing,
                         double            width,
                         double            height,
                         gpointer          owner,
                         GDestroyNotify    free_owner);

G_END_DECLS
