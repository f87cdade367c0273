/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Siemens star by its geometry. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Where its sectors end, pixels from the middle of the picture. */
double lac_siemens_star_get_rim(gsize side);

/* @intensity: (out): [side][side]: @n_spokes bright sectors of as many dark ones, black beyond the rim */
void lac_siemens_star_draw(gsize side, guint n_spokes, double *intensity);

G_END_DECLS
