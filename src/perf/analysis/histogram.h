/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram of durations for quantiles: 32 classes per power of two, so that a quantile is exact within 1.6 %. Costs
 * 8 bytes per class between the smallest and the largest duration. One thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint64 *counts; /* [n]: counts of classes first ... first + n - 1; zero-initialise the struct */
  guint    first, n;
  guint64  total;
} LacHistogram;

void lac_histogram_clear(LacHistogram *histogram);
void lac_histogram_add(LacHistogram *histogram, gint64 ns, guint64 count);

/* @share: 0...1. Returns: the quantile at @share, the middle of its class; NaN for an empty histogram. */
double lac_histogram_get_quantile(const LacHistogram *histogram, double share);

G_END_DECLS
