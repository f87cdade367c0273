/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small pictures of kept frames along the timeline, where it has the room; a click on one shows its frame. They are drawn on a
 * thread and kept up to a bound. */
#pragma once

#include "app/drawing-view.h"
#include "app/timeline-scope.h"

G_BEGIN_DECLS

#define LAC_TYPE_TIMELINE_FRAMES (lac_timeline_frames_get_type())
G_DECLARE_FINAL_TYPE(LacTimelineFrames, lac_timeline_frames, LAC, TIMELINE_FRAMES, LacDrawingView)

/* @lanes: an overlay that gives of its height what the pictures take, and keeps enough: else there are none. */
GtkWidget *lac_timeline_frames_new(LacTimelineScope *scope, GtkOverlay *lanes);

G_END_DECLS
