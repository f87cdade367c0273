/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Textures that are cheap to draw without OpenGL; without it, GTK converts the pixels of a texture at each drawing,
 * even when the texture is out of sight. */
#pragma once

#include "report/canvas/canvas.h"

#include <gdk/gdk.h>

G_BEGIN_DECLS

/* ---- textures without transparency: GTK converts three bytes per pixel quickly ---- */

/* GTK converts four-byte textures with an alpha channel slowly, pixel by pixel, even from Cairo's own format.
 * @rgba: (transfer full): [height][width][4], the fourth byte is ignored */
GdkTexture *lac_texture_new_opaque(guint8 *rgba, gsize width, gsize height);

/* ---- static pictures as Cairo surfaces: painted without conversion, and only where visible ---- */

#define LAC_TYPE_STILL (lac_still_get_type())
G_DECLARE_FINAL_TYPE(LacStill, lac_still, LAC, STILL, GObject)

/* @path: path of a PNG resource, which a thread decodes; the first drawing waits for it. The picture is scaled down by @reduction, each pixel the mean of a square, and
 * blended with @behind where transparent.
 * Returns: (transfer full): a paintable */
GdkPaintable *lac_still_new(const char *path, guint reduction, LacColour behind);

G_END_DECLS
