/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Suggestions after divergence: the table applied to every experiment, and a run that diverges because of a high
 * rate. */
#include "base/error.h"
#include "experiment/advice.h"
#include "experiment/experiment.h"
#include "helpers/folder.h"
#include "run/core/remedy.h"

#include <string.h>

/* Every suggestion is valid for its experiment, differs from the current value, and can be repeated. */
static void
test_table(void)
{
  static const char *const    whos[] = {"",          "pinn",    "enkf",        "solver",
                                        "surrogate", "pod",     "pie",         "rpie",
                                        "raar",      "decoder", "pretraining", "optimisation"};
  gsize                       n, n_suggested = 0;
  const LacExperiment *const *experiments = lac_experiments(&n);

  for (gsize i = 0; i < n; i++) {
    for (gsize w = 0; w < G_N_ELEMENTS(whos); w++) {
      g_autoptr(LacDraft) draft = lac_draft_new(&experiments[i]->params);
      g_auto(LacAdvice)   advice = {0};
      GError             *error = NULL;
      lac_advice_find(experiments[i], draft, whos[w], &advice);
      g_assert_nonnull(advice.cause);
      if (advice.row == NULL)
        continue;
      n_suggested++;
      double before = lac_draft_get_number(draft, advice.row);
      g_assert_true(lac_draft_set(draft, advice.row->key, advice.text, &error));
      g_assert_no_error(error);
      g_assert_cmpfloat(lac_draft_get_number(draft, advice.row), !=, before);
      if (experiments[i]->check != NULL)
        experiments[i]->check(experiments[i], lac_draft_get_values(draft), &error);
      g_assert_no_error(error);
    }
  }
  g_assert_cmpuint(n_suggested, >, n); /* on average at least one per experiment */
}

static void
set(LacDraft *draft, const char *key, const char *text)
{
  g_autoptr(GError) error = NULL;

  lac_draft_set(draft, key, text, &error);
  g_assert_no_error(error);
}

static LacRun *
run(const LacExperiment *experiment, const LacDraft *draft, const char *out)
{
  g_autoptr(GError) error = NULL;
  LacRunSettings    settings = {.experiment = experiment,
                                .draft = draft,
                                .threads = 1,
                                .backend = "cpu",
                                .precision = "auto",
                                .out = out};
  LacRun           *made = lac_run_new(&settings, &error);

  g_assert_no_error(error);
  lac_run_start(made, FALSE);
  lac_run_wait(made, &error);
  g_assert_no_error(error);
  return made;
}

/* An ensemble with a time step that is unstable for its solver: it is reported, and the suggested run gets further. */
static void
test_torn(void)
{
  static const char *const pairs[][2] = {
    {"grid", "16"},         {"spin_up", "2"},           {"snapshots", "60"},
    {"observations", "24"}, {"members", "8"},           {"engines", "enkf"},
    {"inflation", "2"},     {"most_inflation", "10"},   {"time_step", "0.1"},
    {"start_members", "0"}, {"analysis", "stochastic"}, {"localisation", "1.5"}};
  g_autofree char     *out = test_folder_new();
  g_autoptr(GError)    error = NULL;
  const LacExperiment *experiment = lac_experiment_find("kolmogorov", &error);
  g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
  LacRunStatus         status;

  for (gsize i = 0; i < G_N_ELEMENTS(pairs); i++)
    set(draft, pairs[i][0], pairs[i][1]);
  g_autoptr(LacRun) torn = run(experiment, draft, out);
  lac_run_get_status(torn, &status);
  g_assert_cmpstr(status.outcome, ==, "diverged");
  g_autoptr(LacRemedy) remedy = lac_remedy_find(lac_run_get_folder(torn));
  g_assert_nonnull(remedy);
  g_autofree char *text = lac_remedy_dup_text(remedy);
  g_test_message("%s", text);
  g_assert_nonnull(strstr(text, status.message));
  g_assert_nonnull(remedy->row);
  g_assert_cmpstr(remedy->row->key, ==, "time_step");

  g_autoptr(LacRun) again = run(experiment, remedy->draft, out);
  gint64            step = status.step;
  lac_run_get_status(again, &status);
  g_assert_cmpint(status.step, >, step); /* to its end, or further */
  test_folder_remove(g_steal_pointer(&out));
}

/* The true solution itself becomes non-finite before the first step. */
static void
test_truth(void)
{
  g_autofree char     *out = test_folder_new();
  g_autoptr(GError)    error = NULL;
  const LacExperiment *experiment = lac_experiment_find("kolmogorov", &error);
  g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
  const char *const    pairs[][2] = {
       {"grid", "32"},       {"spin_up", "4"},     {"snapshots", "60"}, {"observations", "24"},
       {"reynolds", "1000"}, {"time_step", "0.1"}, {"interval", "0.5"}};

  for (gsize i = 0; i < G_N_ELEMENTS(pairs); i++)
    set(draft, pairs[i][0], pairs[i][1]);
  LacRunSettings    settings = {.experiment = experiment,
                                .draft = draft,
                                .threads = 1,
                                .backend = "cpu",
                                .precision = "auto",
                                .out = out};
  g_autoptr(LacRun) failed = lac_run_new(&settings, &error);
  g_assert_no_error(error);
  lac_run_start(failed, FALSE);
  g_assert_false(lac_run_wait(failed, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_UNSTABLE);
  g_autoptr(LacRemedy) remedy = lac_remedy_find(lac_run_get_folder(failed));
  g_assert_nonnull(remedy);
  g_assert_cmpstr(remedy->outcome, ==, "failed");
  g_assert_cmpstr(remedy->row->key, ==, "time_step");
  g_assert_cmpstr(remedy->text, ==, "0.05");
  test_folder_remove(g_steal_pointer(&out));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/run/remedy/every-suggestion-is-taken", test_table);
  g_test_add_func("/run/remedy/a-run-that-is-torn-apart-says-what-to-try", test_torn);
  g_test_add_func("/run/remedy/a-truth-that-is-torn-apart-says-what-to-try", test_truth);
  return g_test_run();
}
