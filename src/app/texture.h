/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures that cost little to draw where there is no OpenGL. There the toolkit converts the pixels of a texture at every drawing, of those out
 * of sight too. */
#pragma once

#include "report/canvas/canvas.h"

#include <gdk/gdk.h>

G_BEGIN_DECLS

/* ---- textures without transparency: of three bytes a pixel the toolkit converts them quickly ---- */

/* GTK converts textures of four bytes with transparency slowly, pixel by pixel even from Cairo's own format.
 * @rgba: (transfer full): [height][width][4], of which the fourth does not count */
GdkTexture *lac_texture_new_opaque(guint8 *rgba, gsize width, gsize height);

/* ---- pictures of the program that do not change, kept as surfaces of Cairo: painted as they are, and only where they are seen ---- */

#define LAC_TYPE_STILL (lac_still_get_type())
G_DECLARE_FINAL_TYPE(LacStill, lac_still, LAC, STILL, GObject)

/* @path: of a resource; @reduction times smaller, each pixel the mean of a square, with @behind where it is transparent.
 * Returns: (transfer full): a paintable */
GdkPaintable *lac_still_new(const char *path, guint reduction, LacColour behind);

G_END_DECLS
