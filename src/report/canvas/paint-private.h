/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Images of a drawing list, as files of vectors take them. */
#pragma once

#include "report/canvas/canvas.h"

G_BEGIN_DECLS

/* How often each cell is repeated both ways: viewers of PDF and SVG smooth images that they have to enlarge. */
guint lac_image_get_repeat(const LacDrawItem *item);

/* Returns: (transfer full): the cells as they are, each repeated. */
cairo_surface_t *lac_image_make_surface(const LacDrawItem *item, guint repeat);

G_END_DECLS
