/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A repeated run is bitwise identical, and the comparison detects differences. */
#include "base/error.h"
#include "report/compare/bitwise.h"
#include "run/helpers/lorenz.h"

#include <string.h>

static LacRun *
run_again(const char *model, const char *out)
{
  LacRunSettings settings = {.experiment = &lorenz, .again = model, .out = out, .threads = 2};
  return lorenz_run(&settings);
}

/* Returns: (transfer full): the text of comparing @run with @model. */
static char *
score(const char *run, const char *model, gboolean *is_same)
{
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacRunFile) one = lac_run_file_open(run, &error);
  g_autoptr(LacRunFile) other = lac_run_file_open(model, &error);
  g_assert_no_error(error);
  char *text = lac_bitwise_compare(one, other, is_same, &error);
  g_assert_no_error(error);
  return text;
}

/* The repetition also ends at the step at which the original ended. */
static void
test_a_run_is_done_again(gconstpointer subject)
{
  g_autofree char *out = test_folder_new();
  LacRunStatus     status, status_again;
  gboolean         is_same;
  {
    g_autoptr(LacRun) run = lorenz_run_case(subject, out);
    g_autoptr(LacRun) again = run_again(lac_run_get_folder(run), out);
    g_autofree char  *text = score(lac_run_get_folder(again), lac_run_get_folder(run), &is_same);
    g_assert_cmpstr(lac_run_get_folder(again), !=, lac_run_get_folder(run));
    assert_same_results(lac_run_get_folder(again), lac_run_get_folder(run));
    g_assert_true(is_same);
    g_assert_nonnull(strstr(text, "Bitwise identical"));
    lac_run_get_status(run, &status);
    lac_run_get_status(again, &status_again);
    g_assert_cmpint(status_again.step, ==, status.step);
    g_assert_cmpstr(status_again.outcome, ==, status.outcome);
  }
  test_folder_remove(g_steal_pointer(&out));
}

/* Another seed differs from the start; a longer run continues beyond the end of the other. */
static void
test_a_difference_is_named(void)
{
  g_autoptr(LacDraft) draft = lorenz_draft("steps", "40", NULL);
  g_autoptr(LacDraft) longer = lorenz_draft("steps", "50", NULL);
  g_autofree char    *out = test_folder_new();
  LacRunSettings      settings = lorenz_settings(draft, out);
  gboolean            is_same = TRUE;
  {
    g_autoptr(LacRun) run = lorenz_run(&settings);
    settings.seed++;
    g_autoptr(LacRun) other = lorenz_run(&settings);
    settings.seed--;
    settings.draft = longer;
    g_autoptr(LacRun) more = lorenz_run(&settings);
    g_autofree char  *text = score(lac_run_get_folder(other), lac_run_get_folder(run), &is_same);
    g_assert_false(is_same);
    g_assert_nonnull(strstr(text, "from step 0 on")); /* differs from the start */
    is_same = TRUE;
    g_autofree char *length = score(lac_run_get_folder(more), lac_run_get_folder(run), &is_same);
    g_assert_false(is_same);
    g_assert_nonnull(strstr(length, "from step 41 on"));
  }
  test_folder_remove(g_steal_pointer(&out));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  lorenz_add_cases("/run/again/to-the-bit/", test_a_run_is_done_again);
  g_test_add_func("/run/again/a-difference-is-named-with-its-step", test_a_difference_is_named);
  return g_test_run();
}
