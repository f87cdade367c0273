/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every page and widget builds from its template; the set-up page accepts and rejects values. */
#include "app/helpers/display.h"
#include "app/live/page.h"
#include "app/runs/compare-page.h"
#include "app/runs/folder-page.h"
#include "app/setup/gallery-page.h"
#include "app/setup/page.h"
#include "app/setup/param-row.h"
#include "app/shell/application.h"
#include "app/shell/file-dialog.h"
#include "app/timeline/page.h"
#include "app/toolkit/choice-list.h"

#include <glib/gstdio.h>

/* Height of the smallest window, less its header, the page switcher below, and two lines of text that come with a
 * comparison. */
#define LEAST_HEIGHT (570 - 47 - 46 - 44)

static void
test_templates(void)
{
  if (!display_open())
    return;
  GType types[] = {LAC_TYPE_GALLERY_PAGE,  LAC_TYPE_SETUP_PAGE,   LAC_TYPE_LIVE_PAGE,
                   LAC_TYPE_TIMELINE_PAGE, LAC_TYPE_COMPARE_PAGE, LAC_TYPE_FOLDER_PAGE};
  for (gsize i = 0; i < G_N_ELEMENTS(types); i++) {
    GtkWidget *widget = g_object_ref_sink(GTK_WIDGET(g_object_new(types[i], NULL)));
    int        minimum = 0, natural = 0;
    gtk_widget_measure(widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
    g_assert_cmpint(minimum, <=, 1024); /* every page fits the smallest window */
    g_assert_cmpint(natural, >=, minimum);
    gtk_widget_measure(widget, GTK_ORIENTATION_VERTICAL, 1004, &minimum, &natural, NULL, NULL);
    g_assert_cmpint(minimum, <=, LEAST_HEIGHT);
    g_assert_finalize_object(widget);
  }
}

static const LacExperiment *
get_default(void)
{
  gsize                       n;
  const LacExperiment *const *all = lac_experiments(&n);
  for (gsize i = 0; i < n; i++)
    if (all[i]->is_default)
      return all[i];
  g_assert_not_reached();
}

static void
test_refuses(void)
{
  if (!display_open())
    return;
  LacSetupPage  *page = g_object_ref_sink(g_object_new(LAC_TYPE_SETUP_PAGE, NULL));
  LacRunSettings settings;
  g_assert_nonnull(lac_setup_page_get_reason(page)); /* nothing is selected */
  lac_setup_page_set_experiment(page, get_default());
  g_assert_null(lac_setup_page_get_reason(page));

  g_assert_true(lac_setup_page_enter(page, "sensors", "-3"));
  g_assert_nonnull(lac_setup_page_get_reason(page));
  g_assert_nonnull(strstr(lac_setup_page_get_reason(page), "-3")); /* names the value */

  g_assert_true(lac_setup_page_enter(page, "sensors", "9"));
  g_assert_null(lac_setup_page_get_reason(page));
  lac_setup_page_fill(page, &settings);
  const LacParam *param = lac_param_find(lac_draft_get_table(settings.draft), "sensors");
  g_assert_cmpfloat(lac_draft_get_number(settings.draft, param), ==, 9);

  g_assert_true(lac_setup_page_enter(page, "sensors", "many"));
  g_assert_nonnull(lac_setup_page_get_reason(page));
  lac_setup_page_reset(page);
  g_assert_null(lac_setup_page_get_reason(page));
  g_assert_false(lac_setup_page_enter(page, "no-such-parameter", "1"));
  g_assert_finalize_object(page);
}

static void
test_conditions(void)
{
  if (!display_open())
    return;
  LacSetupPage *page = g_object_ref_sink(g_object_new(LAC_TYPE_SETUP_PAGE, NULL));
  lac_setup_page_set_experiment(page, get_default());
  lac_setup_page_enter(page, "grid", "16");
  g_assert_null(lac_setup_page_get_reason(page));
  lac_setup_page_enter(page, "sensors",
                       "257"); /* within its own range, but more than the grid has */
  g_assert_nonnull(lac_setup_page_get_reason(page));
  g_assert_finalize_object(page);
}

static void
test_threads(void)
{
  if (!display_open())
    return;
  LacSetupPage  *page = g_object_ref_sink(g_object_new(LAC_TYPE_SETUP_PAGE, NULL));
  LacRunSettings settings;
  lac_setup_page_set_experiment(page, get_default());
  lac_setup_page_fill(page, &settings);
  g_assert_cmpuint(settings.threads, ==, MAX(lac_pool_available(), 2) - 1);
  lac_setup_page_enter(page, "threads", "0");
  g_assert_nonnull(lac_setup_page_get_reason(page));
  g_assert_finalize_object(page);
}

static LacParamRow *
find_row(GtkWidget *root, const char *key)
{
  if (LAC_IS_PARAM_ROW(root))
    return g_str_equal(lac_param_row_get_param(LAC_PARAM_ROW(root))->key, key) ? LAC_PARAM_ROW(root)
                                                                               : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(root); child != NULL;
       child = gtk_widget_get_next_sibling(child)) {
    LacParamRow *found = find_row(child, key);
    if (found != NULL)
      return found;
  }
  return NULL;
}

/* Asserts that the rows are in table order, each once. */
static void
assert_rows(GtkWidget *page, const LacParamTable *table, gboolean there)
{
  for (gsize i = 0; i < table->n_rows; i++)
    g_assert_true((find_row(page, table->rows[i].key) != NULL) == there);
}

/* Rows are built when the page is shown, a few per frame; a value entered earlier finds its row. */
static void
test_rows_come_when_looked_at(void)
{
  if (!display_open())
    return;
  LacSetupPage *page = g_object_ref_sink(g_object_new(LAC_TYPE_SETUP_PAGE, NULL));
  GtkWidget    *window = gtk_window_new();
  gtk_window_set_child(GTK_WINDOW(window), GTK_WIDGET(page));
  lac_setup_page_set_experiment(page, get_default());
  assert_rows(GTK_WIDGET(page), &get_default()->params, FALSE);
  g_assert_null(lac_setup_page_get_reason(page)); /* the run could be started nevertheless */
  gtk_window_present(GTK_WINDOW(window));
  while (find_row(GTK_WIDGET(page), "sweep") == NULL) /* the last one */
    g_main_context_iteration(NULL, TRUE);
  assert_rows(GTK_WIDGET(page), &get_default()->params, TRUE);
  lac_setup_page_set_experiment(page, lac_experiment_find("heat1d", NULL));
  g_assert_true(lac_setup_page_enter(page, "sensors", "7"));
  assert_rows(GTK_WIDGET(page), &lac_experiment_find("heat1d", NULL)->params, TRUE);
  gtk_window_destroy(GTK_WINDOW(window));
  g_assert_finalize_object(page);
}

/* Rows of a disabled method are absent; invalid values in them do not block a run. */
static void
test_engine_rows(void)
{
  if (!display_open())
    return;
  LacSetupPage *page = g_object_ref_sink(g_object_new(LAC_TYPE_SETUP_PAGE, NULL));
  lac_setup_page_set_experiment(page, get_default());
  lac_setup_page_enter(page, "engines",
                       "enkf,pod"); /* hidden page: entering a value builds the rows */
  GtkWidget *members = GTK_WIDGET(find_row(GTK_WIDGET(page), "members"));
  GtkWidget *group = gtk_widget_get_ancestor(members, ADW_TYPE_PREFERENCES_GROUP);
  g_assert_true(gtk_widget_get_visible(members) && gtk_widget_get_visible(group));
  lac_setup_page_enter(page, "members", "none");
  g_assert_nonnull(lac_setup_page_get_reason(page));
  lac_setup_page_enter(page, "engines", "pod");
  g_assert_false(gtk_widget_get_visible(members) || gtk_widget_get_visible(group));
  g_assert_null(lac_setup_page_get_reason(page));
  lac_setup_page_enter(page, "engines", "pod,enkf");
  g_assert_true(gtk_widget_get_visible(members) && gtk_widget_get_visible(group));
  g_assert_finalize_object(page);
}

/* Returns the last widget of @type under @root. */
static GtkWidget *
find_last(GtkWidget *root, GType type)
{
  GtkWidget *last = G_TYPE_CHECK_INSTANCE_TYPE(root, type) ? root : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(root); child != NULL;
       child = gtk_widget_get_next_sibling(child)) {
    GtkWidget *found = find_last(child, type);
    last = found != NULL ? found : last;
  }
  return last;
}

static void
assert_choices(LacChoiceList *choices, const char *expected)
{
  g_autofree char *text = lac_choice_list_dup_text(choices);
  g_assert_cmpstr(text, ==, expected);
}

static void
test_choices(void)
{
  if (!display_open())
    return;
  static const char *const names[] = {"a", "b", "c", NULL};
  const LacParam           param = {
              .key = "letters", .kind = LAC_PARAM_LIST, .choices = names, .titles = names};
  LacChoiceList *choices = g_object_ref_sink(LAC_CHOICE_LIST(lac_choice_list_new(&param)));
  assert_choices(choices, "");
  lac_choice_list_set(choices, lac_list_append(lac_list_append(0, 2), 0));
  assert_choices(choices, "c,a");
  GtkWidget *last = find_last(GTK_WIDGET(choices), GTK_TYPE_CHECK_BUTTON);
  gtk_check_button_set_active(GTK_CHECK_BUTTON(last), TRUE); /* whichever is last */
  g_autofree char *two = lac_choice_list_dup_text(choices);
  g_assert_cmpint(strlen(two), ==, 3);
  lac_choice_list_set(choices, lac_list_append(lac_list_append(lac_list_append(0, 1), 2), 0));
  assert_choices(choices, "b,c,a");
  g_signal_emit_by_name(find_last(GTK_WIDGET(choices), GTK_TYPE_BUTTON), "clicked");
  assert_choices(choices, "b,a,c"); /* moves the last one up */
  g_assert_finalize_object(choices);
}

/* A value 0 with a name is a choice of its own, which leaves the entry empty; without it the entry waits for a value. */
static void
test_named_zero(void)
{
  if (!display_open())
    return;
  static const LacParam      row = {"snr",
                                    0,
                                    LAC_PARAM_REAL,
                                    "dB",
                                    0,
                                    200,
                                    0,
                                    "Signal-to-noise ratio",
                                    "Detector",
                                    "Of one exposure",
                                    .zero = "No noise"};
  static const LacParamTable table = {&row, 1, sizeof(double)};
  g_autoptr(LacDraft)        draft = lac_draft_new(&table);
  GtkWidget                 *made = g_object_ref_sink(lac_param_row_new(&row, draft));
  LacParamRow               *self = LAC_PARAM_ROW(made);
  GtkEditable               *entry = GTK_EDITABLE(find_last(made, GTK_TYPE_ENTRY));
  GtkCheckButton            *none = GTK_CHECK_BUTTON(find_last(made, GTK_TYPE_CHECK_BUTTON));

  g_assert_true(gtk_check_button_get_active(none));
  g_assert_cmpstr(gtk_editable_get_text(entry), ==, "");
  g_assert_false(gtk_widget_get_sensitive(GTK_WIDGET(entry)));
  lac_param_row_enter(self, "30");
  g_assert_false(gtk_check_button_get_active(none));
  g_assert_cmpfloat(lac_draft_get_number(draft, &row), ==, 30);
  gtk_check_button_set_active(none, TRUE);
  g_assert_cmpfloat(lac_draft_get_number(draft, &row), ==, 0);
  g_assert_null(lac_param_row_get_error(self));
  gtk_check_button_set_active(none, FALSE);
  g_assert_nonnull(lac_param_row_get_error(self));
  g_assert_true(gtk_widget_get_sensitive(GTK_WIDGET(entry)));
  gtk_editable_set_text(entry, "20");
  g_assert_null(lac_param_row_get_error(self));
  g_assert_cmpfloat(lac_draft_get_number(draft, &row), ==, 20);
  g_assert_finalize_object(made);
}

/* A choice is shown by its name and kept by its key. */
static void
test_named_choice(void)
{
  if (!display_open())
    return;
  static const char *const keys[] = {"qr", "random", NULL}, *const names[] = {"Pivoted QR",
                                                                              "Random"};
  static const LacParam      row = {"placement",
                                    0,
                                    LAC_PARAM_CHOICE,
                                    "1",
                                    0,
                                    0,
                                    0,
                                    "Placement",
                                    "Sensors",
                                    "Method",
                                    .choices = keys,
                                    .titles = names};
  static const LacParamTable table = {&row, 1, sizeof(gint64)};
  g_autoptr(LacDraft)        draft = lac_draft_new(&table);
  GtkWidget                 *made = g_object_ref_sink(lac_param_row_new(&row, draft));
  GtkDropDown               *drop = GTK_DROP_DOWN(find_last(made, GTK_TYPE_DROP_DOWN));
  GtkStringList             *list = GTK_STRING_LIST(gtk_drop_down_get_model(drop));

  g_assert_cmpstr(gtk_string_list_get_string(list, 0), ==, "Pivoted QR");
  gtk_drop_down_set_selected(drop, 1);
  g_autofree char *text = lac_draft_dup_text(draft, &row);
  g_assert_cmpstr(text, ==, "random");
  g_assert_finalize_object(made);
}

static void
test_caution(void)
{
  if (!display_open())
    return;
  LacExperiment careful = *get_default();
  LacSetupPage *page = g_object_ref_sink(g_object_new(LAC_TYPE_SETUP_PAGE, NULL));
  lac_setup_page_set_experiment(page, get_default());
  GtkWidget *warning =
    GTK_WIDGET(gtk_widget_get_template_child(GTK_WIDGET(page), LAC_TYPE_SETUP_PAGE, "warning"));
  GtkLabel *words =
    GTK_LABEL(gtk_widget_get_template_child(GTK_WIDGET(page), LAC_TYPE_SETUP_PAGE, "caution"));
  g_assert_false(gtk_widget_get_visible(warning));
  careful.caution = "The source of a slice is not known.";
  lac_setup_page_set_experiment(page, &careful);
  g_assert_true(gtk_widget_get_visible(warning));
  g_assert_cmpstr(gtk_label_get_text(words), ==, careful.caution);
  g_assert_finalize_object(page);
}

/* Asserts the page shown by the file sheet for a file with this text, once it is read. */
static void
assert_sheet(const char *text, const char *page)
{
  g_autoptr(GError) error = NULL;
  g_autofree char  *folder = g_dir_make_tmp("lacuna-sheet-XXXXXX", &error);
  g_autofree char  *path = g_build_filename(folder, "table.csv", NULL);
  g_file_set_contents(path, text, -1, &error);
  g_assert_no_error(error);
  GtkWidget *sheet = lac_file_dialog_new(NULL, path);
  GtkStack  *stack = GTK_STACK(gtk_widget_get_template_child(sheet, LAC_TYPE_FILE_DIALOG, "stack"));
  guint      late = display_limit_wait();
  gtk_window_present(GTK_WINDOW(sheet));
  while (g_str_equal(gtk_stack_get_visible_child_name(stack), "reading"))
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
  g_assert_cmpstr(gtk_stack_get_visible_child_name(stack), ==, page);
  gtk_window_destroy(GTK_WINDOW(sheet));
  g_remove(path);
  g_rmdir(folder);
}

static void
test_sheet(void)
{
  if (!display_open())
    return;
  assert_sheet("x,y,t,quantity,value,sigma\n0.5,0.5,0,u,1,0.1\n", "read");
  assert_sheet("a,b\n1\n", "refused");
}

/* Waits until the message in place of the preview's pictures begins with @words. */
static void
wait_for_words(GtkWidget *preview, const char *words)
{
  GtkStack *stack = GTK_STACK(gtk_widget_get_first_child(preview));
  GtkLabel *why = GTK_LABEL(gtk_stack_get_child_by_name(stack, "refused"));
  guint     late = display_limit_wait();
  while (!g_str_equal(gtk_stack_get_visible_child_name(stack), "refused") ||
         !g_str_has_prefix(gtk_label_get_text(why), words))
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
}

static void
test_preview_words(void)
{
  if (!display_open())
    return;
  g_autoptr(GError) error = NULL;
  g_autofree char  *folder = g_dir_make_tmp("lacuna-flat-XXXXXX", &error);
  g_assert_no_error(error);
  g_autofree char *path = g_build_filename(folder, "flat.png", NULL);
  cairo_surface_t *black = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 64, 64);
  g_assert_cmpint(cairo_surface_write_to_png(black, path), ==, CAIRO_STATUS_SUCCESS);
  cairo_surface_destroy(black);
  LacSetupPage *page = g_object_ref_sink(g_object_new(LAC_TYPE_SETUP_PAGE, NULL));
  GtkWidget    *preview =
    GTK_WIDGET(gtk_widget_get_template_child(GTK_WIDGET(page), LAC_TYPE_SETUP_PAGE, "preview"));
  lac_setup_page_set_experiment(page, lac_experiment_find("picture", NULL));
  g_assert_true(lac_setup_page_enter(page, "object", path));
  wait_for_words(preview, "flat.png is constant");
  g_assert_true(lac_setup_page_enter(page, "size", "-3"));
  wait_for_words(preview, "The preview appears once"); /* the file is not the problem now */
  g_assert_true(lac_setup_page_enter(page, "size", "64"));
  wait_for_words(preview, "flat.png is constant");
  g_assert_finalize_object(page);
  g_remove(path);
  g_rmdir(folder);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/app/pages/each-builds-from-its-template", test_templates);
  g_test_add_func("/app/setup/a-bad-value-is-refused-with-a-reason", test_refuses);
  g_test_add_func("/app/setup/conditions-between-parameters-are-checked", test_conditions);
  g_test_add_func("/app/setup/one-thread-is-left-to-the-window", test_threads);
  g_test_add_func("/app/setup/rows-come-when-they-are-looked-at", test_rows_come_when_looked_at);
  g_test_add_func("/app/setup/rows-of-an-engine-that-is-off-are-hidden", test_engine_rows);
  g_test_add_func("/app/setup/choices-are-ticked-and-moved-up", test_choices);
  g_test_add_func("/app/setup/a-zero-with-a-name-is-a-choice", test_named_zero);
  g_test_add_func("/app/setup/a-choice-is-shown-by-its-name", test_named_choice);
  g_test_add_func("/app/setup/a-caution-is-shown", test_caution);
  g_test_add_func("/app/setup/the-preview-says-of-these-parameters-why-it-is-not-there",
                  test_preview_words);
  g_test_add_func("/app/files/a-sheet-says-what-is-inside", test_sheet);
  return g_test_run();
}
