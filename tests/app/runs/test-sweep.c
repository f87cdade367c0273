/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep in the window: its runs one after the other, and the page with the results. */
#include "app/helpers/display.h"
#include "app/helpers/run-folder.h"
#include "app/runs/folder-page.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

static const char *const small[][2] = {
  {"grid", "16"},   {"forcing", "2"}, {"snapshots", "60"}, {"observations", "20"},
  {"spin_up", "5"}, {"sensors", "4"}, {"engines", "pod"},
};

static LacDraft *
make_draft(const LacExperiment *experiment)
{
  LacDraft *draft = lac_draft_new(&experiment->params);
  for (gsize i = 0; i < G_N_ELEMENTS(small); i++)
    g_assert_true(lac_draft_set(draft, small[i][0], small[i][1], NULL));
  return draft;
}

static void
run_next(LacSweepSeries *series)
{
  g_autoptr(GError) error = NULL;
  LacRunSettings    settings;
  guint             late = display_limit_wait();
  g_assert_true(lac_sweep_series_fill(series, &settings));
  g_autoptr(LacSession) session = lac_session_new_run(&settings, &error);
  g_assert_no_error(error);
  while (lac_session_is_active(session))
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
  lac_sweep_series_take(series, session);
}

static void
count_labels(GtkWidget *root, const char *text, guint *n)
{
  if (GTK_IS_LABEL(root) && g_str_equal(gtk_label_get_text(GTK_LABEL(root)), text))
    (*n)++;
  for (GtkWidget *child = gtk_widget_get_first_child(root); child != NULL;
       child = gtk_widget_get_next_sibling(child))
    count_labels(child, text, n);
}

static void
assert_labels(GtkWidget *root, const char *text, guint expected)
{
  guint n = 0;
  count_labels(root, text, &n);
  g_assert_cmpuint(n, ==, expected);
}

/* Asserts the displayed outcomes of all runs, in the order of the table. */
static void
assert_outcomes(LacFolderPage *page, const char *expected)
{
  const LacSweepRuns *results = lac_folder_page_get_results(page);
  g_autoptr(GString)  words = g_string_new(NULL);
  for (guint i = 0; i < results->points->len; i++)
    g_string_append_printf(words, "%s%s", i > 0 ? " " : "",
                           lac_sweep_runs_get_point(results, i)->words);
  g_assert_cmpstr(words->str, ==, expected);
}

/* Asserts that the window reports the computation, and that each run then has a band, in order. */
static void
assert_bands(LacFolderPage *page)
{
  LacSweepBands *bands = lac_sweep_view_get_bands(lac_folder_page_get_sweep(page));
  guint          late = display_limit_wait();
  g_assert_true(lac_sweep_bands_is_measuring(bands));
  assert_labels(GTK_WIDGET(page), "Computing random placements: 0 of 2 runs", 1);
  while (lac_sweep_bands_is_measuring(bands))
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
  assert_labels(lac_folder_page_get_bar(page), "2 of 2 finished", 1);
  g_assert_cmpuint(lac_sweep_bands_get_n(bands), ==, 2);
  for (gsize i = 0; i < 2; i++) {
    const LacRandomBand *band = lac_sweep_bands_get(bands, i);
    g_assert_cmpuint(band->n, ==, LAC_RANDOM_DRAWS);
    g_assert_cmpfloat(band->low, <, band->median);
    g_assert_cmpfloat(band->median, <, band->high);
  }
  g_assert_cmpfloat(lac_sweep_bands_get(bands, 0)->median, !=,
                    lac_sweep_bands_get(bands, 1)->median);
}

/* Asserts that a cancelled computation yields nothing, and that its thread releases its references. */
static void
assert_cancelled(LacSweepSeries *series)
{
  LacSweepBands *bands = g_object_new(LAC_TYPE_SWEEP_BANDS, NULL);
  guint          late = display_limit_wait();
  lac_sweep_bands_measure(bands, series);
  g_assert_true(lac_sweep_bands_is_measuring(bands));
  lac_sweep_bands_cancel(bands);
  g_assert_false(lac_sweep_bands_is_measuring(bands));
  g_object_add_weak_pointer(G_OBJECT(bands), (gpointer *) &bands);
  g_object_unref(bands);
  while (bands != NULL)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
}

/* Asserts that both runs have results, which differ, and that gappy POD, the only method, has the best. */
static void
assert_best(const LacSweepRuns *results, LacSweepSeries *series)
{
  g_auto(GStrv) metrics = lac_sweep_runs_dup_metrics(results);
  gssize        best = lac_sweep_runs_find_best(results, 0, metrics[0]);
  g_assert_cmpint(best, >=, 0);
  g_assert_cmpstr(lac_sweep_runs_get_column(results, (guint) best)->method, ==, "Gappy POD");
  g_assert_cmpint(lac_sweep_runs_find_axis(results), ==, 0);
  g_assert_cmpfloat(lac_sweep_runs_get_place(results, 0, 0), ==, 2);
  g_assert_cmpfloat(lac_sweep_runs_get_place(results, 1, 0), ==, 4);
  const LacSweepPoint *points[] = {lac_sweep_runs_get_point(results, 0),
                                   lac_sweep_runs_get_point(results, 1)};
  g_assert_true(isfinite(points[0]->results[best]));
  g_assert_cmpfloat(points[0]->results[best], !=, points[1]->results[best]);
  g_assert_cmpfloat(points[1]->seconds, ==, lac_sweep_series_get_seconds(series, 1));
}

static void
assert_file_says(const char *path, const char *text)
{
  g_autofree char *content = NULL;
  g_assert_true(g_file_get_contents(path, &content, NULL, NULL));
  g_assert_nonnull(strstr(content, text));
}

/* Asserts that the sweep is the same when it is found among the saved runs, by what was recorded with them. */
static void
assert_recorded(const char *out, const LacSweepRuns *live)
{
  g_autoptr(LacRunStore) store = lac_run_store_new();
  guint                  late = display_limit_wait();
  lac_run_store_set_folder(store, out);
  while (g_list_model_get_n_items(lac_run_store_get_model(store)) < 2)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
  LacSweepRuns *saved = lac_sweep_runs_new(lac_run_store_get_model(store), NULL, NULL);
  g_assert_cmpstrv(saved->keys, live->keys);
  g_assert_cmpstrv(saved->labels, live->labels);
  g_assert_cmpuint(saved->points->len, ==, live->points->len);
  for (guint i = 0; i < saved->points->len; i++) {
    const LacSweepPoint *one = lac_sweep_runs_get_point(saved, i);
    g_assert_cmpstrv(one->values, lac_sweep_runs_get_point(live, i)->values);
    g_assert_cmpstr(one->outcome, ==, "finished");
  }
  lac_sweep_runs_unref(saved);
}

/* Each run has its own value, so the results differ, and the table shows one row per run. */
static void
test_series(void)
{
  if (!display_open())
    return;
  g_autofree char          *out = g_dir_make_tmp("lacuna-sweep-XXXXXX", NULL);
  const LacExperiment      *experiment = lac_experiment_find("kolmogorov", NULL);
  g_autoptr(LacDraft)       draft = make_draft(experiment);
  LacRunSettings            settings = {.experiment = experiment,
                                        .draft = draft,
                                        .backend = "cpu",
                                        .precision = "f64",
                                        .threads = 1,
                                        .out = out};
  g_autoptr(LacSweepSeries) series = lac_sweep_series_new(&settings, "sensors=2,4", NULL);
  GtkWidget                *window = gtk_window_new();
  LacFolderPage            *page = g_object_new(LAC_TYPE_FOLDER_PAGE, NULL);
  gtk_window_set_child(GTK_WINDOW(window), GTK_WIDGET(page));
  gtk_window_present(GTK_WINDOW(window));
  lac_folder_page_set_series(page, series);
  assert_outcomes(page, "running waiting");
  run_next(series);
  assert_outcomes(page, "finished running");
  g_assert_false(lac_sweep_series_is_over(series));
  run_next(series);
  g_assert_true(lac_sweep_series_is_over(series));
  assert_outcomes(page, "finished finished");
  g_autofree char *title = lac_folder_page_dup_title(page);
  g_assert_cmpstr(title, ==, "Sensors K"); /* the label of the set-up page */
  assert_best(lac_folder_page_get_results(page), series);
  assert_bands(page);
  g_autofree char *chart = g_build_filename(out, "chart.svg", NULL);
  g_assert_true(
    lac_sweep_chart_write(lac_sweep_view_get_chart(lac_folder_page_get_sweep(page)), chart, NULL));
  assert_file_says(chart, "Gappy POD"); /* the curve is named */
  assert_recorded(out, lac_folder_page_get_results(page));
  assert_cancelled(series);
  gtk_window_destroy(GTK_WINDOW(window));
  remove_all(out);
}

static void
test_refused(void)
{
  static const struct {
    const char *text, *named;
  } wrong[] = {
    {"sensors=4,-1", "-1"},
    {"sensor=4", "sensor"},
    {"sensors", "KEY=A,B,C"},
    {"sensors=4,300", "300"}, /* more than the grid has: a check across parameters */
  };
  const LacExperiment *experiment = lac_experiment_find("kolmogorov", NULL);
  g_autoptr(LacDraft)  draft = make_draft(experiment);
  LacRunSettings       settings = {.experiment = experiment, .draft = draft};
  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
    g_autoptr(GError)         error = NULL;
    g_autoptr(LacSweepSeries) series = lac_sweep_series_new(&settings, wrong[i].text, &error);
    g_assert_null(series);
    g_assert_nonnull(strstr(error->message, wrong[i].named));
  }
}

static void
test_stopped(void)
{
  const LacExperiment      *experiment = lac_experiment_find("kolmogorov", NULL);
  g_autoptr(LacDraft)       draft = make_draft(experiment);
  LacRunSettings            settings = {.experiment = experiment, .draft = draft}, next;
  g_autoptr(LacSweepSeries) series =
    lac_sweep_series_new(&settings, "sensors=2,4; noise=0,1,2", NULL);
  g_assert_cmpuint(lac_sweep_get_n(lac_sweep_series_get_sweep(series)), ==, 6);
  g_assert_true(lac_sweep_series_fill(series, &next));
  lac_sweep_series_stop(series);
  g_assert_false(lac_sweep_series_fill(series, &next));
}

/* Runs with the same value are merged: the chart has a band, unless each value occurs once. */
static void
test_repeats(void)
{
  if (!display_open())
    return;
  g_autofree char          *out = g_dir_make_tmp("lacuna-sweep-XXXXXX", NULL);
  const LacExperiment      *experiment = lac_experiment_find("kolmogorov", NULL);
  g_autoptr(LacDraft)       draft = make_draft(experiment);
  LacRunSettings            settings = {.experiment = experiment,
                                        .draft = draft,
                                        .backend = "cpu",
                                        .precision = "f64",
                                        .threads = 1,
                                        .out = out};
  LacSweepChart            *chart = g_object_ref_sink(g_object_new(LAC_TYPE_SWEEP_CHART, NULL));
  g_autoptr(LacSweepSeries) series = lac_sweep_series_new(&settings, "sensors=2,4", NULL);
  run_next(series);
  run_next(series);
  settings.seed = 1;
  LacRunSettings      made;
  g_autoptr(LacDraft) same = lac_sweep_series_make(series, 0, &made);
  settings.sweep = made.sweep; /* another run of the same sweep */
  g_autoptr(LacSweepSeries) more = lac_sweep_series_new(&settings, "sensors=4", NULL);
  for (guint is_repeated = 0; is_repeated < 2; is_repeated++) {
    g_autoptr(LacRunStore) store = lac_run_store_new();
    guint                  late = display_limit_wait();
    if (is_repeated)
      run_next(more);
    lac_run_store_set_folder(store, out);
    while (g_list_model_get_n_items(lac_run_store_get_model(store)) < 2 + is_repeated)
      g_main_context_iteration(NULL, TRUE);
    g_source_remove(late);
    const char *const keys[] = {"sensors", NULL};
    LacSweepRuns     *runs = lac_sweep_runs_new(lac_run_store_get_model(store), keys, NULL);
    g_auto(GStrv)     metrics = lac_sweep_runs_dup_metrics(runs);
    lac_sweep_chart_set_results(chart, runs);
    lac_sweep_chart_set_look(chart, &(LacSweepLook){.metric = metrics[0]});
    g_assert_cmpint(lac_sweep_chart_has_repeats(chart), ==, (int) is_repeated);
    lac_sweep_runs_unref(runs);
  }
  g_assert_finalize_object(chart);
  remove_all(out);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/app/sweep/every-run-has-its-turn-and-its-row", test_series);
  g_test_add_func("/app/sweep/repeated-runs-make-a-band", test_repeats);
  g_test_add_func("/app/sweep/what-cannot-run-is-refused-before", test_refused);
  g_test_add_func("/app/sweep/after-a-stop-nothing-follows", test_stopped);
  return g_test_run();
}
