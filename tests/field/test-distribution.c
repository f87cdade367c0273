/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transfer functions are monotonic and invertible; histograms count every value once; quantiles equal those of the
 * sorted values. */
#include "field/distribution.h"

#include <math.h>
#include <stdlib.h>

enum { N = 5000 };

static void
fill(float *values)
{
  for (gsize i = 0; i < N; i++)
    values[i] = (float) g_test_rand_double_range(-3, 5);
  values[17] = NAN;
  values[1234] = INFINITY;
}

/* Returns the value at a position between 0 and 1: the inverse of lac_warp_at(). */
static double
turn_back(const LacWarp *warp, double place)
{
  if (warp->kind == LAC_TRANSFER_ROOT)
    place *= place;
  double bent = warp->base + place * warp->span;
  switch (warp->kind) {
  case LAC_TRANSFER_LOG: return exp(bent);
  case LAC_TRANSFER_SYMLOG: return copysign(warp->knee * expm1(fabs(bent)), bent);
  case LAC_TRANSFER_ASINH: return warp->knee * sinh(bent);
  case LAC_TRANSFER_LINEAR:
  case LAC_TRANSFER_ROOT:
  case LAC_N_TRANSFERS: break;
  }
  return bent;
}

static void
test_warp_turns_back(void)
{
  static const double ends[][2] = {{-2, 6}, {0.001, 40}, {-1e-9, 3e-9}, {0, 1}, {-7, -2}};
  for (LacTransfer kind = 0; kind < LAC_N_TRANSFERS; kind++)
    for (gsize e = 0; e < G_N_ELEMENTS(ends); e++) {
      LacWarp warp = lac_warp_new(kind, ends[e][0], ends[e][1]);
      double  before = -G_MAXDOUBLE;
      g_assert_cmpfloat_with_epsilon(lac_warp_at(&warp, warp.low), 0, 1e-12);
      g_assert_cmpfloat_with_epsilon(lac_warp_at(&warp, warp.high), 1, 1e-12);
      for (int i = 0; i <= 100; i++) {
        double place = i / 100.0, value = turn_back(&warp, place);
        double span = warp.high - warp.low;
        g_assert_cmpfloat(value, >, before);
        g_assert_cmpfloat(value, >=, warp.low - 1e-12 * span);
        g_assert_cmpfloat(value, <=, warp.high + 1e-12 * span);
        g_assert_cmpfloat_with_epsilon(lac_warp_at(&warp, value), place, 1e-9);
        before = value;
      }
      g_assert_true(isnan(lac_warp_at(&warp, (double) NAN)));
    }
}

static void
test_warp_of_nothing(void)
{
  for (LacTransfer kind = 0; kind < LAC_N_TRANSFERS; kind++) {
    LacWarp warp = lac_warp_new(kind, 3, 3);
    g_assert_cmpfloat(lac_warp_at(&warp, 3), ==, 0.5);
    g_assert_cmpint(lac_transfer_find(lac_transfer_word(kind)), ==, kind);
  }
  /* non-positive values lie below every logarithmic scale; a scale without positive values has no logarithm and is
   * linear */
  LacWarp warp = lac_warp_new(LAC_TRANSFER_LOG, -1, 10);
  g_assert_cmpfloat(lac_warp_at(&warp, 0), <, 0);
  g_assert_cmpfloat(lac_warp_at(&warp, -1), <, 0);
  g_assert_cmpint(lac_warp_new(LAC_TRANSFER_LOG, -3, -1).kind, ==, LAC_TRANSFER_LINEAR);
}

static void
test_symmetric_scales_stay_symmetric(void)
{
  static const LacTransfer kinds[] = {LAC_TRANSFER_SYMLOG, LAC_TRANSFER_ASINH};
  for (gsize k = 0; k < G_N_ELEMENTS(kinds); k++) {
    LacWarp warp = lac_warp_new(kinds[k], -4, 4);
    g_assert_cmpfloat_with_epsilon(lac_warp_at(&warp, 0), 0.5, 1e-15);
    for (double value = 1e-4; value < 4; value *= 2)
      g_assert_cmpfloat_with_epsilon(lac_warp_at(&warp, value) + lac_warp_at(&warp, -value), 1,
                                     1e-13);
  }
}

static void
test_every_value_is_counted_once(void)
{
  g_autofree float *values = g_new(float, N);
  fill(values);
  for (LacTransfer kind = 0; kind < LAC_N_TRANSFERS; kind++) {
    LacWarp                    warp = lac_warp_new(kind, 0.5, 4);
    g_autoptr(LacDistribution) counted = lac_distribution_new(&warp, 64);
    guint64                    sum = 0, below = 0, above = 0;
    lac_distribution_add(counted, values, NULL, N);
    for (gsize i = 0; i < 64; i++)
      sum += counted->counts[i];
    for (gsize i = 0; i < N; i++) {
      below += values[i] < 0.5F;
      above += isfinite(values[i]) && values[i] > 4.0F;
    }
    g_assert_cmpuint(counted->n, ==, N);
    g_assert_cmpuint(counted->n_not_finite, ==, 2);
    g_assert_cmpuint(counted->n_below, ==, below);
    g_assert_cmpuint(counted->n_above, ==, above);
    g_assert_cmpuint(sum + below + above + 2, ==, N);
    g_assert_cmpuint(lac_distribution_get_most(counted), <=, sum);
  }
}

/* The bins of a nonlinear scale contain the values between their edges. */
static void
test_bins_are_pieces_of_the_scale(void)
{
  g_autofree float *values = g_new(float, N);
  fill(values);
  LacWarp                    warp = lac_warp_new(LAC_TRANSFER_SYMLOG, -3, 5);
  g_autoptr(LacDistribution) counted = lac_distribution_new(&warp, 16);
  lac_distribution_add(counted, values, NULL, N);
  for (gsize bin = 0; bin < 16; bin++) {
    double  low = turn_back(&warp, (double) bin / 16);
    double  high = turn_back(&warp, (double) (bin + 1) / 16);
    guint64 n = 0;
    for (gsize i = 0; i < N; i++)
      n += (double) values[i] >= low && (double) values[i] < high;
    g_assert_cmpuint(counted->counts[bin], ==, n);
  }
}

static int
ascending(const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return x < y ? -1 : x > y;
}

static void
test_quantiles_are_those_of_the_sorted(void)
{
  static const double shares[] = {0, 0.01, 0.25, 0.5, 0.99, 1, 0.1234};
  g_autofree float   *values = g_new(float, N), *minus = g_new(float, N);
  g_autofree double  *sorted = g_new(double, N);
  double              found[G_N_ELEMENTS(shares)];
  gsize               n = 0;
  fill(values);
  for (gsize i = 0; i < N; i++) {
    minus[i] = (float) g_test_rand_int_range(0, 4); /* many ties */
    if (isfinite(values[i]))
      sorted[n++] = (double) values[i] - (double) minus[i];
  }
  qsort(sorted, n, sizeof *sorted, ascending);
  g_assert_true(lac_quantiles(values, minus, N, shares, G_N_ELEMENTS(shares), found));
  for (gsize s = 0; s < G_N_ELEMENTS(shares); s++) {
    double place = shares[s] * (double) (n - 1), part = place - floor(place);
    gsize  at = (gsize) place;
    double expected = sorted[at] + (part > 0 ? part * (sorted[at + 1] - sorted[at]) : 0);
    g_assert_cmpfloat_with_epsilon(found[s], expected, 1e-12);
  }
  values[0] = NAN;
  g_assert_false(lac_quantiles(values, NULL, 1, shares, 1, found));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/field/transfer/rises-and-turns-back", test_warp_turns_back);
  g_test_add_func("/field/transfer/an-empty-scale-and-one-without-a-logarithm",
                  test_warp_of_nothing);
  g_test_add_func("/field/transfer/symmetric-scales-stay-symmetric",
                  test_symmetric_scales_stay_symmetric);
  g_test_add_func("/field/distribution/every-value-is-counted-once",
                  test_every_value_is_counted_once);
  g_test_add_func("/field/distribution/bins-are-pieces-of-the-scale",
                  test_bins_are_pieces_of_the_scale);
  g_test_add_func("/field/distribution/quantiles-are-those-of-the-sorted-values",
                  test_quantiles_are_those_of_the_sorted);
  return g_test_run();
}
