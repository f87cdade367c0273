/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles of the displayed fields along a line drawn across them: solid for the true field and the methods, dashed
 * for their errors. */
#pragma once

#include "app/field/view.h"
#include "app/toolkit/drawing-view.h"

G_BEGIN_DECLS

#define LAC_TYPE_SECTION_VIEW (lac_section_view_get_type())
G_DECLARE_FINAL_TYPE(LacSectionView, lac_section_view, LAC, SECTION_VIEW, LacDrawingView)

void lac_section_view_attach(LacSectionView *view, LacFieldView *field);

/* Source 0 is the true field. Returns: (nullable): the label of a source, NULL beyond the last. */
const char *lac_section_view_get_source(LacSectionView *view, guint source);
void        lac_section_view_set_shown(LacSectionView *view, guint source, gboolean shown);

G_END_DECLS
