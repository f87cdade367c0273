/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Images of a drawing list, for vector files. */
#pragma once

#include "report/canvas/canvas.h"

G_BEGIN_DECLS

/* Returns how many times each cell is repeated in both directions: viewers of PDF and SVG smooth images that they
 * enlarge. */
guint lac_image_get_repeat(const LacDrawItem *item);

/* Returns: (transfer full): the cells unchanged, each repeated @repeat times in both directions. */
cairo_surface_t *lac_image_make_surface(const LacDrawItem *item, guint repeat);

G_END_DECLS
