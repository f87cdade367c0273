/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The spectra of the quantity and frame that a field view shows. Computed only while visible. */
#pragma once

#include "app/field/view.h"
#include "app/session/session.h"
#include "app/toolkit/drawing-view.h"

G_BEGIN_DECLS

#define LAC_TYPE_SPECTRUM_VIEW (lac_spectrum_view_get_type())
G_DECLARE_FINAL_TYPE(LacSpectrumView, lac_spectrum_view, LAC, SPECTRUM_VIEW, LacDrawingView)

void lac_spectrum_view_set_session(LacSpectrumView *view, LacSession *session); /* (nullable) */

/* Call once. */
void lac_spectrum_view_attach(LacSpectrumView *view, LacFieldView *field);

/* Source 0 is the true field. Returns: (nullable): the label of a source, NULL beyond the last one. */
const char *lac_spectrum_view_get_source(LacSpectrumView *view, guint source);
void        lac_spectrum_view_set_shown(LacSpectrumView *view, guint source, gboolean shown);

G_END_DECLS
