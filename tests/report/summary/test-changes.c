/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes while running and settings that mattered, from the journal and settings of a run. */
#include "report/summary/changes.h"
#include "report/summary/settings.h"

/* Texts are only read. */
#define TEXT(text) ((char *) (text))

static LacRunSetting settings[] = {
  {TEXT("noise"), TEXT("Noise"), TEXT(""), TEXT("%"), TEXT("1"), TEXT(""), .is_default = TRUE},
  {TEXT("sensors"), TEXT("Sensors K"), TEXT(""), TEXT("1"), TEXT("12"), TEXT("")},
  {TEXT("engines"), TEXT("Methods"), TEXT(""), TEXT("1"), TEXT("enkf,pod"), TEXT("")},
  {TEXT("inflation"), TEXT("Inflation"), TEXT(""), TEXT("1"), TEXT("1.05"), TEXT("enkf"),
   .is_default = TRUE},
  {TEXT("damping"), TEXT("Damping"), TEXT(""), TEXT("1"), TEXT("-0.1"), TEXT("enkf"),
   .is_default = TRUE, .is_advanced = TRUE},
  {TEXT("depth"), TEXT("Depth"), TEXT(""), TEXT("1"), TEXT("3"), TEXT("pinn"), .is_unused = TRUE},
};
static LacRunMetric metrics[] = {
  {.key = TEXT("enkf.error"), .label = TEXT("Ensemble Kalman filter"), .unit = TEXT("1")},
  {.key = TEXT("pod.error"), .label = TEXT("Gappy POD"), .unit = TEXT("1")},
};
static LacRunEvent events[] = {
  {41, 1, TEXT("set"), TEXT("inflation = 1.6")},
  {50, 2, TEXT("checkpoint"), NULL},
  {60, 3, TEXT("set"), TEXT("inflation = -2")},
  {70, 4, TEXT("set"), TEXT("unheard = 3")},
};

static LacRunFile
make_run(void)
{
  return (LacRunFile){.experiment = TEXT("kolmogorov"),
                      .n_settings = G_N_ELEMENTS(settings),
                      .settings = settings,
                      .n_metrics = G_N_ELEMENTS(metrics),
                      .metrics = metrics,
                      .n_events = G_N_ELEMENTS(events),
                      .events = events};
}

/* Each change begins with the value that the one before it set. */
static void
test_changes(void)
{
  static const char *const texts[] = {"Inflation 1.05 → 1.6 at step 41",
                                      "Inflation 1.6 → −2 at step 60"};
  const LacRunFile         run = make_run();
  g_autoptr(GArray)        changes = lac_run_changes(&run);

  g_assert_cmpuint(changes->len, ==, G_N_ELEMENTS(texts));
  for (guint i = 0; i < changes->len; i++) {
    g_autofree char *text = lac_run_change_dup_text(&g_array_index(changes, LacRunChange, i));
    g_assert_cmpstr(text, ==, texts[i]);
  }
  g_assert_false(lac_run_event_is_change(&events[1]));
}

/* Neither a default of the run, nor an advanced one, nor a setting of a method that did not run mattered. */
static void
test_settings(void)
{
  const LacRunFile  run = make_run();
  g_autoptr(GArray) lines = lac_settings_that_mattered(&run);

  g_assert_cmpuint(lines->len, ==, 2);
  g_assert_cmpstr(g_array_index(lines, LacSettingsLine, 0).title, ==, "Changed");
  g_assert_cmpstr(g_array_index(lines, LacSettingsLine, 0).text, ==,
                  "Sensors K 12 · Methods Ensemble Kalman filter, Gappy POD");
  g_assert_cmpstr(g_array_index(lines, LacSettingsLine, 1).title, ==, "Ensemble Kalman filter");
  g_assert_cmpstr(g_array_index(lines, LacSettingsLine, 1).text, ==, "Inflation 1.05");
}

static void
test_values(void)
{
  const LacRunFile run = make_run();
  g_autofree char *percent = lac_setting_dup_value(&run, &settings[0], "1");
  g_autofree char *none = lac_setting_dup_value(&run, &settings[2], "");
  g_autofree char *name = lac_setting_dup_value(&run, &settings[2], "2026-11-21.csv");

  g_assert_cmpstr(percent, ==, "1 %");
  g_assert_cmpstr(none, ==, "none");
  g_assert_cmpstr(name, ==, "2026-11-21.csv");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/changes/begin-with-the-value-before", test_changes);
  g_test_add_func("/report/settings/changed-first-then-of-the-methods", test_settings);
  g_test_add_func("/report/settings/values-have-units", test_values);
  return g_test_run();
}
