/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawing of a Siemens star. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the radius of the star in pixels. */
double lac_siemens_star_get_rim(gsize side);

/* Draws @n_spokes bright sectors and as many dark ones, black beyond the rim. @intensity: (out): [side][side] */
void lac_siemens_star_draw(gsize side, guint n_spokes, double *intensity);

G_END_DECLS
