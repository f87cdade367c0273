/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ratio of two medians of durations, with an interval that allows for correlation between neighbouring samples.
 * Source: Künsch (1989), The jackknife and the bootstrap for general stationary observations,
 * doi:10.1214/aos/1176347265. */
#pragma once

#include "perf/analysis/ratio.h"

G_BEGIN_DECLS

#define LAC_MEDIAN_RATIO_LEAST 8 /* minimum samples per set for an interval */

/* Returns the ratio of the medians, @after to @before, with a 95 % interval from a block bootstrap:
 * %LAC_MEDIAN_RATIO_DRAWS resamples, blocks of about the cube root of the number of samples. Samples are positive and
 * in the order of measurement; beyond %LAC_RATIO_MOST they are subsampled evenly. Deterministic. Returns: NaN for an
 * empty set; the interval [0, infinity] around the estimate when a set is too small. */
#define LAC_MEDIAN_RATIO_DRAWS 999
LacRatio
lac_ratio_of_medians(const double *before, gsize n_before, const double *after, gsize n_after);

G_END_DECLS
