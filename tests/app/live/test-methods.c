/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of methods: order, mark of the best, the step shown, curves hidden by key. */
#include "app/helpers/display.h"
#include "app/helpers/run-folder.h"
#include "app/helpers/vortices.h"
#include "app/live/method-view.h"
#include "app/live/page.h"

#include <math.h>
#include <string.h>

typedef struct {
  char       *folder;
  LacSession *session;
} Fixture;

static void
set_up(Fixture *fixture, gconstpointer data)
{
  g_autoptr(GError) error = NULL;
  fixture->folder = g_dir_make_tmp("lacuna-methods-XXXXXX", &error);
  g_assert_no_error(error);
  g_autoptr(LacRun)     run = vortices_run(fixture->folder);
  g_autoptr(LacRunFile) file = lac_run_file_open(lac_run_get_folder(run), &error);
  g_assert_no_error(error);
  fixture->session = lac_session_new_file(file);
}

static void
tear_down(Fixture *fixture, gconstpointer data)
{
  g_clear_object(&fixture->session);
  remove_all(fixture->folder);
  g_free(fixture->folder);
}

static LacMethodView *
make_view(Fixture *fixture)
{
  LacMethodView *view = g_object_ref_sink(g_object_new(LAC_TYPE_METHOD_VIEW, NULL));
  lac_method_view_set_session(view, fixture->session);
  return view;
}

/* Returns: the last error of a method, from the session itself. */
static double
get_error(LacSession *session, const char *group)
{
  gsize            n;
  g_autofree char *key = g_strconcat(group, ".error", NULL);
  const LacMetric *metrics = lac_session_get_metrics(session, &n);
  for (gsize i = 0; i < n; i++)
    if (g_str_equal(metrics[i].key, key))
      return lac_session_get_last(session, i);
  g_assert_not_reached();
}

static void
test_order(Fixture *fixture, gconstpointer data)
{
  if (!display_open())
    return;
  LacMethodView        *view = make_view(fixture);
  const LacMethodTable *table = lac_method_view_get_table(view);
  double                before = 0;
  g_assert_cmpuint(table->n_rows, ==, 4);
  for (guint i = 0; i < 4; i++) { /* by rising error, the best first */
    int    row = lac_method_view_get_row(view, i);
    double error = get_error(fixture->session, table->rows[row].group);
    g_assert_cmpfloat(error, >=, before);
    before = error;
    if (i == 0)
      g_assert_cmpint(lac_method_view_get_best(view), ==, row);
  }
  g_assert_cmpint(lac_method_view_get_row(view, 4), ==, -1);
  g_object_unref(view);
}

/* Each method has the colour of its curves, and no two share one. */
static void
test_looks(Fixture *fixture, gconstpointer data)
{
  if (!display_open())
    return;
  LacMethodView *view = make_view(fixture);
  for (guint i = 0; i < 4; i++) {
    g_assert_cmpuint(lac_method_view_get_look(view, i), >, 0);
    for (guint k = 0; k < i; k++)
      g_assert_cmpuint(lac_method_view_get_look(view, i), !=, lac_method_view_get_look(view, k));
  }
  g_object_unref(view);
}

static gboolean
on_timeout(gpointer over)
{
  *(gboolean *) over = TRUE;
  return G_SOURCE_REMOVE;
}

static void
wait_ms(guint ms)
{
  gboolean over = FALSE;
  g_timeout_add(ms, on_timeout, &over);
  while (!over)
    g_main_context_iteration(NULL, TRUE);
}

/* At an earlier step the values are those of the curves at that step. */
static void
test_step(Fixture *fixture, gconstpointer data)
{
  if (!display_open())
    return;
  gsize                 n, column = 0;
  LacMethodView        *view = make_view(fixture);
  const LacMethodTable *table = lac_method_view_get_table(view);
  const LacMetric      *metrics = lac_session_get_metrics(fixture->session, &n);
  lac_method_view_set_step(view, 20);
  wait_ms(500);
  while (table->columns[column].kind != LAC_COLUMN_NOW)
    g_assert_cmpuint(++column, <, table->n_columns);
  for (gsize r = 0; r < table->n_rows; r++)
    for (gsize m = 0; m < n; m++) {
      g_autofree char *key = g_strconcat(table->rows[r].group, ".error", NULL);
      LacSessionSeries series = lac_session_get_series(fixture->session, m);
      if (!g_str_equal(metrics[m].key, key))
        continue;
      gsize at = 0;
      while (series.step[at] < 20)
        at++;
      g_assert_cmpfloat(series.step[at], ==, 20);
      g_assert_cmpfloat(table->rows[r].cells[column].value, ==, series.values[at]);
      g_assert_cmpfloat(table->rows[r].cells[column].value, !=,
                        get_error(fixture->session, table->rows[r].group));
    }
  g_object_unref(view);
}

static GtkWidget *
find_swatch(GtkWidget *root)
{
  if (GTK_IS_BUTTON(root) && gtk_widget_has_css_class(root, "swatch"))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child(root); child != NULL;
       child = gtk_widget_get_next_sibling(child)) {
    GtkWidget *found = find_swatch(child);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static void
note_toggled(LacMethodView *view, const char *group, gboolean shown, gpointer noted)
{
  g_string_append_printf(noted, "%s %d ", group, shown);
}

static void
test_swatch(Fixture *fixture, gconstpointer data)
{
  if (!display_open())
    return;
  GtkWidget     *window = gtk_window_new();
  LacMethodView *view = g_object_new(LAC_TYPE_METHOD_VIEW, NULL);
  GString       *noted = g_string_new(NULL);
  gtk_window_set_default_size(GTK_WINDOW(window), 900, 300);
  gtk_window_set_child(GTK_WINDOW(window), GTK_WIDGET(view));
  lac_method_view_set_session(view, fixture->session);
  gtk_window_present(GTK_WINDOW(window));
  GtkWidget *swatch = NULL;
  for (int i = 0; i < 100 && (swatch = find_swatch(window)) == NULL; i++)
    wait_ms(50);
  g_assert_nonnull(swatch);
  g_signal_connect(view, "toggled", G_CALLBACK(note_toggled), noted);
  int              row = lac_method_view_get_row(view, 0);
  const char      *group = lac_method_view_get_table(view)->rows[row].group;
  g_autofree char *expected = g_strdup_printf("%s 0 %s 1 ", group, group);
  g_signal_emit_by_name(swatch, "clicked");
  g_signal_emit_by_name(swatch, "clicked");
  g_assert_cmpstr(noted->str, ==, expected);
  gtk_window_destroy(GTK_WINDOW(window));
  g_string_free(noted, TRUE);
}

/* The pictures have the order of the table: the best next to the true field. */
static void
test_pictures(Fixture *fixture, gconstpointer data)
{
  if (!display_open())
    return;
  LacLivePage *page = g_object_ref_sink(g_object_new(LAC_TYPE_LIVE_PAGE, NULL));
  lac_live_page_set_session(page, fixture->session, NULL);
  const LacFieldScene *scene = lac_field_view_get_scene(lac_live_page_get_field(page));
  double               before = 0;
  g_assert_cmpint(lac_field_scene_get_channel(scene, 0)->role, ==, LAC_ROLE_TRUTH);
  for (guint i = 1; i < scene->n_panes; i++) {
    const char *point = strrchr(lac_field_scene_get_channel(scene, i)->key, '.');
    double      error = get_error(fixture->session, point + 1);
    g_assert_cmpfloat(error, >=, before);
    before = error;
  }
  lac_live_page_set_session(page, NULL, NULL);
  g_object_unref(page);
}

/* ---- a method evaluated by its sensors alone ---- */

static const char *const small[][2] = {
  {"grid", "16"},   {"forcing", "2"}, {"snapshots", "60"}, {"observations", "20"},
  {"spin_up", "5"}, {"sensors", "6"}, {"engines", "pod"},
};

/* @measurements: (nullable): the run then has no true field. Returns: (transfer full): ended. */
static LacSession *
run(const char *out, const char *measurements)
{
  const LacExperiment *experiment = lac_experiment_find("kolmogorov", NULL);
  g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
  g_autoptr(GError)    error = NULL;
  guint                late = display_limit_wait();
  for (gsize i = 0; i < G_N_ELEMENTS(small); i++)
    g_assert_true(lac_draft_set(draft, small[i][0], small[i][1], NULL));
  if (measurements != NULL)
    lac_draft_set(draft, "measurements", measurements, &error);
  g_assert_no_error(error);
  const LacRunSettings settings = {.experiment = experiment,
                                   .draft = draft,
                                   .backend = "cpu",
                                   .precision = "f64",
                                   .threads = 1,
                                   .out = out};
  LacSession          *session = lac_session_new_run(&settings, &error);
  g_assert_no_error(error);
  while (lac_session_is_active(session))
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
  g_assert_cmpstr(lac_session_get_status(session)->outcome, ==, "finished");
  return session;
}

/* Returns the first visible label below @root that contains @words. */
static GtkWidget *
find_words(GtkWidget *root, const char *words)
{
  if (GTK_IS_LABEL(root))
    return gtk_widget_get_visible(root) && strstr(gtk_label_get_text(GTK_LABEL(root)), words)
             ? root
             : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(root); child != NULL;
       child = gtk_widget_get_next_sibling(child)) {
    GtkWidget *found = find_words(child, words);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static void
test_finding(Fixture *fixture, gconstpointer data)
{
  if (!display_open())
    return;
  g_autoptr(LacSession) scored = run(fixture->folder, NULL);
  g_autofree char *sensors = g_build_filename(lac_session_get_folder(scored), "sensors.csv", NULL);
  g_autoptr(LacSession) alone = run(fixture->folder, sensors);
  LacLivePage          *page = g_object_ref_sink(g_object_new(LAC_TYPE_LIVE_PAGE, NULL));
  lac_live_page_set_session(page, scored, NULL);
  g_assert_null(find_words(GTK_WIDGET(page), "(misfit χ²"));
  lac_live_page_set_session(page, alone, NULL);
  GtkWidget *sentence = find_words(GTK_WIDGET(page), "(misfit χ²");
  g_assert_nonnull(sentence);
  const char *text = gtk_label_get_text(GTK_LABEL(sentence));
  g_assert_true(g_str_has_prefix(text, "Gappy POD ") && g_str_has_suffix(text, "."));
  g_assert_nonnull(strstr(text, "a left-out sensor is predicted"));
  lac_live_page_set_session(page, NULL, NULL);
  g_object_unref(page);
}

#define ADD(path, test) g_test_add(path, Fixture, NULL, set_up, test, tear_down)

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  ADD("/app/methods/the-best-comes-first", test_order);
  ADD("/app/methods/every-method-has-a-colour-of-its-own", test_looks);
  ADD("/app/methods/values-are-those-of-the-step-shown", test_step);
  ADD("/app/methods/a-click-on-a-swatch-hides-the-curves", test_swatch);
  ADD("/app/methods/pictures-have-the-order-of-the-table", test_pictures);
  ADD("/app/methods/a-method-without-truth-has-its-finding", test_finding);
  return g_test_run();
}
