/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curve envelope: every point has retained points within one interval that reach as far up and down, for any
 * distribution of points; the number retained is bounded and independent of how the curve grew. */
#include "report/plot/envelope.h"

#include <math.h>

#define MOST 64
#define N    20000

/* Distributions of points: uniform; ever sparser; after a long set-up; a single x; in bursts. */
typedef enum { EVEN, SPARSER, LATE, AT_ONCE, BURSTS, N_SPREADS } Spread;

typedef struct {
  double x[N], low[N], high[N];
} Curve;

static double
place(Spread spread, gsize i)
{
  switch (spread) {
  case EVEN: return (double) i;
  case SPARSER: return pow(1.001, (double) i);
  case LATE: return i == 0 ? 0 : 1e3 + 1e-3 * (double) i;
  case AT_ONCE: return 5;
  case BURSTS: return (double) (i / 500) * 1e4 + (double) (i % 500);
  case N_SPREADS: break;
  }
  g_assert_not_reached();
}

/* @width: of the band; 0: a line */
static Curve *
make_curve(Spread spread, double width)
{
  Curve *curve = g_new(Curve, 1);
  for (gsize i = 0; i < N; i++) {
    const double y = g_test_rand_double_range(-1, 1) + (g_test_rand_int_range(0, 50) == 0 ? 40 : 0);
    const double half = width * g_test_rand_double();
    curve->x[i] = place(spread, i);
    curve->low[i] = y - half;
    curve->high[i] = y + half;
  }
  return curve;
}

static GArray *
follow(const Curve *curve, gsize n, gsize at_once)
{
  g_autoptr(LacEnvelope) envelope = lac_envelope_new(MOST);
  GArray                *kept = g_array_new(FALSE, FALSE, sizeof(gsize));
  gsize                  n_kept;
  for (gsize seen = 0; seen < n; seen += at_once)
    lac_envelope_follow(envelope, curve->x, curve->low, curve->high, MIN(seen + at_once, n));
  const gsize *indices = lac_envelope_get_indices(envelope, &n_kept);
  g_array_append_vals(kept, indices, (guint) n_kept);
  return kept;
}

static void
test_all_of_a_short_one(void)
{
  g_autofree Curve *curve = make_curve(EVEN, 0);
  g_autoptr(GArray) kept = follow(curve, MOST / 2, 1);
  g_assert_cmpuint(kept->len, ==, MOST / 2);
  for (guint i = 0; i < kept->len; i++)
    g_assert_cmpuint(g_array_index(kept, gsize, i), ==, i);
}

/* Asserts that retained points at most @reach from point @i are as high and as low as it is. */
static void
assert_reached(const Curve *curve, const GArray *kept, gsize i, double reach)
{
  double low = INFINITY, high = -INFINITY;
  for (guint k = 0; k < kept->len; k++) {
    const gsize at = g_array_index(kept, gsize, k);
    if (fabs(curve->x[at] - curve->x[i]) > reach)
      continue;
    low = MIN(low, curve->low[at]);
    high = MAX(high, curve->high[at]);
  }
  g_assert_cmpfloat(low, <=, curve->low[i]);
  g_assert_cmpfloat(high, >=, curve->high[i]);
}

static void
test_extremes(void)
{
  for (Spread spread = 0; spread < N_SPREADS; spread++)
    for (gsize n = 1; n <= N; n = n * 3 / 2 + 1) {
      g_autofree Curve *curve = make_curve(spread, n % 2 == 0 ? 3 : 0);
      g_autoptr(GArray) kept = follow(curve, n, 1);
      const double      reach = (curve->x[n - 1] - curve->x[0]) / (MOST / 2) * (1 + 1e-12);
      g_assert_cmpuint(kept->len, <=, 2 * MOST + 2);
      g_assert_cmpuint(g_array_index(kept, gsize, 0), ==, 0);
      g_assert_cmpuint(g_array_index(kept, gsize, kept->len - 1), ==, n - 1);
      for (guint k = 1; k < kept->len; k++)
        g_assert_cmpuint(g_array_index(kept, gsize, k - 1), <, g_array_index(kept, gsize, k));
      for (gsize i = 0; i < n; i += 1 + n / 700)
        assert_reached(curve, kept, i, reach);
    }
}

static void
test_in_parts(void)
{
  const gsize       n = 3001;
  g_autofree Curve *curve = make_curve(SPARSER, 0);
  g_autoptr(GArray) whole = follow(curve, n, n);
  for (gsize at_once = 1; at_once < n; at_once = at_once * 5 + 1) {
    g_autoptr(GArray) parts = follow(curve, n, at_once);
    g_assert_cmpmem(parts->data, parts->len * sizeof(gsize), whole->data,
                    whole->len * sizeof(gsize));
  }
}

/* A curve that is shorter than before, or different, is read again from its start. */
static void
test_another(void)
{
  const gsize            n = 700;
  g_autofree Curve      *first = make_curve(EVEN, 0), *second = make_curve(EVEN, 0);
  g_autoptr(LacEnvelope) envelope = lac_envelope_new(MOST);
  g_autoptr(GArray)      shorter = follow(first, n / 3, 1), other = follow(second, n, 1);
  gsize                  n_kept;
  lac_envelope_follow(envelope, first->x, first->low, first->high, n);
  lac_envelope_follow(envelope, first->x, first->low, first->high, n / 3);
  const gsize *kept = lac_envelope_get_indices(envelope, &n_kept);
  g_assert_cmpmem(kept, n_kept * sizeof(gsize), shorter->data, shorter->len * sizeof(gsize));
  lac_envelope_follow(envelope, second->x, second->low, second->high, n);
  kept = lac_envelope_get_indices(envelope, &n_kept);
  g_assert_cmpmem(kept, n_kept * sizeof(gsize), other->data, other->len * sizeof(gsize));
  lac_envelope_follow(envelope, NULL, NULL, NULL, 0);
  lac_envelope_get_indices(envelope, &n_kept);
  g_assert_cmpuint(n_kept, ==, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/envelope/short", test_all_of_a_short_one);
  g_test_add_func("/report/envelope/extremes", test_extremes);
  g_test_add_func("/report/envelope/in-parts", test_in_parts);
  g_test_add_func("/report/envelope/another", test_another);
  return g_test_run();
}
