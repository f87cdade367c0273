/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram and quantiles of values. Every value is counted exactly once. */
#pragma once

#include "field/transfer.h"

G_BEGIN_DECLS

typedef struct {
  LacWarp  warp;   /* bins are of equal width under this transfer function */
  gsize    n_bins; /* the last bin includes the upper end */
  guint64 *counts; /* [n_bins] */
  guint64  n_below, n_above, n_not_finite, n;
} LacDistribution;

/* Returns: (transfer full): an empty distribution. */
LacDistribution *lac_distribution_new(const LacWarp *warp, gsize n_bins);
void             lac_distribution_free(LacDistribution *counted);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDistribution, lac_distribution_free)

/* Counts @values. @minus: (nullable): subtracted elementwise first */
void lac_distribution_add(LacDistribution *counted,
                          const float     *values,
                          const float     *minus,
                          gsize            n_values);
guint64
lac_distribution_get_most(const LacDistribution *counted); /* the largest count of any bin */

/**
 * lac_quantiles:
 * @minus: (nullable): subtracted elementwise
 * @shares: [n_shares], each 0...1
 * @found: [n_shares]: quantiles of the finite values, with linear interpolation
 *
 * Returns: FALSE, with @found untouched, if no value is finite.
 */
gboolean lac_quantiles(const float  *values,
                       const float  *minus,
                       gsize         n_values,
                       const double *shares,
                       gsize         n_shares,
                       double       *found);

G_END_DECLS
