/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment/method-table.h"
#include "experiment/param-rows.h"

#include <math.h>

/* ---- how often methods are evaluated ---- */

static void
asked_interval_is_taken(void)
{
  g_assert_cmpint(lac_evaluation_interval(7, 1000, 1, 1000), ==, 7);
}

static void
cheap_evaluations_are_a_hundred(void)
{
  g_assert_cmpint(lac_evaluation_interval(0, 1000, 1, 0), ==, 10);
  g_assert_cmpint(lac_evaluation_interval(0, 1000, 1, 1e-3), ==, 10);
  g_assert_cmpint(lac_evaluation_interval(0, 50, 1, 1e-3), ==, 1);
}

/* Over a grid of costs: within a twentieth of the steps' time, unless there are only a dozen. */
static void
share_is_kept(void)
{
  for (double ratio = 1e-3; ratio < 1e3; ratio *= 1.7)
    for (gint64 n_steps = 1; n_steps < 100000; n_steps = 3 * n_steps + 1) {
      const gint64 every = lac_evaluation_interval(0, n_steps, 1, ratio);
      const double n = floor((double) n_steps / (double) every);

      g_assert_cmpint(every, >=, 1);
      if (n > 24) /* rounding the interval down at most doubles their number */
        g_assert_cmpfloat(n * ratio, <=, 2 * 0.05 * (double) n_steps);
      if (n_steps >= 12)
        g_assert_cmpfloat(n, >=, 12);
    }
}

/* ---- cost of several methods ---- */

static void
costs_add_up(void)
{
  const LacEstimate one = {
    .memory_bytes = 3, .seconds_per_step = 2, .n_steps = 10, .seconds_setup = 1};
  const LacEstimate two = {
    .memory_bytes = 4, .seconds_per_step = 5, .n_steps = 100, .n_parameters = 9};
  LacEstimate sum = {.n_steps = 1}, other = {.n_steps = 1};

  lac_estimate_add(&sum, &one);
  lac_estimate_add(&sum, &two);
  lac_estimate_add(&other, &two);
  lac_estimate_add(&other, &one);
  g_assert_cmpfloat(sum.memory_bytes, ==, 7);
  g_assert_cmpint(sum.n_steps, ==, 100);
  g_assert_cmpint((gint64) sum.n_parameters, ==, 9);
  g_assert_cmpfloat_with_epsilon(sum.seconds_per_step * 100, 10 * 2 + 100 * 5, 1e-9);
  g_assert_cmpfloat_with_epsilon(sum.seconds_per_step, other.seconds_per_step, 1e-12);
}

/* ---- rows ---- */

typedef struct {
  gint64 list;
} Common;

typedef struct {
  double rate;
} Own;

static void
rows_lie_one_behind_the_other(void)
{
  static const char *const none[] = {NULL};
  static const LacParam    common_rows[] = {
       {.key = "methods", .kind = LAC_PARAM_LIST, .unit = "1", .label = "Methods", .choices = none}};
  static const LacParam first_rows[] = {
    {.key = "first_rate", .kind = LAC_PARAM_REAL, .unit = "1", .max = 1, .label = "Rate"}};
  static const LacParam second_rows[] = {
    {.key = "second_rate", .kind = LAC_PARAM_REAL, .unit = "1", .max = 1, .label = "Rate"}};
  static const LacScheduledMethod methods[] = {
    {.name = "first", .title = "First", .params = {first_rows, 1, sizeof(Own)}},
    {.name = "second", .title = "Second", .params = {second_rows, 1, sizeof(Own)}},
  };
  const LacParamTable common = {common_rows, 1, sizeof(Common)};
  g_autoptr(GArray)   rows = g_array_new(FALSE, FALSE, sizeof(LacParam));
  LacMethodTable      table = {0};
  const gsize         offset = lac_rows_append(rows, &common, 0);

  lac_method_table_add(&table, &methods[0]);
  lac_method_table_add(&table, &methods[1]);
  const gsize end = lac_method_table_append_rows(&table, rows, offset, "methods");

  g_assert_cmpuint(table.offsets[0], >=, sizeof(Common));
  g_assert_cmpuint(table.offsets[1], >=, table.offsets[0] + sizeof(Own));
  g_assert_cmpuint(end, >=, table.offsets[1] + sizeof(Own));
  g_assert_cmpuint(lac_rows_find(rows, "first_rate")->offset, ==, table.offsets[0]);
  g_assert_cmpuint(lac_rows_find(rows, "second_rate")->offset, ==, table.offsets[1]);
  g_assert_cmpstr(lac_rows_find(rows, "methods")->choices[1], ==, "second");
  g_assert_null(lac_rows_find(rows, "methods")->choices[2]);
}

/* ---- curves ---- */

static void
curves_become_metrics(void)
{
  const LacCurve curves[] = {
    {.key = "loss", .unit = "1", .reference = NAN, .log_axis = TRUE},
    {.key = "viscosity", .unit = "1", .reference = 0.25, .is_result = TRUE}};
  g_autoptr(GArray) metrics = g_array_new(FALSE, FALSE, sizeof(LacMetric));

  lac_method_table_add_curves(metrics, "pinn", curves, 2);
  g_assert_cmpuint(metrics->len, ==, 2);
  g_assert_cmpstr(g_array_index(metrics, LacMetric, 0).key, ==, "pinn.loss");
  g_assert_false(g_array_index(metrics, LacMetric, 0).has_reference);
  g_assert_true(g_array_index(metrics, LacMetric, 1).has_reference);
  g_assert_cmpfloat(g_array_index(metrics, LacMetric, 1).reference, ==, 0.25);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/method-table/asked", asked_interval_is_taken);
  g_test_add_func("/method-table/cheap", cheap_evaluations_are_a_hundred);
  g_test_add_func("/method-table/share", share_is_kept);
  g_test_add_func("/method-table/costs", costs_add_up);
  g_test_add_func("/method-table/rows", rows_lie_one_behind_the_other);
  g_test_add_func("/method-table/curves", curves_become_metrics);
  return g_test_run();
}
