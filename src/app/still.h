/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of the program that do not change, kept as surfaces of Cairo. Where there is no OpenGL the toolkit converts the pixels of a texture at
 * every drawing, of those out of sight too; a surface is painted as it is, and only where it is seen. */
#pragma once

#include "report/canvas/canvas.h"

#include <gdk/gdk.h>

G_BEGIN_DECLS

#define LAC_TYPE_STILL (lac_still_get_type())
G_DECLARE_FINAL_TYPE(LacStill, lac_still, LAC, STILL, GObject)

/* @path: of a resource; @reduction times smaller, each pixel the mean of a square, with @behind where it is transparent.
 * Returns: (transfer full): a paintable */
GdkPaintable *lac_still_new(const char *path, guint reduction, LacColour behind);

G_END_DECLS
