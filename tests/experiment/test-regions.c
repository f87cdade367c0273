/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regions of forbidden sensor positions and of costs: text, order of drawing, simplification. */
#include "base/error.h"
#include "base/rng.h"
#include "experiment/regions.h"

#include <math.h>
#include <string.h>

static const double no_period[2] = {0, 0};

static void
test_text(void)
{
  static const struct {
    const char *text, *again;
    guint       n_axes;
  } cases[] = {
    {" 1 2 0.5 never ; 3,4 1e-1 25;", "1 2 0.5 never; 3 4 0.1 25", 2},
    {"0.25 0.125 0", "0.25 0.125 0", 1},
    {"", "", 2},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GError)     error = NULL;
    gsize                 n;
    g_autofree LacRegion *regions = lac_regions_parse(cases[i].text, cases[i].n_axes, &n, &error);

    g_assert_no_error(error);
    g_autofree char *text = lac_regions_dup_text(regions, n, cases[i].n_axes, 6.28);
    g_assert_cmpstr(text, ==, cases[i].again);
  }
}

static void
test_refused(void)
{
  static const char *const wrong[] = {"1 2 3",      "1 2 0 5",     "1 2 -1 5",         "1 2 3 -1",
                                      "1 2 3 2000", "1 2 3 often", "1 x 3 4",          "1 2 3 4 5",
                                      "nan 1 1 1",  "1 1 1 nan",   "1 2 3 4;; 1 2 3 4"};

  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
    g_autoptr(GError) error = NULL;
    gsize             n;

    g_assert_null(lac_regions_parse(wrong[i], 2, &n, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
    g_assert_nonnull(strstr(error->message, "sensor_regions"));
  }
}

static void
test_order(void)
{
  const LacRegion regions[] = {
    {0, 0, 2, (double) INFINITY}, {1, 0, 1, 30}, {1, 0, 0.5, 0}, {9.5, 0, 1, 7}};
  const double period[2] = {10, 0};

  g_assert_true(isinf(lac_regions_get_cost(regions, 3, (double[]){-1, 0}, no_period)));
  g_assert_cmpfloat(lac_regions_get_cost(regions, 3, (double[]){1.8, 0}, no_period), ==, 30);
  g_assert_cmpfloat(lac_regions_get_cost(regions, 3, (double[]){1.4, 0}, no_period), ==, 0);
  g_assert_cmpfloat(lac_regions_get_cost(regions, 3, (double[]){1, 3}, no_period), ==, 0);
  /* the last disc reaches over the edge of a periodic axis, and only there */
  g_assert_cmpfloat(lac_regions_get_cost(regions, 4, (double[]){0.3, 0}, period), ==, 7);
  g_assert_true(isinf(lac_regions_get_cost(regions, 4, (double[]){0, 1.5}, no_period)));
}

/* Removing what has no effect changes the cost nowhere. */
static void
test_simplified(void)
{
  LacRng    rng = lac_rng(5, 1);
  LacRegion all[40], fewer[40];
  gsize     n_removed = 0;

  for (gsize round = 0; round < 20; round++) {
    for (gsize i = 0; i < 40; i++) {
      const double kind = lac_rng_uniform(&rng);

      all[i] = (LacRegion){lac_rng_uniform(&rng), lac_rng_uniform(&rng),
                           0.05 + 0.4 * lac_rng_uniform(&rng),
                           kind < 0.3   ? (double) INFINITY
                           : kind < 0.6 ? 0
                                        : 100 * kind};
    }
    memcpy(fewer, all, sizeof all);
    const gsize n = lac_regions_simplify(fewer, 40);
    n_removed += 40 - n;
    for (gsize k = 0; k < 500; k++) {
      const double at[2] = {lac_rng_uniform(&rng), lac_rng_uniform(&rng)};
      const double before = lac_regions_get_cost(all, 40, at, no_period);

      g_assert_true(before == lac_regions_get_cost(fewer, n, at, no_period));
    }
  }
  g_assert_cmpuint(n_removed, >, 20);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/regions/texts-read-back", test_text);
  g_test_add_func("/experiment/regions/what-is-not-a-region-is-refused", test_refused);
  g_test_add_func("/experiment/regions/the-last-one-drawn-counts", test_order);
  g_test_add_func("/experiment/regions/simplifying-changes-no-cost", test_simplified);
  return g_test_run();
}
