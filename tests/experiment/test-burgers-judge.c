/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The judge of the Burgers experiment: its own grid, the files it takes and the sentences for those it does not. */
#include "base/error.h"
#include "experiment/flow/burgers-judge.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define VISCOSITY 0.05

/* u = t + 10 x over axes of the given names; t in [0, @t_last], x in [-1, 1]. */
static LacGridField *
make_file(const char *first, gsize n_first, const char *second, gsize n_second, double t_last)
{
  const char *const names[] = {first, second}, *const units[] = {"1", "1"};
  const gsize    sizes[] = {n_first, n_second};
  const gboolean t_first =
    g_str_equal(first, "t") || (!g_str_equal(second, "t") && n_first < n_second);
  LacGridField *field = lac_field_new("u", "1", 2, names, units, sizes);

  for (guint axis = 0; axis < 2; axis++)
    for (gsize i = 0; i < sizes[axis]; i++) {
      const double part = (double) i / (double) (sizes[axis] - 1);

      field->axes[axis].values[i] = (axis == 0) == t_first ? t_last * part : -1 + 2 * part;
    }
  for (gsize i = 0; i < n_first; i++)
    for (gsize j = 0; j < n_second; j++) {
      const double a = field->axes[0].values[i], b = field->axes[1].values[j];

      field->data[i * n_second + j] = t_first ? a + 10 * b : b + 10 * a;
    }
  return field;
}

static void
test_own_grid(void)
{
  g_autoptr(GError)          error = NULL;
  g_autoptr(LacBurgersJudge) judge = lac_burgers_judge_new(NULL, VISCOSITY, &error);

  g_assert_no_error(error);
  g_assert_cmpuint(judge->n_t, ==, 100);
  g_assert_cmpuint(judge->n_x, ==, 256);
  g_assert_cmpfloat(judge->t_first, ==, 0);
  g_assert_cmpfloat_with_epsilon(judge->t_last, 0.99, 1e-15);
  g_assert_cmpfloat(judge->x_first, ==, -1);
  g_assert_cmpfloat(judge->x_last, ==, 1);
  for (gsize i = 0; i < 25600; i++)
    g_assert_cmpfloat(judge->truth[i], ==, judge->exact[i]);
  for (gsize i = 0; i < 256; i++)
    g_assert_cmpfloat_with_epsilon(judge->truth[i * 100], -sin(G_PI * judge->points[200 * i + 1]),
                                   1e-14);
}

static void
assert_taken(LacGridField *file, gsize n_t, gsize n_x)
{
  g_autoptr(GError)          error = NULL;
  g_autoptr(LacBurgersJudge) judge = lac_burgers_judge_new(file, VISCOSITY, &error);

  g_assert_no_error(error);
  g_assert_cmpuint(judge->n_t, ==, n_t);
  g_assert_cmpuint(judge->n_x, ==, n_x);
  for (gsize i = 0; i < n_t * n_x; i++)
    g_assert_cmpfloat_with_epsilon(judge->truth[i],
                                   judge->points[2 * i] + 10 * judge->points[2 * i + 1], 1e-14);
  lac_field_unref(file);
}

static void
test_axes(void)
{
  assert_taken(make_file("t", 5, "x", 9, 1), 5, 9);
  assert_taken(make_file("x", 5, "t", 9, 1), 9, 5);
  assert_taken(make_file("t", 7, "x", 7, 0.5), 7, 7);
  assert_taken(make_file("a", 5, "b", 9, 1), 5, 9);
  assert_taken(make_file("a", 9, "b", 5, 1), 5, 9);
}

static void
assert_refused(LacGridField *file, const char *part)
{
  g_autoptr(GError)          error = NULL;
  g_autoptr(LacBurgersJudge) judge = lac_burgers_judge_new(file, VISCOSITY, &error);

  g_assert_null(judge);
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_test_message("%s", error->message);
  g_assert_nonnull(strstr(error->message, part));
  lac_field_unref(file);
}

static void
test_refused(void)
{
  static const char *const names[] = {"t", "y", "x"}, *const units[] = {"1", "1", "1"};
  static const gsize sizes[] = {3, 4, 5};
  LacGridField      *hole = make_file("t", 5, "x", 9, 1);

  hole->data[2 * 9 + 4] = NAN;
  assert_refused(hole, "not finite at t = 0.5, x = 0");
  assert_refused(lac_field_new("u", "1", 3, names, units, sizes), "has 3 axes");
  assert_refused(lac_field_new("u", "1", 1, names, units, sizes), "has 1 ax");
  assert_refused(make_file("t", 5, "x", 9, 2), "from 0 to 2");
  assert_refused(make_file("t", 5, "x", 9, -1), "0 to 1");
  assert_refused(make_file("a", 6, "b", 6, 1), "by name or by length");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/burgers-judge/without-a-file-the-exact-solution-judges",
                  test_own_grid);
  g_test_add_func("/experiment/burgers-judge/axes-are-told-by-name-then-by-length", test_axes);
  g_test_add_func("/experiment/burgers-judge/what-does-not-fit-is-refused-in-words", test_refused);
  return g_test_run();
}
