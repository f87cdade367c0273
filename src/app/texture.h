/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Textures without transparency. Where there is no OpenGL the toolkit converts the pixels of a texture at every drawing: of three bytes it does that
 * quickly, of four with transparency slowly, and even those of Cairo's own format one by one. */
#pragma once

#include <gdk/gdk.h>

G_BEGIN_DECLS

/* @rgba: (transfer full): [height][width][4], of which the fourth does not count */
GdkTexture *lac_texture_new_opaque(guint8 *rgba, gsize width, gsize height);

G_END_DECLS
