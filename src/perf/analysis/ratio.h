/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ratio of two sets of measurements with a distribution-free confidence interval, and its comparison with a limit.
 * Sources: Hodges and Lehmann (1963), doi:10.1214/aoms/1177704172; Hollander, Wolfe, Chicken (2014), Nonparametric
 * Statistical Methods, sections 3.2, 3.3, 4.2 and 4.3. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_RATIO_MOST \
  512 /* maximum number of samples in a set; larger sets are subsampled evenly */

/* Ratio with its 95 % confidence interval, which is [0, infinity] with too few samples. */
typedef struct {
  double estimate, low, high;
} LacRatio;

/* Estimates the ratio after / before from the Hodges-Lehmann shift of the logarithms over all pairs, with the
 * Mann-Whitney interval. Samples are positive. Returns: NaN for an empty set or a sample that is not positive. */
LacRatio
lac_ratio_of_sets(const double *before, gsize n_before, const double *after, gsize n_after);

/* Does the same for @n paired measurements after[i] / before[i], with the Wilcoxon interval. */
LacRatio lac_ratio_of_pairs(const double *before, const double *after, gsize n);

typedef enum {
  LAC_VERDICT_KEPT,    /* the whole confidence interval is at or below the limit */
  LAC_VERDICT_UNCLEAR, /* undecided: more measurements are needed */
  LAC_VERDICT_BROKEN, /* whole interval above the limit; or estimate above the limit and whole interval above 1 */
} LacVerdict;

/* Compares a ratio with a limit. @limit: largest acceptable ratio, such as 1.1 */
LacVerdict lac_ratio_compare(LacRatio ratio, double limit);

/* Return the median and the median absolute deviation of @samples; NaN if there are none. */
double lac_median(const double *samples, gsize n);
double lac_median_deviation(const double *samples, gsize n);

G_END_DECLS
