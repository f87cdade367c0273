/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Partitions of constructed recordings: they add up to the clock, and their percentages to 100. */
#include "perf/analysis/time-parts.h"

#include <math.h>

static guint32
add_span(LacCapture *capture, const char *name, guint depth, gint64 step, gint64 begin, gint64 end)
{
  const gint64    known = lac_capture_find_name(capture, name);
  const LacRecord record = {.kind = LAC_RECORD_SPAN,
                            .name =
                              known >= 0 ? (guint32) known : lac_capture_add_name(capture, name),
                            .depth = (guint8) depth,
                            .step = step,
                            .start_ns = begin,
                            .duration_ns = end - begin,
                            .count = 1,
                            .memory = -1};
  lac_capture_append(capture, &record, 1);
  return record.name;
}

static gint64
ns_of(const LacTimeParts *parts, guint32 name)
{
  for (gsize i = 0; i < parts->n; i++)
    if (parts->parts[i].name == name)
      return parts->parts[i].ns;
  return 0;
}

static gint64
sum_of(const LacTimeParts *parts)
{
  gint64 sum = 0;
  for (gsize i = 0; i < parts->n; i++)
    sum += parts->parts[i].ns;
  return sum;
}

/* Ten steps of 100, each with two methods; the first step begins after 200 of set-up, and 40 lie between. */
static void
test_phases(void)
{
  g_autoptr(LacCapture) capture = lac_capture_new(NULL);
  guint32               solver = 0, filter = 0, step_name = 0;
  lac_capture_add_lane(capture, "compute");
  add_span(capture, "create", 1, -1, 0, 150);
  const guint32 set_up = add_span(capture, "set-up", 0, -1, 0, 200);
  for (gint64 step = 1; step <= 10; step++) {
    const gint64 begin = 140 + 100 * step;
    add_span(capture, "backwards", 2, step, begin + 10, begin + 50);
    solver = add_span(capture, "Differentiable solver", 1, step, begin, begin + 60);
    filter = add_span(capture, "Ensemble Kalman filter", 1, step, begin + 60, begin + 90);
    step_name = add_span(capture, "step", 0, step, begin, begin + 100);
  }
  const guint32        checkpoint = add_span(capture, "checkpoint", 0, 10, 1240, 1300);
  g_auto(LacCallTree)  tree = lac_call_tree_make(capture, 0, 0);
  g_autofree guint32  *phases = g_new(guint32, tree.n);
  g_auto(LacTimeParts) parts = lac_time_parts_of_phases(&tree, phases);

  g_assert_cmpint(parts.whole_ns, ==, 1300);
  g_assert_cmpint(sum_of(&parts), ==, 1300);
  g_assert_cmpuint(parts.n, ==, 5);
  g_assert_cmpint(ns_of(&parts, set_up), ==, 200);
  g_assert_cmpint(ns_of(&parts, solver), ==, 600);
  g_assert_cmpint(ns_of(&parts, filter), ==, 300);
  g_assert_cmpint(ns_of(&parts, checkpoint), ==, 60);
  g_assert_cmpint(ns_of(&parts, LAC_NO_NAME), ==, 140); /* 10 of each step, 40 before */
  g_assert_cmpuint(parts.parts[0].name, ==, set_up);
  g_assert_cmpuint(parts.parts[1].name, ==, solver);
  g_assert_cmpuint(parts.parts[4].name, ==, LAC_NO_NAME);
  for (gsize i = 0; i < tree.n; i++) {
    const LacCallNode *node = &tree.nodes[i];
    if (node->parent == LAC_CALL_NONE)
      g_assert_cmpuint(phases[i], ==, node->name == step_name ? LAC_NO_NAME : node->name);
    else if (node->depth == 2)
      g_assert_cmpuint(phases[i], ==, phases[node->parent]);
  }
}

/* Steps without spans within are a phase themselves. */
static void
test_bare_steps(void)
{
  g_autoptr(LacCapture) capture = lac_capture_new(NULL);
  guint32               step_name = 0;
  lac_capture_add_lane(capture, "compute");
  for (gint64 step = 1; step <= 10; step++)
    step_name = add_span(capture, "step", 0, step, 100 * step, 100 * step + 80);
  g_auto(LacCallTree)  tree = lac_call_tree_make(capture, 0, 0);
  g_auto(LacTimeParts) parts = lac_time_parts_of_phases(&tree, NULL);
  g_assert_cmpint(ns_of(&parts, step_name), ==, 800);
  g_assert_cmpint(sum_of(&parts), ==, parts.whole_ns);
}

/* Any range is partitioned without remainder, however many phases there are. */
static void
test_ranges(void)
{
  g_autoptr(LacCapture) capture = lac_capture_new(NULL);
  lac_capture_add_lane(capture, "compute");
  gint64 at = 0;
  for (int i = 0; i < 400; i++) {
    g_autofree char *name = g_strdup_printf("phase %d", g_test_rand_int_range(0, 25));
    const gint64     end = at + g_test_rand_int_range(1, 100);
    add_span(capture, name, 0, -1, at, end);
    at = end + g_test_rand_int_range(0, 5);
  }
  for (int i = 0; i < 100; i++) {
    const gint64         begin = g_test_rand_int_range(0, (gint32) at);
    const gint64         end = begin + g_test_rand_int_range(1, 3000);
    g_auto(LacCallTree)  tree = lac_call_tree_make(capture, begin, end);
    g_auto(LacTimeParts) parts = lac_time_parts_of_phases(&tree, NULL);
    guint                shares[LAC_PARTS_MOST + 1], sum = 0;
    g_assert_cmpuint(parts.n, <=, LAC_PARTS_MOST + 1);
    g_assert_cmpint(sum_of(&parts), ==, end - begin);
    lac_time_parts_round(&parts, 100, shares);
    for (gsize k = 0; k < parts.n; k++) {
      const double exact = 100 * (double) parts.parts[k].ns / (double) parts.whole_ns;
      g_assert_cmpfloat(fabs(shares[k] - exact), <, 1);
      sum += shares[k];
    }
    g_assert_cmpuint(sum, ==, 100);
  }
}

/* Three thirds are 34, 33 and 33 per cent; sixths would be 102 if each were rounded. */
static void
test_rounding(void)
{
  LacTimePart        thirds[3] = {{0, 1}, {1, 1}, {2, 1}}, sixths[6];
  const LacTimeParts three = {thirds, 3, 3}, six = {sixths, 6, 6}, none = {thirds, 3, 0};
  guint              shares[6], sum = 0;
  lac_time_parts_round(&three, 100, shares);
  g_assert_cmpuint(shares[0], ==, 34);
  g_assert_cmpuint(shares[1], ==, 33);
  g_assert_cmpuint(shares[2], ==, 33);
  for (guint32 i = 0; i < 6; i++)
    sixths[i] = (LacTimePart){i, 1};
  lac_time_parts_round(&six, 100, shares);
  for (guint i = 0; i < 6; i++)
    sum += shares[i];
  g_assert_cmpuint(sum, ==, 100);
  lac_time_parts_round(&none, 100, shares);
  g_assert_cmpuint(shares[0] + shares[1] + shares[2], ==, 0);
}

/* The time of an operation is not counted again as that of the phase in which it ran. Two threads worked in it: their
 * time is summed in the operation, while the phase loses the clock's. */
static void
test_operations(void)
{
  LacCallNode nodes[] = {
    {.name = 0, .parent = LAC_CALL_NONE, .total_ns = 1000},
    {.name = 1, .parent = 0, .depth = 1, .is_operation = TRUE, .total_ns = 300},
    {.name = 2, .parent = 0, .depth = 1, .is_operation = TRUE, .total_ns = 500},
  };
  const LacCallTree  tree = {.nodes = nodes, .n = 3}, none = {0};
  const LacAggregate rows[] = {
    {.name = 0, .total_ns = 1000, .self_ns = 1000, .share = 1},
    {.name = 1, .is_operation = TRUE, .total_ns = 600, .self_ns = 600},
    {.name = 2, .is_operation = TRUE, .total_ns = 1000, .self_ns = 1000},
  };
  g_auto(LacTimeParts) with = lac_time_parts_of_operations(&tree, rows, 3);
  g_auto(LacTimeParts) without = lac_time_parts_of_operations(&none, rows, 1);
  g_autoptr(GArray)    own = lac_own_times(&tree, rows, 3);
  double               shares = 0;
  g_assert_cmpuint(with.n, ==, 3);
  g_assert_cmpint(with.whole_ns, ==, 1800);
  g_assert_cmpuint(with.parts[0].name, ==, 2);
  g_assert_cmpint(with.parts[0].ns, ==, 1000);
  g_assert_cmpint(sum_of(&with), ==, with.whole_ns);
  g_assert_cmpint(without.whole_ns, ==, 1000);
  for (guint i = 0; i < own->len; i++)
    shares += g_array_index(own, LacAggregate, i).share;
  g_assert_cmpfloat_with_epsilon(shares, 1, 1e-12);
  g_assert_cmpfloat(g_array_index(own, LacAggregate, 0).self_ns, ==, 200);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/time-parts/phases-make-the-clock", test_phases);
  g_test_add_func("/perf/time-parts/bare-steps-are-a-phase", test_bare_steps);
  g_test_add_func("/perf/time-parts/every-range-is-partitioned", test_ranges);
  g_test_add_func("/perf/time-parts/percentages-make-100", test_rounding);
  g_test_add_func("/perf/time-parts/operations-have-their-own-total", test_operations);
  return g_test_run();
}
