/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Velocity overlay of the panes: arrows, streamlines and line integral convolution (LIC). Arrows and streamlines are
 * computed once per frame. The LIC texture is computed in a worker thread when no new frame has arrived for a while,
 * and is shown only with its own frame. */
#pragma once

#include "app/field/gl.h"
#include "report/canvas/canvas.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _LacFieldFlow LacFieldFlow;

/* @changed: called when the LIC texture is ready */
LacFieldFlow *lac_field_flow_new(void (*changed)(gpointer user_data), gpointer user_data);
void          lac_field_flow_free(LacFieldFlow *flow);

/* Call when the frame, the panes or the overlays of @scene have changed. */
void lac_field_flow_follow(LacFieldFlow *flow, const LacFieldScene *scene);

/* Returns: the LIC textures, one per pane of the scene; NULL if there are none for this frame. */
const LacSmear *lac_field_flow_get_smears(const LacFieldFlow *flow, const LacFieldScene *scene);

/* Returns: TRUE if the first pane of the scene has a velocity. */
gboolean lac_field_flow_is_there(const LacFieldScene *scene);

typedef struct {
  const LacFieldScene *scene;
  const LacPaneLayout *layout;
  const LacCamera     *camera;
} LacPaneView;
void
lac_field_flow_draw(LacFieldFlow *flow, LacDrawing *drawing, const LacPaneView *view, guint pane);

G_END_DECLS
