/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The value nearest to a position along a curve, against an exhaustive search. */
#include "app/plot/curve-points.h"

#include <math.h>

static void
test_find(void)
{
  for (gsize n = 1; n < 40; n++) {
    g_autofree double *x = g_new(double, n);
    for (gsize i = 0; i < n; i++)
      x[i] = (i > 0 ? x[i - 1] : 0) + g_test_rand_int_range(0, 3); /* some are duplicates */
    for (double wanted = -2; wanted < x[n - 1] + 2; wanted += 0.25) {
      double best = INFINITY;
      for (gsize i = 0; i < n; i++)
        best = fmin(best, fabs(x[i] - wanted));
      const gsize found = lac_curve_points_find(x, n, wanted);
      g_assert_cmpuint(found, <, n);
      g_assert_cmpfloat(fabs(x[found] - wanted), ==, best);
    }
  }
}

int
main(int argc, char *argv[])
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/app/curve-points/the-nearest-is-found", test_find);
  return g_test_run();
}
