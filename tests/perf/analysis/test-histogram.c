/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quantiles against sorted durations, over twelve decades. */
#include "perf/analysis/histogram.h"

#include <math.h>
#include <stdlib.h>

enum { N = 20000 };

static int
compare(const void *a, const void *b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;
  return (x > y) - (x < y);
}

static void
test_quantiles_are_within_a_sixtieth(void)
{
  g_autofree gint64 *sorted = g_new(gint64, N);
  LacHistogram       histogram = {0};
  for (gsize i = 0; i < N; i++) {
    sorted[i] = (gint64) pow(10, g_test_rand_double_range(0, 12));
    lac_histogram_add(&histogram, sorted[i], 1);
  }
  qsort(sorted, N, sizeof *sorted, compare);
  for (int percent = 0; percent <= 100; percent++) {
    gsize  rank = (gsize) MAX(ceil(0.01 * percent * N), 1);
    double exact = (double) sorted[rank - 1];
    double found = lac_histogram_get_quantile(&histogram, 0.01 * percent);
    g_assert_cmpfloat(fabs(found - exact), <=, exact / 60);
  }
  g_assert_cmpuint(histogram.total, ==, N);
  lac_histogram_clear(&histogram);
}

static void
test_counts_weigh(void)
{
  LacHistogram histogram = {0};
  lac_histogram_add(&histogram, 10, 98);
  lac_histogram_add(&histogram, 50, 2);
  g_assert_cmpfloat(lac_histogram_get_quantile(&histogram, 0.98), ==, 10);
  g_assert_cmpfloat(lac_histogram_get_quantile(&histogram, 0.99), ==, 50);
  lac_histogram_clear(&histogram);
}

/* Negative durations and the largest integer stay within the classes. */
static void
test_extremes_have_a_class(void)
{
  LacHistogram histogram = {0};
  g_assert_true(isnan(lac_histogram_get_quantile(&histogram, 0.5)));
  lac_histogram_add(&histogram, G_MAXINT64, 1);
  lac_histogram_add(&histogram, -5, 1);
  g_assert_cmpfloat(lac_histogram_get_quantile(&histogram, 0), ==, 0);
  g_assert_cmpfloat_with_epsilon(lac_histogram_get_quantile(&histogram, 1) / 0x1p63, 1, 1.0 / 60);
  lac_histogram_clear(&histogram);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/histogram/quantiles-are-within-a-sixtieth",
                  test_quantiles_are_within_a_sixtieth);
  g_test_add_func("/perf/histogram/counts-weigh", test_counts_weigh);
  g_test_add_func("/perf/histogram/extremes-have-a-class", test_extremes_have_a_class);
  return g_test_run();
}
