/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much longer the middle one of many durations has become, with an interval that does not take neighbours for independent.
 * Source: Künsch (1989), The jackknife and the bootstrap for general stationary observations, doi:10.1214/aos/1176347265. */
#pragma once

#include "perf/analysis/ratio.h"

G_BEGIN_DECLS

#define LAC_MEDIAN_RATIO_LEAST 8 /* samples of a set for an interval */

/* The median of @after over that of @before. The interval, of 95 %, is that of %LAC_MEDIAN_RATIO_DRAWS resamples in blocks of
 * neighbours, about the cube root of the samples long: samples stand in the order they were taken, and are positive; of more
 * than %LAC_RATIO_MOST so many at even distances. The same samples have the same interval. Returns: NaN where a set is empty; [0, infinity] around the estimate where one is too small. */
#define LAC_MEDIAN_RATIO_DRAWS 999
LacRatio
lac_ratio_of_medians(const double *before, gsize n_before, const double *after, gsize n_after);

G_END_DECLS
