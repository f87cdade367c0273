/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GL programs and colour map textures for OpenGL and OpenGL ES. All calls need a current context. */
#pragma once

#include "report/canvas/colour-map.h"
#include "report/canvas/vision.h"

#include <epoxy/gl.h>
#include <glib.h>

G_BEGIN_DECLS

/* Links a full-viewport triangle (field.vert) with @fragment. @es: the context is OpenGL ES; @names: [n_uniforms];
 * @uniforms: (out): [n_uniforms]: their locations. Returns: the program; 0 with %LAC_ERROR_DEVICE and the driver's
 * log. */
GLuint lac_gl_program_new(const char        *fragment,
                          gboolean           es,
                          const char *const *names,
                          gsize              n_uniforms,
                          GLint             *uniforms,
                          GError           **error);

/* Returns: a texture of all colour maps, one row per map and colour vision; 2D because OpenGL ES has no 1D textures. */
GLuint lac_gl_colour_maps_new(void);
/* Returns: the row of a colour map in this texture. */
int lac_gl_colour_map_row(const LacColourMap *map, LacVision vision);

/* Sets nearest filtering and edge clamping for the bound 2D texture. */
void lac_gl_set_nearest(void);

void lac_gl_bind(GLuint unit, GLint uniform, GLenum target, GLuint texture);

G_END_DECLS
