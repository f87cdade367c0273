/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ratios of samples: exact without noise, covered by their intervals with it. */
#include "base/rng.h"
#include "perf/analysis/ratio.h"

#include <glib.h>

#include <math.h>

#define N_TRIALS 400

static void
test_median(void)
{
  const double samples[] = {5, 1, 4, 2};

  g_assert_cmpfloat(lac_median(samples, 4), ==, 3);
  g_assert_cmpfloat(lac_median(samples, 3), ==, 4);
  g_assert_cmpfloat(lac_median_deviation(samples, 4), ==, 1.5); /* of 2, 2, 1, 1 */
  g_assert_true(isnan(lac_median(samples, 0)));
}

static int
compare(gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* Repeated values, few, ascending, descending: bitwise equal to the median of a sorted list. */
static void
test_median_is_the_middle_of_the_sorted(void)
{
  for (int i = 0; i < 500; i++) {
    const gsize        n = (gsize) g_test_rand_int_range(1, 200);
    const int          different = g_test_rand_int_range(1, 300);
    g_autofree double *samples = g_new(double, n), *sorted = NULL;
    for (gsize k = 0; k < n; k++)
      samples[k] = i % 3 == 0   ? g_test_rand_int_range(0, different)
                   : i % 3 == 1 ? (double) k
                                : -(double) k;
    sorted = g_memdup2(samples, n * sizeof *samples);
    qsort(sorted, n, sizeof *sorted, compare);
    g_assert_cmpfloat(lac_median(samples, n), ==,
                      n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2);
  }
}

/* after = 1.5 before, sample by sample: the estimate may differ only by the rounding of logarithm and exponential. */
static void
test_without_noise(void)
{
  const double before[] = {1, 1, 1, 1, 1, 1}, after[] = {1.5, 1.5, 1.5, 1.5, 1.5, 1.5};
  LacRatio     sets = lac_ratio_of_sets(before, 6, after, 6);
  LacRatio     pairs = lac_ratio_of_pairs(before, after, 6);

  for (LacRatio *ratio = &sets; ratio; ratio = ratio == &sets ? &pairs : NULL) {
    g_assert_cmpfloat_with_epsilon(ratio->estimate, 1.5, 1e-14);
    g_assert_cmpfloat_with_epsilon(ratio->low, 1.5, 1e-14);
    g_assert_cmpfloat_with_epsilon(ratio->high, 1.5, 1e-14);
  }
}

/* For 2 x 2 samples no order statistic reaches 95 %. */
static void
test_too_few(void)
{
  const double samples[] = {1, 2};
  LacRatio     ratio = lac_ratio_of_sets(samples, 2, samples, 2);

  g_assert_cmpfloat(ratio.low, ==, 0);
  g_assert_true(isinf(ratio.high));
  g_assert_cmpint(lac_ratio_compare(ratio, 1.1), ==, LAC_VERDICT_UNCLEAR);
}

static void
test_no_ratio(void)
{
  const double sound[] = {1, 2, 3}, zero[] = {1, 0, 3}, nan[] = {1, NAN, 3};

  g_assert_true(isnan(lac_ratio_of_sets(sound, 3, zero, 3).estimate));
  g_assert_true(isnan(lac_ratio_of_sets(nan, 3, sound, 3).estimate));
  g_assert_true(isnan(lac_ratio_of_pairs(sound, nan, 3).estimate));
  g_assert_true(isnan(lac_ratio_of_sets(sound, 0, sound, 3).estimate));
}

/* The interval covers the true ratio in 95 % of the trials; for 400 trials the count has a standard deviation of 4.4:
 * the limit is four below. */
static void
test_coverage(void)
{
  LacRng rng = lac_rng(1, 2);
  int    n_sets = 0, n_pairs = 0;

  for (int trial = 0; trial < N_TRIALS; trial++) {
    double   before[12], after[12];
    LacRatio sets, pairs;

    for (int i = 0; i < 12; i++) {
      const double drift = exp(0.2 * lac_rng_normal(&rng)); /* common to a pair */

      before[i] = drift * exp(0.05 * lac_rng_normal(&rng));
      after[i] = 1.3 * drift * exp(0.05 * lac_rng_normal(&rng));
    }
    sets = lac_ratio_of_sets(before, 12, after, 12);
    pairs = lac_ratio_of_pairs(before, after, 12);
    n_sets += sets.low <= 1.3 && 1.3 <= sets.high;
    n_pairs += pairs.low <= 1.3 && 1.3 <= pairs.high;
    g_assert_true(sets.low <= sets.estimate && sets.estimate <= sets.high);
  }
  g_assert_cmpint(n_sets, >=, (int) (0.95 * N_TRIALS - 18));
  g_assert_cmpint(n_pairs, >=, (int) (0.95 * N_TRIALS - 18));
}

static void
test_judgement(void)
{
  g_assert_cmpint(lac_ratio_compare((LacRatio){1.0, 0.9, 1.05}, 1.1), ==, LAC_VERDICT_KEPT);
  g_assert_cmpint(lac_ratio_compare((LacRatio){1.0, 0.9, 1.2}, 1.1), ==, LAC_VERDICT_UNCLEAR);
  g_assert_cmpint(lac_ratio_compare((LacRatio){1.15, 0.9, 1.3}, 1.1), ==, LAC_VERDICT_UNCLEAR);
  g_assert_cmpint(lac_ratio_compare((LacRatio){1.15, 1.02, 1.3}, 1.1), ==, LAC_VERDICT_BROKEN);
  g_assert_cmpint(lac_ratio_compare((LacRatio){1.2, 1.12, 1.3}, 1.1), ==, LAC_VERDICT_BROKEN);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/ratio/median-and-deviation", test_median);
  g_test_add_func("/perf/ratio/median-is-the-middle-of-the-sorted",
                  test_median_is_the_middle_of_the_sorted);
  g_test_add_func("/perf/ratio/without-noise-is-exact", test_without_noise);
  g_test_add_func("/perf/ratio/of-too-few-samples-nothing-is-said", test_too_few);
  g_test_add_func("/perf/ratio/samples-without-a-logarithm-have-none", test_no_ratio);
  g_test_add_func("/perf/ratio/intervals-cover-the-truth-in-95-percent", test_coverage);
  g_test_add_func("/perf/ratio/judgement-needs-confidence", test_judgement);
  return g_test_run();
}
