/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a scene with OpenGL from float textures; the shader applies the colour map and computes the error. All calls
 * need the GL context that was current at creation; main thread only. */
#pragma once

#include "app/field/scene.h"
#include "report/canvas/canvas.h"

G_BEGIN_DECLS

typedef struct _LacFieldGl LacFieldGl;

/* @es: the context is OpenGL ES. Returns: NULL with %LAC_ERROR_DEVICE and the driver's log. */
LacFieldGl *lac_field_gl_new(gboolean es, GError **error);
void        lac_field_gl_free(LacFieldGl *gl);

/* LIC texture of a pane: noise smeared along its flow. */
typedef struct {
  guint64 id; /* changes with the data */
  gsize   nx, ny;
  float  *data; /* [ny][nx] 0...1, row 0 at the bottom; NULL: none */
} LacSmear;

typedef struct {
  const LacPaneLayout *layout; /* logical pixels, within an area of @height */
  LacCamera            camera;
  double               height;
  int                  scale; /* device pixels per logical pixel */
  LacColour            backdrop;
  const LacSmear      *smears; /* (nullable): one per pane */
} LacFieldView2d;

/* Sets a smaller limit of textures than the driver's, for tests; before the first drawing. */
void lac_field_gl_set_limit(LacFieldGl *gl, int limit);

/* Draws the scene. The planes shown are uploaded once per frame. */
void lac_field_gl_draw(LacFieldGl *gl, const LacFieldScene *scene, const LacFieldView2d *view);
/* Returns: nanoseconds that the last drawing spent on uploads. */
gint64 lac_field_gl_get_upload_ns(const LacFieldGl *gl);

G_END_DECLS
