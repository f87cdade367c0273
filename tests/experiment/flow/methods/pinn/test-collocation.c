/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selection of points: distinct, ascending, of the right number, with probabilities given by the weights. */
#include "experiment/flow/methods/pinn/points.h"

#include <glib.h>

#include <math.h>

#define N_POOL 200

/* Selects with weights |residual| / mean + 1. */
static void
choose(LacRng *rng, const double *residuals, gsize n_pool, gsize *chosen, gsize n)
{
  double weights[N_POOL], keys[N_POOL];

  lac_collocation_weigh(residuals, n_pool, 1, 1, weights);
  lac_collocation_choose_weighted(rng, weights, keys, n_pool, chosen, n);
}

static void
assert_ascending(const gsize *chosen, gsize n, gsize n_pool)
{
  for (gsize i = 0; i < n; i++) {
    g_assert_cmpuint(chosen[i], <, n_pool);
    if (i > 0)
      g_assert_cmpuint(chosen[i], >, chosen[i - 1]);
  }
}

static void
test_shape(void)
{
  static const gsize numbers[] = {1, 2, 50, 199, 200};
  double             residuals[N_POOL];
  gsize              chosen[N_POOL];

  for (guint64 seed = 0; seed < 50; seed++) {
    LacRng rng = lac_rng(seed, 1);

    for (gsize i = 0; i < N_POOL; i++)
      residuals[i] = exp(3 * lac_rng_normal(&rng)) * (i % 2 ? 1 : -1);
    for (gsize k = 0; k < G_N_ELEMENTS(numbers); k++) {
      for (gsize i = 0; i < numbers[k]; i++)
        chosen[i] = G_MAXSIZE;
      choose(&rng, residuals, N_POOL, chosen, numbers[k]);
      assert_ascending(chosen, numbers[k], N_POOL);
    }
  }
}

/* Chi-squared over candidates drawn one at a time: (observed - expected)^2 / expected sums to n - 1 = 7 on average
 * with a variance of 2 (n - 1); values above 40 have a probability below 1e-6. */
static void
assert_probabilities(const double *residuals, const double *weights)
{
  const gsize n_pool = 8, n_draws = 40000;
  double      counts[8] = {0}, total = 0, distance = 0;
  LacRng      rng = lac_rng(77, 1);

  for (gsize i = 0; i < n_pool; i++)
    total += weights[i];
  for (gsize draw = 0; draw < n_draws; draw++) {
    gsize chosen = n_pool;

    choose(&rng, residuals, n_pool, &chosen, 1);
    counts[chosen]++;
  }
  for (gsize i = 0; i < n_pool; i++) {
    const double expected = (double) n_draws * weights[i] / total;

    distance += (counts[i] - expected) * (counts[i] - expected) / expected;
  }
  g_test_message("chi-squared %g", distance);
  g_assert_cmpfloat(distance, <, 40);
}

static void
test_weights(void)
{
  const double residuals[] = {0, 1, -2, 3, 0, -10, 4, 4}; /* mean magnitude 3 */
  double       weights[8];

  for (gsize i = 0; i < 8; i++)
    weights[i] = fabs(residuals[i]) / 3 + 1;
  assert_probabilities(residuals, weights);
}

static void
test_equal(void)
{
  const double nothing[8] = {0}, ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};

  assert_probabilities(nothing, ones);
  assert_probabilities(ones, ones);
}

/* Without replacement: with weights a, b, c the pair {a, b} has probability a b / (b + c) + a b / (a + c), divided by
 * the sum. */
static void
test_pairs(void)
{
  const double residuals[] = {0, 3, 6},
               w[] = {1, 2, 3}; /* weights: residual divided by its mean, 3, plus 1 */
  const gsize n_draws = 40000;
  double      n_without_last = 0, p;
  double      a = w[0] / 6, b = w[1] / 6, bound;
  LacRng      rng = lac_rng(78, 1);

  for (gsize draw = 0; draw < n_draws; draw++) {
    gsize chosen[2];

    choose(&rng, residuals, 3, chosen, 2);
    n_without_last += chosen[1] == 1;
  }
  p = a * b / (1 - a) + a * b / (1 - b);
  bound = 5 * sqrt(p * (1 - p) * (double) n_draws);
  g_assert_cmpfloat(fabs(n_without_last - p * (double) n_draws), <, bound);
}

static void
test_repeatable(void)
{
  double residuals[N_POOL];
  gsize  first[40], second[40];
  LacRng rng = lac_rng(3, 1), again, other;

  for (gsize i = 0; i < N_POOL; i++)
    residuals[i] = lac_rng_normal(&rng);
  again = other = rng;
  choose(&again, residuals, N_POOL, first, 40);
  choose(&other, residuals, N_POOL, second, 40);
  g_assert_cmpmem(first, sizeof first, second, sizeof second);
  g_assert_cmpuint(again.position, ==, other.position);
  g_assert_cmpuint(again.position, >, rng.position);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/collocation/chosen-points-are-distinct-and-ascending", test_shape);
  g_test_add_func("/experiment/collocation/chances-follow-the-residual", test_weights);
  g_test_add_func("/experiment/collocation/equal-or-no-residuals-are-equal-chances", test_equal);
  g_test_add_func("/experiment/collocation/pairs-are-drawn-without-replacement", test_pairs);
  g_test_add_func("/experiment/collocation/the-same-numbers-choose-the-same-points",
                  test_repeatable);
  return g_test_run();
}
