/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often values occur, and which value lies above so many of them. Every value is counted, once. */
#pragma once

#include "field/transfer.h"

G_BEGIN_DECLS

typedef struct {
  LacWarp  warp;   /* bins are equal pieces of its places */
  gsize    n_bins; /* the last one has the high end too */
  guint64 *counts; /* [n_bins] */
  guint64  n_below, n_above, n_not_finite, n;
} LacDistribution;

/* Returns: (transfer full): an empty one. */
LacDistribution *lac_distribution_new(const LacWarp *warp, gsize n_bins);
void             lac_distribution_free(LacDistribution *counted);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDistribution, lac_distribution_free)

/* @minus: (nullable): subtracted value by value */
void    lac_distribution_add(LacDistribution *counted,
                             const float     *values,
                             const float     *minus,
                             gsize            n_values);
guint64 lac_distribution_get_most(const LacDistribution *counted); /* in a bin */

/**
 * lac_quantiles:
 * @minus: (nullable): subtracted value by value
 * @shares: [n_shares], each 0...1
 * @found: [n_shares]: the values below which so many of the finite ones lie, linear between neighbours
 *
 * Returns: FALSE, with @found untouched, where no value is finite.
 */
gboolean lac_quantiles(const float  *values,
                       const float  *minus,
                       gsize         n_values,
                       const double *shares,
                       gsize         n_shares,
                       double       *found);

G_END_DECLS
