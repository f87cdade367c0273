/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Change points of constructed series: levels with noise, noise alone, and equal values. */
#include "base/rng.h"
#include "perf/analysis/change-points.h"

#include <math.h>

#define N_SEEDS 200
#define N       40

static void
fill_noise(guint64 seed, double *values, gsize n)
{
  LacRng rng = lac_rng(seed, 0);

  for (gsize i = 0; i < n; i++)
    values[i] = lac_rng_normal(&rng);
}

/* Noise of any length has a change point in at most 5 % of the series. */
static void
test_noise(void)
{
  static const gsize lengths[] = {5, 12, N, 100};

  for (gsize c = 0; c < G_N_ELEMENTS(lengths); c++) {
    guint n_false = 0;

    for (guint64 seed = 0; seed < N_SEEDS; seed++) {
      double values[100];
      gsize  changes[100];

      fill_noise(seed, values, lengths[c]);
      n_false += lac_change_points(values, lengths[c], changes) > 0;
    }
    g_assert_cmpuint(n_false, <=, N_SEEDS / 20);
  }
}

/* Levels 12, 12, 12 and 4 values long, 1 % noise: two gains and a loss, as a program has them. */
static void
test_levels(void)
{
  static const struct {
    double level;
    gsize  n;
  } parts[] = {{52, 12}, {44, 12}, {38.5, 12}, {44, 4}};
  guint n_found = 0;

  for (guint64 seed = 0; seed < N_SEEDS; seed++) {
    double values[N];
    gsize  changes[N], k = 0;

    fill_noise(seed, values, N);
    for (gsize p = 0; p < G_N_ELEMENTS(parts); p++)
      for (gsize i = 0; i < parts[p].n; i++, k++)
        values[k] = parts[p].level * (1 + 0.01 * values[k]);
    n_found += lac_change_points(values, N, changes) == 3 && changes[0] == 12 && changes[1] == 24 &&
               changes[2] == 36;
  }
  g_assert_cmpuint(n_found, >=, N_SEEDS * 85 / 100); /* each of the four levels may be split */
}

/* The exact distribution: 2 of C(16, 4) orders separate four values completely, at 13 positions: 1.4 %, below half of
 * the level. Three of twelve: 2 of C(15, 3) at 12 positions: 5.3 %. */
static void
test_few(void)
{
  double values[16];
  gsize  changes[16];

  for (gsize i = 0; i < 16; i++)
    values[i] = i < 12 ? (double) (i * 7 % 12) : 100 + (double) (i % 2);
  g_assert_cmpuint(lac_change_points(values, 16, changes), ==, 1);
  g_assert_cmpuint(changes[0], ==, 12);
  g_assert_cmpuint(lac_change_points(values, 15, changes), ==, 0);
}

/* Above twenty values at both sides the normal approximation decides. */
static void
test_many(void)
{
  double values[90];
  gsize  changes[90];

  fill_noise(3, values, 90);
  for (gsize i = 50; i < 90; i++)
    values[i] += 8;
  g_assert_cmpuint(lac_change_points(values, 90, changes), ==, 1);
  g_assert_cmpuint(changes[0], ==, 50);
}

static void
test_equal(void)
{
  double values[N];
  gsize  changes[N];

  for (gsize i = 0; i < N; i++)
    values[i] = 7;
  g_assert_cmpuint(lac_change_points(values, N, changes), ==, 0);
  for (gsize i = 30; i < N; i++)
    values[i] = 8;
  g_assert_cmpuint(lac_change_points(values, N, changes), ==, 1);
  g_assert_cmpuint(changes[0], ==, 30);
  for (gsize n = 0; n < 4; n++)
    g_assert_cmpuint(lac_change_points(values, n, changes), ==, 0);
}

int
main(int argc, char *argv[])
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/change-points/noise-has-none-at-95-per-cent", test_noise);
  g_test_add_func("/perf/change-points/levels-are-found", test_levels);
  g_test_add_func("/perf/change-points/few-values-are-counted-exactly", test_few);
  g_test_add_func("/perf/change-points/many-values", test_many);
  g_test_add_func("/perf/change-points/equal-values", test_equal);
  return g_test_run();
}
