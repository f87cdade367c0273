/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Placements based on positions more than on modes: regular grids, strata, distances, leverage. */
#include "sensor/candidates.h"

#include <glib.h>

#include <math.h>

#define SIDE 16
#define N    (SIDE * SIDE)

static void
choose(const char *name, const LacPlacementProblem *problem, gsize *places, gsize n, guint64 seed)
{
  g_autoptr(GError) error = NULL;
  LacRng            rng = lac_rng(seed, 6);

  lac_placement_find(name, NULL)->choose(problem, &rng, places, n, &error);
  g_assert_no_error(error);
}

static const double (*get_grid(void))[2]
{
  static double positions[N][2];

  for (gsize i = 0; i < N; i++) {
    positions[i][0] = (double) (i % SIDE);
    positions[i][1] = (double) (i / SIDE);
  }
  return (const double(*)[2]) positions;
}

/* Sixteen sensors on the square: four in each quarter of its width and height. */
static void
test_even(void)
{
  const LacPlacementProblem problem = {.n_points = N, .positions = get_grid()};
  gsize                     places[16];
  guint                     counts[4][4] = {{0}};

  choose("uniform", &problem, places, 16, 1);
  for (gsize k = 0; k < 16; k++)
    counts[places[k] % SIDE / 4][places[k] / SIDE / 4]++;
  for (gsize i = 0; i < 16; i++)
    g_assert_cmpuint(counts[i % 4][i / 4], ==, 1);
}

/* A prime number of sensors: rows of two and three, no two adjacent sensors. */
static void
test_uneven(void)
{
  const LacPlacementProblem problem = {.n_points = N, .positions = get_grid()};
  gsize                     places[7];

  choose("uniform", &problem, places, 7, 1);
  for (gsize k = 0; k < 7; k++)
    for (gsize l = 0; l < k; l++)
      g_assert_cmpfloat(sqrt(lac_placement_distance2(&problem, places[k], places[l])), >=, 4);
}

/* Points on a line without positions, only with their order. */
static void
test_order(void)
{
  const LacPlacementProblem problem = {.n_points = 101};
  gsize                     places[5];

  choose("uniform", &problem, places, 5, 1);
  for (gsize k = 0; k < 5; k++)
    g_assert_cmpuint(places[k], ==, 10 + 20 * k);
}

/* Each cell gets one sensor, and over many draws every inner point is chosen. */
static void
test_strata(void)
{
  const LacPlacementProblem problem = {.n_points = N, .positions = get_grid()};
  guint                     met[N] = {0};

  for (guint64 seed = 0; seed < 600; seed++) {
    gsize places[16];
    guint counts[16] = {0};

    choose("stratified", &problem, places, 16, seed);
    for (gsize k = 0; k < 16; k++) {
      counts[places[k] % SIDE / 4 + 4 * (places[k] / SIDE / 4)]++;
      met[places[k]]++;
    }
    for (gsize cell = 0; cell < 16; cell++)
      g_assert_cmpuint(counts[cell], ==, 1);
  }
  for (gsize i = 0; i < N; i++)
    g_assert_cmpuint(met[i], >, 0);
}

/* From the centre to the corners. */
static void
test_far(void)
{
  const LacPlacementProblem problem = {.n_points = N, .positions = get_grid()};
  gsize                     places[5];

  choose("max-min", &problem, places, 5, 1);
  g_assert_cmpuint(places[0], ==, 7 * SIDE + 7);
  for (gsize k = 1; k < 5; k++) {
    g_assert_true(places[k] % SIDE == 0 || places[k] % SIDE == SIDE - 1);
    g_assert_true(places[k] / SIDE == 0 || places[k] / SIDE == SIDE - 1);
  }
}

static void
test_leverage(void)
{
  double                    modes[2 * N];
  const LacPlacementProblem problem = {
    .modes = modes, .n_modes = 2, .n_components = 1, .n_points = N};
  LacRng rng = lac_rng(3, 3);
  gsize  places[10];

  for (gsize i = 0; i < 2 * N; i++)
    modes[i] = lac_rng_normal(&rng);
  choose("leverage", &problem, places, 10, 1);
  for (gsize i = 0; i < N; i++) {
    const double strength = hypot(modes[i], modes[N + i]);
    gsize        n_stronger = 0;

    for (gsize j = 0; j < N; j++)
      n_stronger += hypot(modes[j], modes[N + j]) > strength;
    if (n_stronger < 10)
      g_assert_cmpuint(places[n_stronger], ==, i);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/sensor/placement-spread/a-square-number-is-a-grid", test_even);
  g_test_add_func("/sensor/placement-spread/a-prime-number-is-spread", test_uneven);
  g_test_add_func("/sensor/placement-spread/points-without-positions-are-in-order", test_order);
  g_test_add_func("/sensor/placement-spread/each-cell-is-drawn-from", test_strata);
  g_test_add_func("/sensor/placement-spread/farthest-points-are-the-corners", test_far);
  g_test_add_func("/sensor/placement-spread/the-strongest-points-come-first", test_leverage);
  return g_test_run();
}
