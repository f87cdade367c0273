/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much larger measurements have become: a ratio with its interval, free of assumptions on how they scatter, and what it
 * says about a limit. Sources: Hodges and Lehmann (1963), doi:10.1214/aoms/1177704172; Hollander, Wolfe, Chicken (2014),
 * Nonparametric Statistical Methods, sections 3.2, 3.3, 4.2 and 4.3. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_RATIO_MOST 512 /* samples of a set; of more, so many at even distances */

/* With a confidence of 95 %; [0, infinity] where the samples are too few to say. */
typedef struct {
  double estimate, low, high;
} LacRatio;

/* The shift of the logarithms, of all pairs of one sample before and one after; the interval is Mann and Whitney's. Samples
 * are positive. Returns: NaN where a set is empty or has a sample that is not. */
LacRatio
lac_ratio_of_sets(const double *before, gsize n_before, const double *after, gsize n_after);

/* The same of @n pairs that were measured together: after[i] / before[i]; the interval is Wilcoxon's. */
LacRatio lac_ratio_of_pairs(const double *before, const double *after, gsize n);

typedef enum {
  LAC_VERDICT_KEPT,    /* with confidence not above the limit */
  LAC_VERDICT_UNCLEAR, /* more measurements would tell */
  LAC_VERDICT_BROKEN, /* with confidence above the limit, or above by estimate and with confidence above 1 */
} LacVerdict;

/* @limit: what the ratio may be: 1.1 */
LacVerdict lac_ratio_compare(LacRatio ratio, double limit);

/* The middle and the spread of samples; the spread is the median distance from the median. Returns: NaN of none. */
double lac_median(const double *samples, gsize n);
double lac_median_deviation(const double *samples, gsize n);

G_END_DECLS
