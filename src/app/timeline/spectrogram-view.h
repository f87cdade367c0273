/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The error by wavenumber over the time axis of the timeline: one column per saved frame, computed in a thread once
 * visible. A click shows the fields of a column. */
#pragma once

#include "app/timeline/scope.h"
#include "app/toolkit/drawing-view.h"

G_BEGIN_DECLS

#define LAC_TYPE_SPECTROGRAM_VIEW (lac_spectrogram_view_get_type())
G_DECLARE_FINAL_TYPE(LacSpectrogramView,
                     lac_spectrogram_view,
                     LAC,
                     SPECTROGRAM_VIEW,
                     LacDrawingView)

void lac_spectrogram_view_set_scope(LacSpectrogramView *view, LacTimelineScope *scope);

G_END_DECLS
