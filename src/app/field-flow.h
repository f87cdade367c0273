/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The velocity over the panes: arrows, streamlines and line integral convolution (smeared noise). Computed once a
 * frame; the noise in a worker thread after a pause without new frames, and shown only with its own frame. */
#pragma once

#include "app/field-gl.h"
#include "report/canvas/canvas.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _LacFieldFlow LacFieldFlow;

/* @changed: called when the noise is ready */
LacFieldFlow *lac_field_flow_new(void (*changed)(gpointer user_data), gpointer user_data);
void          lac_field_flow_free(LacFieldFlow *flow);

/* Call when @scene has another frame, other panes or overlays. */
void lac_field_flow_follow(LacFieldFlow *flow, const LacFieldScene *scene);

/* Returns: [panes of the scene]; NULL if there is none for this frame. */
const LacSmear *lac_field_flow_get_smears(const LacFieldFlow *flow, const LacFieldScene *scene);

/* Returns: TRUE if a pane of the scene has a velocity. */
gboolean lac_field_flow_is_there(const LacFieldScene *scene);

typedef struct {
  const LacFieldScene *scene;
  const LacPaneLayout *layout;
  const LacCamera     *camera;
} LacPaneView;
void
lac_field_flow_draw(LacFieldFlow *flow, LacDrawing *drawing, const LacPaneView *view, guint pane);

G_END_DECLS
