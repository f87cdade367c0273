/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quality gates: every method's error is checked, missing metrics are not, and a value equal to the limit fails. */
#include "report/summary/gates.h"

#include <math.h>
#include <string.h>

static LacRunMetric
result(const char *key, double last)
{
  return (LacRunMetric){
    .key = (char *) key, .label = (char *) key, .is_result = TRUE, .last = last};
}

static void
test_rows(void)
{
  LacRunMetric metrics[] = {
    result("fluctuation_relative_l2", 0.1),
    result("enkf.fluctuation_relative_l2", 0.1),
    result("pod.fluctuation_relative_l2", 0.15),
    result("pinn.residual", NAN),
    result("placement_gain", 0.31),
  };
  const LacRunFile   run = {.n_metrics = G_N_ELEMENTS(metrics), .metrics = metrics};
  g_auto(LacTable)   table = {0};
  g_autoptr(GString) text = g_string_new(NULL);
  g_auto(GStrv)      lines = NULL;

  lac_gates_fill(&run, &table);
  lac_table_print(&table, text);
  lines = g_strsplit(g_strchomp(text->str), "\n", -1);
  g_assert_cmpuint(g_strv_length(lines), ==, 4); /* a heading and three rows */
  g_assert_nonnull(strstr(lines[1], "yes"));
  g_assert_nonnull(strstr(lines[1], "enkf."));
  g_assert_nonnull(strstr(lines[2], "no"));
  g_assert_nonnull(strstr(lines[2], "pod."));
  g_assert_nonnull(strstr(lines[3], "yes"));
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
  g_test_add_func("/report/gates/a-row-for-every-number-there-is", test_rows);
  g_test_add_func("/report/gates/a-run-without-such-numbers-has-none", test_nothing);
  return g_test_run();
}
