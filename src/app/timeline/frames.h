/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thumbnails of saved frames along the timeline if there is room; a click shows the frame. Drawn in a thread; cached
 * up to a limit. */
#pragma once

#include "app/timeline/scope.h"
#include "app/toolkit/drawing-view.h"

G_BEGIN_DECLS

#define LAC_TYPE_TIMELINE_FRAMES (lac_timeline_frames_get_type())
G_DECLARE_FINAL_TYPE(LacTimelineFrames, lac_timeline_frames, LAC, TIMELINE_FRAMES, LacDrawingView)

/* @lanes: the thumbnails take their height from this overlay; they are hidden unless enough remains for the lanes. */
GtkWidget *lac_timeline_frames_new(LacTimelineScope *scope, GtkOverlay *lanes);

G_END_DECLS
