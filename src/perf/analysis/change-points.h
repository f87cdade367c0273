/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Change points of a series of measurements: where its level shifts. A part of the series is divided at a position, or
 * around an arc that differs from both sides (circular binary segmentation, Olshen and Venkatraman 2004,
 * doi:10.1093/biostatistics/kxh008), while the Mann-Whitney test finds its two sets of values different. With
 * Bonferroni's correction over all positions, and over all arcs, a series without a shift has a change point with a
 * probability of at most 5 %. The test assumes no distribution, only that the values between two shifts are
 * exchangeable. The position is that with the least absolute deviations from the medians of both sides. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_CHANGE_LEVEL 0.05 /* probability of a change point in a series without a shift */

/* @values: [n], finite. @changes: [n], filled with the positions of the first values of new levels, ascending. Returns:
 * their number. */
gsize lac_change_points(const double *values, gsize n, gsize *changes);

G_END_DECLS
