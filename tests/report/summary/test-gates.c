/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quality gates: the first method is held to them, baselines are not; a value equal to the limit fails. */
#include "report/summary/gates.h"

#include <math.h>
#include <string.h>

static LacRunMetric
result(const char *key, double last)
{
  return (LacRunMetric){
    .key = (char *) key, .label = (char *) key, .is_result = TRUE, .last = last};
}

/* Returns: (transfer full): the table's lines, the heading first. */
static GStrv
print(LacRunMetric *metrics, gsize n)
{
  const LacRunFile   run = {.n_metrics = n, .metrics = metrics};
  g_auto(LacTable)   table = {0};
  g_autoptr(GString) text = g_string_new(NULL);

  lac_gates_fill(&run, &table);
  lac_table_print(&table, text);
  return g_strsplit(g_strchomp(text->str), "\n", -1);
}

/* Gappy POD measures the placement: its gain is a baseline's while another method comes first. */
static void
test_rows(void)
{
  LacRunMetric metrics[] = {
    result("fluctuation_relative_l2", 0.1),
    result("enkf.fluctuation_relative_l2", 0.1),
    result("pod.fluctuation_relative_l2", 0.63),
    result("pinn.residual", 0.1),
    result("placement_gain", 0.11),
  };
  g_auto(GStrv) lines = print(metrics, G_N_ELEMENTS(metrics));

  g_assert_cmpuint(g_strv_length(lines), ==, 2);
  g_assert_nonnull(strstr(lines[1], "yes"));
  g_assert_nonnull(strstr(lines[1], "enkf."));
}

static void
test_limits(void)
{
  LacRunMetric metrics[] = {
    result("fluctuation_relative_l2", 0.15),
    result("pod.fluctuation_relative_l2", 0.15),
    result("placement_gain", 0.31),
  };
  g_auto(GStrv) lines = print(metrics, G_N_ELEMENTS(metrics));

  g_assert_cmpuint(g_strv_length(lines), ==, 3);
  g_assert_nonnull(strstr(lines[1], "no"));
  g_assert_nonnull(strstr(lines[1], "pod."));
  g_assert_nonnull(strstr(lines[2], "yes"));
}

static void
test_nothing(void)
{
  LacRunMetric     metric = result("energy", -1);
  const LacRunFile run = {.n_metrics = 1, .metrics = &metric};
  g_auto(LacTable) table = {0};

  lac_gates_fill(&run, &table);
  g_assert_cmpuint(table.kinds->len, ==, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/gates/baselines-have-none", test_rows);
  g_test_add_func("/report/gates/a-value-at-its-limit-fails", test_limits);
  g_test_add_func("/report/gates/a-run-without-such-numbers-has-none", test_nothing);
  return g_test_run();
}
