/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One visible part of the timeline: the names, the ruler, the strip, the lanes, the tracks or an overlay. Each is a separate
 * widget, so that only changed parts are redrawn. */
#pragma once

#include "app/timeline/scope.h"
#include "app/toolkit/drawing-view.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The properties that define a part. */
typedef struct {
  guint redraws;                           /* mask of LacScopeChange */
  int (*measure)(LacTimelineScope *scope); /* minimum height in pixels */
  void (*draw)(LacTimelineScope *scope, LacDrawing *drawing, double width, double height);
  int (*prefer)(LacTimelineScope *scope); /* (nullable): natural height, if it is larger */
} LacTimelineLook;

extern const LacTimelineLook lac_timeline_names_look, lac_timeline_strip_look,
  lac_timeline_ruler_look, lac_timeline_lanes_look, lac_timeline_brush_look,
  lac_timeline_tracks_look, lac_timeline_overlay_look;

#define LAC_TIMELINE_RULER_HEIGHT \
  (int) (36 * lac_drawing_text_scale()) /* pixels; holds the times and the names of the marks */
#define LAC_TIMELINE_NAMES 92           /* width of the names beside the rows */

#define LAC_TYPE_TIMELINE_PART (lac_timeline_part_get_type())
G_DECLARE_FINAL_TYPE(LacTimelinePart, lac_timeline_part, LAC, TIMELINE_PART, LacDrawingView)

GtkWidget *lac_timeline_part_new(const LacTimelineLook *look, LacTimelineScope *scope);

/* Returns: the view of @scope in a part of this size. */
LacTimelineView lac_timeline_part_view(LacTimelineScope *scope, double width, double height);

G_END_DECLS
