/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regions of the domain where sensors are forbidden or cost something, as discs in order of drawing: where discs
 * overlap, the last one counts, so that a disc without cost erases. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_REGIONS_MOST      4096
#define LAC_REGIONS_MOST_COST 1000 /* % */

typedef struct {
  double x, y, radius; /* in the scene's unit of length; y = 0 in one dimension */
  double
    cost; /* INFINITY: no sensor is allowed; otherwise in % of the gain of the best first sensor; 0: none */
} LacRegion;

/**
 * lac_regions_parse:
 * @text: "x y radius cost; ...", in one dimension "x radius cost; ..."; cost: a number, or `never`
 * @n: (out): number of regions
 *
 * Returns: (transfer full): [n]; or %NULL with %LAC_ERROR_OUT_OF_RANGE naming the unreadable region.
 */
LacRegion *lac_regions_parse(const char *text, guint n_axes, gsize *n, GError **error);

/* Returns: (transfer full): in the syntax of lac_regions_parse(), numbers rounded to a ten-thousandth of @span, a size
 * of the domain. */
char *lac_regions_dup_text(const LacRegion *regions, gsize n, guint n_axes, double span);

/* Returns the cost at a position: of the last region that contains it; 0 outside all. @period: along each axis; 0: not
 * periodic */
double
lac_regions_get_cost(const LacRegion *regions, gsize n, const double at[2], const double period[2]);

/* Removes regions that have no effect: those within a later one, and those without cost that erase nothing. Returns
 * their number. */
gsize lac_regions_simplify(LacRegion *regions, gsize n);

G_END_DECLS
