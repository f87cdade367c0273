/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scattered interpolation: neighbours against brute force, exactness for quadratics, and degenerate positions. */
#include "base/rng.h"
#include "field/scattered.h"

#include <glib.h>

#include <math.h>

#define N 400

static void
scatter(double *places, gsize n)
{
  LacRng rng = lac_rng(3, 0);

  for (gsize i = 0; i < n; i++) {
    places[2 * i] = 5 * lac_rng_uniform(&rng) - 1;
    places[2 * i + 1] = 2 * lac_rng_uniform(&rng) + 7;
  }
}

static double
quadratic(double x, double y)
{
  return 3 - 2 * x + 0.5 * y + 0.7 * x * x - 0.3 * x * y + 0.2 * y * y;
}

static double
read_value(const LacScattered *scattered, const double *values, double x, double y)
{
  gsize       indices[LAC_SCATTERED_NEIGHBOURS];
  double      weights[LAC_SCATTERED_NEIGHBOURS], sum = 0;
  const gsize n = lac_scattered_weigh(scattered, x, y, indices, weights);

  for (gsize i = 0; i < n; i++)
    sum += weights[i] * values[indices[i]];
  return sum;
}

static double
distance(const double *place, double x, double y)
{
  return hypot(place[0] - x, place[1] - y);
}

/* No omitted point is nearer than a selected one; inside, at the edge and outside. */
static void
test_neighbours(void)
{
  double                  places[2 * N];
  LacRng                  rng = lac_rng(4, 0);
  g_autoptr(LacScattered) scattered = NULL;

  scatter(places, N);
  scattered = lac_scattered_new(places, N);
  for (gsize k = 0; k < 200; k++) {
    const double x = 7 * lac_rng_uniform(&rng) - 2, y = 4 * lac_rng_uniform(&rng) + 6;
    gsize        indices[LAC_SCATTERED_NEIGHBOURS], n_nearer = 0;
    double       weights[LAC_SCATTERED_NEIGHBOURS], farthest = 0;

    g_assert_cmpuint(lac_scattered_weigh(scattered, x, y, indices, weights), ==,
                     LAC_SCATTERED_NEIGHBOURS);
    for (gsize i = 0; i < LAC_SCATTERED_NEIGHBOURS; i++)
      farthest = MAX(farthest, distance(places + 2 * indices[i], x, y));
    for (gsize i = 0; i < N; i++)
      n_nearer += distance(places + 2 * i, x, y) < farthest;
    g_assert_cmpuint(n_nearer, ==, LAC_SCATTERED_NEIGHBOURS - 1);
  }
}

static void
test_quadratic(void)
{
  double                  places[2 * N], values[N];
  LacRng                  rng = lac_rng(5, 0);
  g_autoptr(LacScattered) scattered = NULL;

  scatter(places, N);
  for (gsize i = 0; i < N; i++)
    values[i] = quadratic(places[2 * i], places[2 * i + 1]);
  scattered = lac_scattered_new(places, N);
  for (gsize k = 0; k < 200; k++) {
    const double x = 5 * lac_rng_uniform(&rng) - 1, y = 2 * lac_rng_uniform(&rng) + 7;

    /* rounding times the condition number of the moment matrix */
    g_assert_cmpfloat_with_epsilon(read_value(scattered, values, x, y), quadratic(x, y), 1e-7);
  }
}

/* The error of a smooth function decreases with the third power of the spacing. */
static void
test_order(void)
{
  double errors[2] = {0};

  for (gsize level = 0; level < 2; level++) {
    const gsize             n = 12 << level;
    g_autofree double      *places = g_new(double, 2 * n * n);
    g_autofree double      *values = g_new(double, n *n);
    g_autoptr(LacScattered) scattered = NULL;

    for (gsize i = 0; i < n * n; i++) {
      places[2 * i] = ((double) (i % n) + 0.3 * sin((double) (7 * i))) / (double) n;
      places[2 * i + 1] = ((double) (i / n) + 0.3 * sin((double) (11 * i))) / (double) n;
      values[i] = sin(3 * places[2 * i] + 2 * places[2 * i + 1]);
    }
    scattered = lac_scattered_new(places, n * n);
    for (gsize i = 0; i < 400; i++) {
      const double x = 0.2 + 0.6 * (double) (i % 20) / 20, y = 0.2 + 0.6 * (double) (i / 20) / 20;
      const double error = read_value(scattered, values, x, y) - sin(3 * x + 2 * y);

      errors[level] += error * error;
    }
  }
  g_test_message("rms %g and %g", sqrt(errors[0] / 400), sqrt(errors[1] / 400));
  g_assert_cmpfloat(log2(errors[0] / errors[1]) / 2, >, 2.5);
}

/* Collinear, coincident or too few points: a weighted mean, exact for constants. */
static void
test_few(void)
{
  const double line[] = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7}, same[] = {2, 3, 2, 3};
  const double values[] = {4, 4, 4, 4, 4, 4, 4, 4};
  g_autoptr(LacScattered) on_line = lac_scattered_new(line, 8);
  g_autoptr(LacScattered) in_place = lac_scattered_new(same, 2);
  g_autoptr(LacScattered) alone = lac_scattered_new(same, 1);

  g_assert_cmpfloat_with_epsilon(read_value(on_line, values, 2.5, 1), 4, 1e-6);
  g_assert_cmpfloat_with_epsilon(read_value(in_place, values, 0, 0), 4, 1e-12);
  g_assert_cmpfloat_with_epsilon(read_value(alone, values, 9, 9), 4, 1e-12);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/field/scattered/no-place-left-out-is-nearer", test_neighbours);
  g_test_add_func("/field/scattered/a-quadratic-is-exact", test_quadratic);
  g_test_add_func("/field/scattered/smooth-fields-are-of-third-order", test_order);
  g_test_add_func("/field/scattered/places-that-carry-no-quadratic-are-averaged", test_few);
  return g_test_run();
}
