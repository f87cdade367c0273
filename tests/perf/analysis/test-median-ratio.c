/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ratios of medians: exact without noise, covered by their intervals with it, although neighbours are correlated. */
#include "base/rng.h"
#include "perf/analysis/median-ratio.h"

#include <math.h>

#define N        150
#define N_TRIALS 24

static void
test_without_noise(void)
{
  double before[20], after[9];
  for (gsize i = 0; i < 20; i++)
    before[i] = 3;
  for (gsize i = 0; i < 9; i++)
    after[i] = 4.5;
  LacRatio ratio = lac_ratio_of_medians(before, 20, after, 9);
  g_assert_cmpfloat(ratio.estimate, ==, 1.5);
  g_assert_cmpfloat(ratio.low, ==, 1.5);
  g_assert_cmpfloat(ratio.high, ==, 1.5);
}

static void
test_no_ratio(void)
{
  double sound[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, zero[] = {1, 0}, nan[] = {1, NAN};
  g_assert_true(isnan(lac_ratio_of_medians(sound, 10, zero, 2).estimate));
  g_assert_true(isnan(lac_ratio_of_medians(nan, 2, sound, 10).estimate));
  g_assert_true(isnan(lac_ratio_of_medians(sound, 0, sound, 10).estimate));
  LacRatio few = lac_ratio_of_medians(sound, 10, sound, 7);
  g_assert_cmpfloat(few.estimate, ==, 4 / 5.5);
  g_assert_cmpfloat(few.low, ==, 0);
  g_assert_true(isinf(few.high));
}

/* Exponentials of a moving average of three normal numbers: neighbours are correlated. */
static void
fill(double *samples, double median, LacRng *rng)
{
  double last[3] = {lac_rng_normal(rng), lac_rng_normal(rng), 0};
  for (gsize i = 0; i < N; i++) {
    last[2] = lac_rng_normal(rng);
    samples[i] = median * exp(0.2 * (last[0] + last[1] + last[2]));
    last[0] = last[1];
    last[1] = last[2];
  }
}

/* If the interval covered only 88 %, 15 of 24 trials would miss with a probability of 1 in 3000. Wide intervals also
 * fail: the error of a median of N / 3 independent samples with a scatter of 0.35 is 6 %, so that an interval is a
 * third of the ratio wide. */
static void
test_coverage(void)
{
  double before[N], after[N];
  LacRng rng = lac_rng((guint64) g_test_rand_int(), 7);
  guint  n_covered = 0;
  for (guint i = 0; i < N_TRIALS; i++) {
    fill(before, 2, &rng);
    fill(after, 3, &rng);
    LacRatio ratio = lac_ratio_of_medians(before, N, after, N);
    g_assert_cmpfloat(ratio.low, <=, ratio.estimate);
    g_assert_cmpfloat(ratio.high, >=, ratio.estimate);
    n_covered += ratio.low <= 1.5 && ratio.high >= 1.5;
    g_assert_cmpfloat(ratio.high - ratio.low, <, 1.0);
  }
  g_assert_cmpuint(n_covered, >=, 15);
}

static void
test_again(void)
{
  double before[N], after[N];
  LacRng rng = lac_rng((guint64) g_test_rand_int(), 8);
  fill(before, 2, &rng);
  fill(after, 2, &rng);
  LacRatio first = lac_ratio_of_medians(before, N, after, N);
  LacRatio second = lac_ratio_of_medians(before, N, after, N);
  g_assert_cmpfloat(first.low, ==, second.low);
  g_assert_cmpfloat(first.high, ==, second.high);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/median-ratio/without-noise-is-exact", test_without_noise);
  g_test_add_func("/perf/median-ratio/what-is-not-positive-has-none", test_no_ratio);
  g_test_add_func("/perf/median-ratio/intervals-cover-though-neighbours-belong-together",
                  test_coverage);
  g_test_add_func("/perf/median-ratio/the-same-samples-say-the-same", test_again);
  return g_test_run();
}
