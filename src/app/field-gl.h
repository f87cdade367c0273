/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a scene with OpenGL: float textures, the colour map and the error in the shader. All calls need the
 * context they were made with to be current; main thread only. */
#pragma once

#include "app/field-scene.h"
#include "report/canvas/canvas.h"

G_BEGIN_DECLS

typedef struct _LacFieldGl LacFieldGl;

/* @es: the context speaks OpenGL ES. Returns: NULL with %LAC_ERROR_DEVICE and what the driver says. */
LacFieldGl *lac_field_gl_new(gboolean es, GError **error);
void        lac_field_gl_free(LacFieldGl *gl);

/* A texture of a pane: noise smeared along its flow. */
typedef struct {
  guint64 id; /* another one: other data */
  gsize   nx, ny;
  float  *data; /* [ny][nx] 0...1, row 0 at the bottom; NULL: none */
} LacSmear;

typedef struct {
  const LacPaneLayout *layout; /* logical pixels, within an area of @height */
  LacCamera            camera;
  double               height;
  int                  scale; /* device pixels a logical one */
  LacColour            backdrop;
  const LacSmear      *smears; /* (nullable): one a pane */
} LacFieldView2d;

/* Uploads what is shown, once a frame. */
void lac_field_gl_draw(LacFieldGl *gl, const LacFieldScene *scene, const LacFieldView2d *view);
/* Nanoseconds of the last drawing that went into uploads. */
gint64 lac_field_gl_get_upload_ns(const LacFieldGl *gl);

G_END_DECLS
