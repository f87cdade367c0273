/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parser for user-defined positions. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_PLACES_MOST 4096

/**
 * lac_positions_parse:
 * @text: "x y; x y; ...", numbers with a decimal point; in one dimension "x; x; ..."
 * @n_axes: of space, 1 or 2
 * @n: (out): number of positions
 *
 * Returns: (transfer full): [n][2], y = 0 in one dimension; or %NULL with %LAC_ERROR_OUT_OF_RANGE naming the
 * unreadable position and what is expected.
 */
double *lac_positions_parse(const char *text, guint n_axes, gsize *n, GError **error);

G_END_DECLS
