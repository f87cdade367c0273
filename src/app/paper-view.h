/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sheet as it will be printed, between rulers in millimetres. White in every style: it is paper. */
#pragma once

#include "app/drawing-view.h"
#include "report/canvas/canvas.h"

G_BEGIN_DECLS

#define LAC_TYPE_PAPER_VIEW (lac_paper_view_get_type())
G_DECLARE_FINAL_TYPE(LacPaperView, lac_paper_view, LAC, PAPER_VIEW, LacDrawingView)

/* @drawing: (nullable): borrowed from @owner, which @free_owner gives back when it is no longer shown
 * @width, @height: points */
void lac_paper_view_show(LacPaperView     *view,
                         const LacDrawing *drawing,
                         double            width,
                         double            height,
                         gpointer          owner,
                         GDestroyNotify    free_owner);

G_END_DECLS
