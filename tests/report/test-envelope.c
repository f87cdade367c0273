/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The envelope: every extreme of the curve is one of its stretches', what is kept is bounded, and how it grew does not matter. */
#include "report/envelope.h"

#include <math.h>

#define MOST 64

static GArray *
follow(const double *values, gsize n, gsize at_once)
{
  g_autoptr(LacEnvelope) envelope = lac_envelope_new(MOST);
  GArray                *kept = g_array_new(FALSE, FALSE, sizeof(gsize));
  gsize                  n_kept;
  for (gsize seen = 0; seen < n; seen += at_once)
    lac_envelope_follow(envelope, values, MIN(seen + at_once, n));
  const gsize *indices = lac_envelope_get_indices(envelope, &n_kept);
  g_array_append_vals(kept, indices, (guint) n_kept);
  return kept;
}

static double *
make_curve(gsize n)
{
  double *values = g_new(double, n);
  for (gsize i = 0; i < n; i++)
    values[i] = g_test_rand_double_range(-1, 1) + (g_test_rand_int_range(0, 50) == 0 ? 40 : 0);
  return values;
}

static void
test_all_of_a_short_one(void)
{
  g_autofree double *values = make_curve(MOST / 2);
  g_autoptr(GArray)  kept = follow(values, MOST / 2, 1);
  g_assert_cmpuint(kept->len, ==, MOST / 2);
  for (guint i = 0; i < kept->len; i++)
    g_assert_cmpuint(g_array_index(kept, gsize, i), ==, i);
}

/* lowest, highest of values[from .. to] */
static void
find_extremes(const double *values, gsize from, gsize to, double extremes[2])
{
  extremes[0] = INFINITY;
  extremes[1] = -INFINITY;
  for (gsize i = from; i <= to; i++) {
    extremes[0] = MIN(extremes[0], values[i]);
    extremes[1] = MAX(extremes[1], values[i]);
  }
}

/* Wherever the curve is cut into stretches as wide as a column of a picture can be, none has an extreme that what is kept of it and
 * beside it does not reach. */
static void
test_extremes(void)
{
  for (gsize n = 1; n < 5000; n = n * 3 / 2 + 1) {
    g_autofree double *values = make_curve(n);
    g_autoptr(GArray)  kept = follow(values, n, 1);
    gsize              width = 1;
    g_assert_cmpuint(kept->len, <=, MOST + 2);
    g_assert_cmpuint(g_array_index(kept, gsize, 0), ==, 0);
    g_assert_cmpuint(g_array_index(kept, gsize, kept->len - 1), ==, n - 1);
    while (width * (MOST / 2) < n)
      width *= 2;
    for (gsize from = 0, k = 0; from < n; from += width) {
      double truth[2], seen[2] = {INFINITY, -INFINITY};
      gsize  to = MIN(from + width, n) - 1;
      find_extremes(values, from, to, truth);
      for (; k < kept->len && g_array_index(kept, gsize, k) <= to; k++) {
        double value = values[g_array_index(kept, gsize, k)];
        seen[0] = MIN(seen[0], value);
        seen[1] = MAX(seen[1], value);
      }
      g_assert_cmpfloat(seen[0], ==, truth[0]);
      g_assert_cmpfloat(seen[1], ==, truth[1]);
    }
  }
}

static void
test_in_parts(void)
{
  const gsize        n = 3001;
  g_autofree double *values = make_curve(n);
  g_autoptr(GArray)  whole = follow(values, n, n);
  for (gsize at_once = 1; at_once < n; at_once = at_once * 5 + 1) {
    g_autoptr(GArray) parts = follow(values, n, at_once);
    g_assert_cmpmem(parts->data, parts->len * sizeof(gsize), whole->data,
                    whole->len * sizeof(gsize));
  }
}

/* A curve that is shorter than before, or another, is followed from its beginning. */
static void
test_another(void)
{
  const gsize            n = 700;
  g_autofree double     *first = make_curve(n), *second = make_curve(n);
  g_autoptr(LacEnvelope) envelope = lac_envelope_new(MOST);
  g_autoptr(GArray)      shorter = follow(first, n / 3, 1), other = follow(second, n, 1);
  gsize                  n_kept;
  lac_envelope_follow(envelope, first, n);
  lac_envelope_follow(envelope, first, n / 3);
  const gsize *kept = lac_envelope_get_indices(envelope, &n_kept);
  g_assert_cmpmem(kept, n_kept * sizeof(gsize), shorter->data, shorter->len * sizeof(gsize));
  lac_envelope_follow(envelope, second, n);
  kept = lac_envelope_get_indices(envelope, &n_kept);
  g_assert_cmpmem(kept, n_kept * sizeof(gsize), other->data, other->len * sizeof(gsize));
  lac_envelope_follow(envelope, NULL, 0);
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
