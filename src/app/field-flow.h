/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The velocity over the panes: arrows, streamlines, and noise smeared along it. Each is made once a frame; the noise by a thread of its
 * own once no new frame has come for a moment, and shown with its own frame alone. */
#pragma once

#include "app/field-gl.h"
#include "report/canvas/canvas.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _LacFieldFlow LacFieldFlow;

/* @changed: called when the noise has come */
LacFieldFlow *lac_field_flow_new(void (*changed)(gpointer user_data), gpointer user_data);
void          lac_field_flow_free(LacFieldFlow *flow);

/* After another frame, other panes or overlays of @scene. */
void lac_field_flow_follow(LacFieldFlow *flow, const LacFieldScene *scene);

/* [panes of the scene]; NULL where there is none of this frame. */
const LacSmear *lac_field_flow_get_smears(const LacFieldFlow *flow, const LacFieldScene *scene);

/* Whether a pane of the scene has a velocity. */
gboolean lac_field_flow_is_there(const LacFieldScene *scene);

typedef struct {
  const LacFieldScene *scene;
  const LacPaneLayout *layout;
  const LacCamera     *camera;
} LacPaneView;
void
lac_field_flow_draw(LacFieldFlow *flow, LacDrawing *drawing, const LacPaneView *view, guint pane);

G_END_DECLS
