/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs and colour maps on the graphics card, for both of its languages. All calls need a current context. */
#pragma once

#include "report/canvas/colour-map.h"
#include "report/canvas/vision.h"

#include <epoxy/gl.h>
#include <glib.h>

G_BEGIN_DECLS

/* A triangle over the whole viewport (field.vert) through @fragment. @es: the context speaks OpenGL ES; @names: [n_uniforms], whose
 * places come in @uniforms. Returns: 0 with %LAC_ERROR_DEVICE and what the driver says. */
GLuint lac_gl_program_new(const char        *fragment,
                          gboolean           es,
                          const char *const *names,
                          gsize              n_uniforms,
                          GLint             *uniforms,
                          GError           **error);

/* Texture of all colour maps: one row a map and vision, two-dimensional because OpenGL ES has no other. */
GLuint lac_gl_colour_maps_new(void);
/* The row of a map in it. */
int lac_gl_colour_map_row(const LacColourMap *map, LacVision vision);

/* The bound 2-D texture shows its cells as they are, and those at the edges beyond them. */
void lac_gl_set_nearest(void);

void lac_gl_bind(GLuint unit, GLint uniform, GLenum target, GLuint texture);

G_END_DECLS
