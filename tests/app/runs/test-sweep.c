/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep in the window: its runs one after the other, and the page with the results. */
#include "app/helpers/display.h"
#include "app/helpers/run-folder.h"
#include "app/runs/sweep-page.h"
#include "base/error.h"

#include <math.h>

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

/* Asserts that the window reports the computation, and that each run then has a band, in order. */
static void
assert_bands(LacSweepPage *page)
{
  LacSweepBands *bands = lac_sweep_page_get_bands(page);
  guint          late = display_limit_wait();
  g_assert_true(lac_sweep_bands_is_measuring(bands));
  assert_labels(GTK_WIDGET(page), "Computing random placements: 0 of 2 runs", 1);
  while (lac_sweep_bands_is_measuring(bands))
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
  assert_labels(GTK_WIDGET(page), "2 of 2 runs", 1);
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
  LacSweepPage             *page = g_object_new(LAC_TYPE_SWEEP_PAGE, NULL);
  gsize                     n_columns;
  gtk_window_set_child(GTK_WINDOW(window), GTK_WIDGET(page));
  gtk_window_present(GTK_WINDOW(window));
  lac_sweep_page_set_series(page, series);
  assert_labels(window, "waiting", 1);
  run_next(series);
  assert_labels(window, "running", 1);
  g_assert_false(lac_sweep_series_is_over(series));
  run_next(series);
  g_assert_true(lac_sweep_series_is_over(series));
  assert_labels(window, "finished", 2);
  assert_labels(window, "Sensors K", 1); /* the label of the set-up page */
  assert_labels(window, "Gappy POD", 1); /* once above its columns */
  lac_sweep_series_get_columns(series, &n_columns);
  g_assert_cmpuint(n_columns, >, 0);
  g_assert_true(isfinite(lac_sweep_series_get_value(series, 0, 0)));
  g_assert_cmpfloat(lac_sweep_series_get_value(series, 0, 0), !=,
                    lac_sweep_series_get_value(series, 1, 0));
  assert_bands(page);
  for (int i = 0; i < 20; i++) /* the chart is drawn */
    g_main_context_iteration(NULL, FALSE);
  lac_sweep_page_set_series(page, series); /* like a new sweep: without the band of the old one */
  g_assert_cmpuint(lac_sweep_bands_get_n(lac_sweep_page_get_bands(page)), ==, 0);
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

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/app/sweep/every-run-has-its-turn-and-its-row", test_series);
  g_test_add_func("/app/sweep/what-cannot-run-is-refused-before", test_refused);
  g_test_add_func("/app/sweep/after-a-stop-nothing-follows", test_stopped);
  return g_test_run();
}
