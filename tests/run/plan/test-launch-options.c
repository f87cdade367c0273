/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launch table: plans and window allow the same values as the table. */
#include "base/error.h"
#include "base/number.h"
#include "run/plan/launch-options.h"
#include "run/plan/yaml-write.h"

#include <string.h>

static LacRunPlan *
read_line(const char *key, const char *value, GError **error)
{
  g_autofree char *text = g_strdup_printf("experiment: kolmogorov\n%s: %s\n", key, value);

  return lac_yaml_read_text(text, "plan.yaml", error);
}

/* Returns: (transfer full): valid values of a row: the ends of its range, or each of its choices */
static GStrv
dup_allowed(const LacParam *param)
{
  g_autoptr(GStrvBuilder) values = g_strv_builder_new();
  const gboolean          is_whole = param->kind == LAC_PARAM_INTEGER;

  for (guint i = 0; i < 2 && (is_whole || param->kind == LAC_PARAM_REAL); i++) {
    const double     end = i == 0 ? param->min : param->max;
    g_autofree char *text =
      is_whole ? g_strdup_printf("%" G_GINT64_FORMAT, (gint64) end) : lac_number_dup_text(end);
    g_strv_builder_add(values, text);
  }
  for (guint i = 0; param->kind == LAC_PARAM_CHOICE && param->choices[i] != NULL; i++)
    g_strv_builder_add(values, param->choices[i]);
  if (param->kind == LAC_PARAM_TEXT)
    g_strv_builder_add(values, "sensors=4,8");
  return g_strv_builder_end(values);
}

static void
test_plans(void)
{
  for (guint i = 0; i < LAC_N_LAUNCH; i++) {
    const LacLaunchRow *row = lac_launch_row((LacLaunchKey) i);
    g_auto(GStrv)       values = dup_allowed(&row->param);

    for (guint v = 0; values[v] != NULL; v++) {
      g_autoptr(GError)     error = NULL;
      g_autoptr(LacRunPlan) plan = read_line(row->param.key, values[v], &error);
      if (!(row->places & LAC_LAUNCH_IN_PLAN)) {
        g_assert_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY);
        continue;
      }
      g_assert_no_error(error);
      g_assert_cmpstr(plan->launch.stated[i], ==, values[v]);
      g_autofree char      *text = lac_yaml_write(plan, NULL, &error);
      g_autoptr(LacRunPlan) again = lac_yaml_read_text(text, "plan.yaml", &error);
      g_assert_no_error(error);
      g_assert_cmpstr(again->launch.stated[i], ==, values[v]);
    }
  }
}

/* Below the minimum, above the maximum, an unknown choice: the error has the position, the value and what is
 * allowed. */
static void
test_refusals(void)
{
  static const struct {
    const char *key, *value, *part;
  } wrong[] = {
    {"threads", "0", "plan.yaml:2:10: threads = 0 is not a whole number from 1 to 4096"},
    {"threads", "4097", "from 1 to 4096"},
    {"seed", "-1", "from 0 to"},
    {"seed", "9223372036854765569", "from 0 to 9223372036854765568"},
    {"time_limit", "-1", "from 0 to 1e9, in s"},
    {"time_limit", "inf", "time_limit = inf"},
    {"backend", "gpu", "backend = gpu is not one of auto, cpu, strict, cuda"},
    {"precision", "f16", "precision = f16 is not one of auto, f64, f32, bf16x6, bf16x3"},
    {"profile", "more", "profile = more is not one of off, coarse, full"},
    {"sweep", "nothing=1", "nothing"},
    {"colour", "red", "settings, seed, threads, backend, precision, profile, sweep, time_limit"},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
    g_autoptr(GError) error = NULL;
    g_assert_null(read_line(wrong[i].key, wrong[i].value, &error));
    g_test_message("%s", error->message);
    g_assert_nonnull(strstr(error->message, wrong[i].part));
  }
}

/* The window's rows are those of the table, none with a wider range. */
static void
test_window(void)
{
  const LacParamTable *table = lac_launch_params();
  gsize                at = 0;

  for (guint i = 0; i < LAC_N_LAUNCH; i++) {
    const LacLaunchRow *row = lac_launch_row((LacLaunchKey) i);
    if (!(row->places & LAC_LAUNCH_IN_WINDOW))
      continue;
    const LacParam *param = &table->rows[at++];
    g_assert_cmpstr(param->key, ==, row->param.key);
    g_assert_cmpstr(param->label, ==, row->param.label);
    g_assert_cmpint(param->kind, ==, row->param.kind);
    if (param->kind == LAC_PARAM_INTEGER || param->kind == LAC_PARAM_REAL) {
      g_assert_cmpfloat(param->min, >=, row->param.min);
      g_assert_cmpfloat(param->max, <=, row->param.max);
    }
  }
  g_assert_cmpuint(at, ==, table->n_rows);
}

/* A draft of the window survives conversion to a plan and to settings. */
static void
test_round(void)
{
  g_autoptr(LacDraft) draft = lac_draft_new(lac_launch_params());
  g_auto(LacLaunch)   launch = {0};
  LacRunSettings      from_window = {0}, from_plan = {0};

  g_assert_true(lac_draft_set(draft, "seed", "7", NULL));
  g_assert_true(lac_draft_set(draft, "backend", "strict", NULL));
  g_assert_true(lac_draft_set(draft, "precision", "f32", NULL));
  g_assert_true(lac_draft_set(draft, "profile", "full", NULL));
  g_assert_true(lac_draft_set(draft, "time_limit", "12.5", NULL));
  lac_launch_params_fill(draft, &from_window);
  from_window.disk_budget_bytes = G_GUINT64_CONSTANT(5000000);
  lac_launch_take(&launch, &from_window, NULL);
  lac_launch_fill(&launch, &from_plan);
  g_assert_cmpuint(from_plan.seed, ==, 7);
  g_assert_cmpuint(from_plan.threads, ==, from_window.threads);
  g_assert_cmpstr(from_plan.backend, ==, "strict");
  g_assert_cmpstr(from_plan.precision, ==, "f32");
  g_assert_cmpint(from_plan.detail, ==, LAC_PERF_FULL);
  g_assert_cmpfloat(from_plan.time_limit, ==, 12.5);
  g_assert_cmpuint(from_plan.disk_budget_bytes, ==, from_window.disk_budget_bytes);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/run/launch-options/each-row-of-a-plan-is-its-key", test_plans);
  g_test_add_func("/run/launch-options/what-it-refuses-a-plan-refuses", test_refusals);
  g_test_add_func("/run/launch-options/the-rows-of-the-window-are-its-rows", test_window);
  g_test_add_func("/run/launch-options/window-plan-and-settings-agree", test_round);
  return g_test_run();
}
