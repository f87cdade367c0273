/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run plans written as YAML over existing texts; and presets. */
#include "base/error.h"
#include "experiment/experiment.h"
#include "helpers/folder.h"
#include "run/library/queue.h"
#include "run/plan/preset.h"
#include "run/plan/yaml-write.h"

#include <string.h>

static LacRunPlan *
read_plan(const char *text)
{
  g_autoptr(GError) error = NULL;
  LacRunPlan       *plan = lac_yaml_read_text(text, "text.yaml", &error);

  g_assert_no_error(error);
  return plan;
}

static char *
write_plan(const LacRunPlan *plan, const char *model)
{
  g_autoptr(GError) error = NULL;
  char             *text = lac_yaml_write(plan, model, &error);

  g_assert_no_error(error);
  return text;
}

static void
set(LacRunPlan *plan, const char *key, const char *value)
{
  g_autoptr(GError) error = NULL;

  lac_draft_set(plan->draft, key, value, &error);
  g_assert_no_error(error);
}

/* For every experiment, with its first number changed within its range: written, read and written again to the same
 * text. */
static void
test_every_experiment(void)
{
  gsize                       n;
  const LacExperiment *const *experiments = lac_experiments(&n);

  for (gsize i = 0; i < n; i++) {
    const LacParamTable *table = &experiments[i]->params;
    g_autofree char     *line =
      g_strdup_printf("experiment: %s\nseed: 3\nprofile: full\n", experiments[i]->name);
    g_autoptr(LacRunPlan) plan = read_plan(line);
    for (gsize r = 0; r < table->n_rows; r++) {
      g_autofree char *half = g_strdup_printf("%g", table->rows[r].min);
      if (table->rows[r].kind == LAC_PARAM_REAL)
        lac_draft_set(plan->draft, table->rows[r].key, half, NULL);
    }
    g_autofree char      *text = write_plan(plan, NULL);
    g_autoptr(LacRunPlan) again = read_plan(text);
    g_autofree char      *second = write_plan(again, NULL);
    g_autofree char      *kept = write_plan(again, text);
    g_assert_cmpstr(second, ==, text);
    g_assert_cmpstr(kept, ==, text);
    for (gsize r = 0; r < table->n_rows; r++) {
      g_autofree char *left = lac_draft_dup_text(plan->draft, &table->rows[r]);
      g_autofree char *right = lac_draft_dup_text(again->draft, &table->rows[r]);
      g_assert_cmpstr(left, ==, right);
    }
  }
}

static const char written[] = "# what I measured in May\n"
                              "\n"
                              "experiment:   kolmogorov   # the usual one\n"
                              "settings:\n"
                              "    noise: 1.50e0 # of the anemometers\n"
                              "    # the tunnel has that many holes\n"
                              "    'sensors':  \"12\"   # holes\n"
                              "seed:\t7     # lucky\n"
                              "# the end\n";

/* Editing one value leaves all other bytes unchanged. */
static void
test_one_value(void)
{
  g_autoptr(LacRunPlan) plan = read_plan(written);
  g_autofree char      *same = write_plan(plan, written);

  g_assert_cmpstr(same, ==, written);
  set(plan, "sensors", "16");
  g_autofree char *text = write_plan(plan, written);
  g_auto(GStrv)    parts = g_strsplit(written, "12", 2);
  g_autofree char *expected = g_strjoinv("16", parts);
  g_assert_cmpstr(text, ==, expected);
}

/* New values are appended; values no longer stated are removed with their line. */
static void
test_new_and_gone(void)
{
  g_autoptr(LacRunPlan) plan = read_plan(written);

  set(plan, "reynolds", "80");
  g_clear_pointer(&plan->launch.stated[LAC_LAUNCH_SEED], g_free);
  plan->launch.stated[LAC_LAUNCH_THREADS] = g_strdup("2");
  plan->launch.stated[LAC_LAUNCH_SWEEP] = g_strdup("sensors=4,8; noise=0,1");
  g_autofree char      *text = write_plan(plan, written);
  g_autoptr(LacRunPlan) again = read_plan(text);
  g_test_message("%s", text);
  g_assert_nonnull(strstr(text, "\"12\"   # holes\n    reynolds: 80"));
  g_assert_nonnull(strstr(text, "threads: 2\n"));
  g_assert_nonnull(strstr(text, "\nsettings:\n    noise: 1.50e0 # of the anemometers\n"));
  g_assert_null(strstr(text, "lucky"));
  g_assert_true(g_str_has_suffix(text, "# the end\n"));
  g_assert_cmpstr(again->launch.stated[LAC_LAUNCH_SWEEP], ==, "sensors=4,8; noise=0,1");
}

/* Within braces, without settings, without a final line break, with non-ASCII characters before the value. */
static void
test_other_forms(void)
{
  const struct {
    const char *text, *part;
  } forms[] = {
    {"{experiment: kolmogorov, settings: {noise: 2}}", "noise: 2, reynolds: 80}"},
    {"#\nexperiment: kolmogorov", "#\nexperiment: kolmogorov\nsettings:\n  reynolds: 80"},
    {"experiment: kolmogorov #\nsettings:\nseed: 3", "#\nsettings:\n  reynolds: 80"},
    {"# Größe – 大小\nexperiment: kolmogorov\nsettings: {reynolds: 60} # klein\n",
     "{reynolds: 80} # klein\n"},
    {"experiment: kolmogorov\r\nsettings:\r\n  reynolds: 60\r\n", "reynolds: 80"},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(forms); i++) {
    g_autoptr(LacRunPlan) plan = read_plan(forms[i].text);
    set(plan, "reynolds", "80");
    g_autofree char *text = write_plan(plan, forms[i].text);
    g_test_message("%s", text);
    g_assert_nonnull(strstr(text, forms[i].part));
  }
}

static void
test_own_equation(void)
{
  static const char     text[] = "equation: # mine\n"
                                 "  name: own-decay\n"
                                 "  domain: {t: [0, 1], x: [0, 1]}\n"
                                 "  fields: [u]\n"
                                 "  residuals: [u_t - u_xx] # heat\n"
                                 "  exact: {u: exp(-pi^2*t)*sin(pi*x)}\n";
  g_autoptr(LacRunPlan) plan = read_plan(text);
  g_autoptr(GError)     error = NULL;

  g_assert_null(lac_yaml_write(plan, NULL, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_NOT_IN_VERSION);
  set(plan, "sensors", "9");
  g_autofree char *kept = write_plan(plan, text);
  g_assert_true(g_str_has_prefix(kept, text));
  g_assert_nonnull(strstr(kept, "  sensors: 9"));
}

/* ---- presets ---- */

static void
test_presets(void)
{
  static const char *const names[] = {"a first", "../up/and away", ".hidden", "Größe 大", "100 %"};
  g_autoptr(GError)        error = NULL;
  gsize                    n = G_N_ELEMENTS(names);

  for (gsize i = 0; i < n; i++)
    g_assert_true(lac_preset_save("lorenz", names[i], written, &error));
  g_autoptr(GPtrArray) presets = lac_presets_list("lorenz");
  g_assert_cmpuint(presets->len, ==, n);
  for (gsize i = 0; i < n; i++) {
    g_autoptr(LacPreset) found = lac_preset_find("lorenz", names[i], &error);
    g_assert_no_error(error);
    g_assert_true(found->is_own);
    g_assert_true(g_str_has_prefix(found->path, g_get_user_data_dir()));
    g_assert_null(strstr(found->path, ".."));
  }
  g_assert_false(lac_preset_rename("lorenz", names[0], names[1], &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_USAGE);
  g_clear_error(&error);
  g_assert_true(lac_preset_rename("lorenz", names[0], "another", &error));
  g_autofree char *text = lac_preset_delete("lorenz", "another", &error);
  g_assert_cmpstr(text, ==, written);
  g_assert_null(lac_preset_find("lorenz", "another", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY);
  g_clear_error(&error);
  g_assert_true(lac_preset_save("lorenz", "another", text, &error));
  g_assert_false(lac_preset_save("lorenz", "  ", text, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_USAGE);
}

/* ---- the queue ---- */

static void
add(LacRunQueue *queue, const char *sensors, guint at)
{
  g_autoptr(GError) error = NULL;
  g_autofree char  *text =
    g_strdup_printf("experiment: kolmogorov\nsettings: {sensors: %s}\n", sensors);

  lac_run_queue_add(queue, text, at, &error);
  g_assert_no_error(error);
}

/* Asserts the order in memory, and as read by a new queue. */
static void
assert_order(LacRunQueue *queue, const char *folder, const char *expected)
{
  g_autoptr(LacRunQueue) again = lac_run_queue_new(folder);
  LacRunQueue           *both[] = {queue, again};

  for (gsize q = 0; q < G_N_ELEMENTS(both); q++) {
    GString *order = g_string_new(NULL);
    for (guint i = 0; i < lac_run_queue_get_n(both[q]); i++) {
      g_autofree char *changes = lac_run_plan_dup_changes(lac_run_queue_get(both[q], i)->plan);
      g_string_append_printf(order, "%s%s", i > 0 ? " " : "", strrchr(changes, ' ') + 1);
    }
    g_assert_cmpstr(order->str, ==, expected);
    g_string_free(order, TRUE);
  }
}

static void
test_queue(void)
{
  g_autofree char       *folder = test_folder_new();
  g_autoptr(LacRunQueue) queue = lac_run_queue_new(folder);
  g_autoptr(GError)      error = NULL;

  assert_order(queue, folder, "");
  add(queue, "4", G_MAXUINT);
  add(queue, "5", G_MAXUINT);
  add(queue, "6", 0);
  assert_order(queue, folder, "6 4 5");
  g_assert_true(lac_run_queue_move(queue, 2, 0, &error));
  assert_order(queue, folder, "5 6 4");
  g_autofree char *text = lac_run_queue_remove(queue, 1);
  assert_order(queue, folder, "5 4");
  g_assert_true(lac_run_queue_add(queue, text, 1, &error));
  assert_order(queue, folder, "5 6 4");
  g_assert_false(lac_run_queue_add(queue, "experiment: none\n", 0, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  assert_order(queue, folder, "5 6 4");
  while (lac_run_queue_get_n(queue) > 0)
    g_free(lac_run_queue_remove(queue, 0));
  assert_order(queue, folder, "");
  test_folder_remove(g_steal_pointer(&folder));
}

int
main(int argc, char **argv)
{
  char *home = test_folder_new();
  int   status;

  g_setenv("XDG_DATA_HOME", home, TRUE); /* for user presets */
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/run/plans/every-experiment-reads-back", test_every_experiment);
  g_test_add_func("/run/plans/an-edit-of-one-value-keeps-the-rest", test_one_value);
  g_test_add_func("/run/plans/what-is-new-and-what-is-gone", test_new_and_gone);
  g_test_add_func("/run/plans/braces-and-bare-texts", test_other_forms);
  g_test_add_func("/run/plans/an-equation-of-ones-own-stays-in-its-text", test_own_equation);
  g_test_add_func("/run/presets/saved-renamed-deleted-brought-back", test_presets);
  g_test_add_func("/run/queue/keeps-its-order-on-the-disk", test_queue);
  status = g_test_run();
  test_folder_remove(home);
  return status;
}
