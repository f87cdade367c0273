/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The set-up page: what it accepts and rejects, which rows it shows, the methods, the places, the bar, the command, and
 * the settings of a run. LACUNA_PROGRAM: the command line program. LACUNA_SCREENSHOTS: folder for screenshots. */
#include "app/field/screenshot.h"
#include "app/helpers/display.h"
#include "app/setup/form.h"
#include "app/setup/method-list.h"
#include "app/setup/page.h"
#include "app/setup/param-row.h"
#include "app/setup/place-list.h"
#include "app/toolkit/bottom-bar.h"
#include "app/toolkit/choice-list.h"
#include "app/toolkit/preferences.h"
#include "run/plan/launch-options.h"
#include "run/plan/yaml.h"

#include <glib/gstdio.h>

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

/* Asserts that every parameter but the methods, which have a list of their own, has a row. */
static void
assert_rows(GtkWidget *page, const LacParamTable *table, gboolean there)
{
  const LacParam *methods = lac_method_list_find_param(table);
  for (gsize i = 0; i < table->n_rows; i++)
    if (&table->rows[i] != methods)
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

static gboolean
count_frame(GtkWidget *widget, GdkFrameClock *clock, gpointer n)
{
  return ++*(guint *) n < 3;
}

/* A form emptied before its first frame builds no row. */
static void
test_empty_form(void)
{
  if (!display_open())
    return;
  const LacExperiment *experiment = get_default();
  g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
  g_autoptr(LacDraft)  launch = lac_draft_new(lac_launch_params());
  GtkWidget           *form = g_object_new(LAC_TYPE_SETUP_FORM, NULL), *window = gtk_window_new();
  guint                n = 0;
  gtk_window_set_child(GTK_WINDOW(window), form);
  gtk_window_present(GTK_WINDOW(window));
  lac_setup_form_set(LAC_SETUP_FORM(form), experiment, draft, launch);
  lac_setup_form_set(LAC_SETUP_FORM(form), NULL, NULL, NULL);
  gtk_widget_add_tick_callback(form, count_frame, &n, NULL);
  while (n < 3)
    g_main_context_iteration(NULL, TRUE);
  g_assert_null(
    lac_setup_form_find_built_row(LAC_SETUP_FORM(form), experiment->params.rows[0].key));
  gtk_window_destroy(GTK_WINDOW(window));
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

/* A value 0 with a name is a choice of its own, which leaves the entry empty; without it a value is proposed. Typing
 * passes through 0 without choosing it. */
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
                                    .zero = "No noise",
                                    .typical = 40};
  static const LacParamTable table = {&row, 1, sizeof(double)};
  g_autoptr(LacDraft)        draft = lac_draft_new(&table);
  GtkWidget                 *made = g_object_ref_sink(lac_param_row_new(&row, draft));
  LacParamRow               *self = LAC_PARAM_ROW(made);
  GtkEditable               *entry = GTK_EDITABLE(find_last(made, GTK_TYPE_ENTRY));
  GtkToggleButton           *some = GTK_TOGGLE_BUTTON(find_last(made, GTK_TYPE_TOGGLE_BUTTON));

  g_assert_false(gtk_toggle_button_get_active(some));
  g_assert_cmpstr(gtk_editable_get_text(entry), ==, "");
  g_assert_false(gtk_widget_is_sensitive(GTK_WIDGET(entry)));
  lac_param_row_enter(self, "30");
  g_assert_true(gtk_toggle_button_get_active(some));
  g_assert_cmpfloat(lac_draft_get_number(draft, &row), ==, 30);
  gtk_editable_set_text(entry, "0"); /* on the way to 0.5 */
  g_assert_true(gtk_widget_is_sensitive(GTK_WIDGET(entry)));
  gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(gtk_widget_get_prev_sibling(GTK_WIDGET(some))),
                               TRUE);
  g_assert_cmpfloat(lac_draft_get_number(draft, &row), ==, 0);
  g_assert_null(lac_param_row_get_error(self));
  g_assert_false(gtk_widget_is_sensitive(GTK_WIDGET(entry)));
  gtk_toggle_button_set_active(some, TRUE); /* the value proposed */
  g_assert_cmpfloat(lac_draft_get_number(draft, &row), ==, 40);
  g_assert_true(gtk_widget_is_sensitive(GTK_WIDGET(entry)));
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

/* ---- methods ---- */

static GtkWidget *
find_titled(GtkWidget *root, const char *title)
{
  if (ADW_IS_PREFERENCES_ROW(root) && gtk_widget_get_visible(root) &&
      g_strcmp0(adw_preferences_row_get_title(ADW_PREFERENCES_ROW(root)), title) == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child(root); child != NULL;
       child = gtk_widget_get_next_sibling(child)) {
    GtkWidget *found = find_titled(child, title);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static GtkWidget *
find_type(GtkWidget *root, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE(root, type))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child(root); child != NULL;
       child = gtk_widget_get_next_sibling(child)) {
    GtkWidget *found = find_type(child, type);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static void
assert_value(LacSetupPage *page, const char *key, const char *expected)
{
  LacRunSettings settings;
  lac_setup_page_fill(page, &settings);
  g_autofree char *text =
    lac_draft_dup_text(settings.draft, lac_param_find(lac_draft_get_table(settings.draft), key));
  g_assert_cmpstr(text, ==, expected);
}

static void
test_methods(void)
{
  if (!display_open())
    return;
  LacSetupPage *page = g_object_ref_sink(g_object_new(LAC_TYPE_SETUP_PAGE, NULL));
  lac_setup_page_set_experiment(page, get_default());
  LacMethodList *list = LAC_METHOD_LIST(find_type(GTK_WIDGET(page), LAC_TYPE_METHOD_LIST));
  lac_setup_page_enter(page, "engines", "enkf,pod");
  GtkWidget *pod = find_titled(GTK_WIDGET(list), "Gappy POD");
  g_signal_emit_by_name(find_last(pod, GTK_TYPE_BUTTON), "clicked"); /* moves it up */
  assert_value(page, "engines", "pod,enkf");
  GtkWidget *check = find_type(pod, GTK_TYPE_CHECK_BUTTON);
  gtk_check_button_set_active(GTK_CHECK_BUTTON(check), FALSE);
  assert_value(page, "engines", "enkf");
  g_assert_null(lac_setup_page_get_reason(page));
  lac_setup_page_enter(page, "engines", "");
  g_assert_nonnull(lac_setup_page_get_reason(page));
  lac_setup_page_enter(page, "engines", "pinn"); /* folded: comes out when it is chosen */
  g_assert_null(lac_setup_page_get_reason(page));
  GtkWidget *pinn = find_titled(GTK_WIDGET(list), "Physics-informed network");
  g_assert_null(gtk_widget_get_ancestor(gtk_widget_get_parent(pinn), ADW_TYPE_EXPANDER_ROW));
  g_assert_finalize_object(page);
}

/* ---- groups ---- */

/* A group of advanced parameters only is one expander with its name, and the names of the parameters in it. */
static void
test_folded_group(void)
{
  if (!display_open())
    return;
  LacSetupPage *page = g_object_ref_sink(g_object_new(LAC_TYPE_SETUP_PAGE, NULL));
  lac_setup_page_set_experiment(page, lac_experiment_find("picture", NULL));
  lac_setup_page_enter(page, "size", "64"); /* builds the rows */
  GtkWidget *fold = find_titled(GTK_WIDGET(page), "Physical scale");
  g_assert_true(ADW_IS_EXPANDER_ROW(fold));
  const char *names = adw_expander_row_get_subtitle(ADW_EXPANDER_ROW(fold));
  g_assert_true(g_str_has_prefix(names, "Object width, Distance, Wavelength"));
  g_assert_nonnull(strstr(names, "4")); /* how many there are */
  GtkWidget *group = gtk_widget_get_ancestor(fold, ADW_TYPE_PREFERENCES_GROUP);
  g_assert_cmpstr(adw_preferences_group_get_title(ADW_PREFERENCES_GROUP(group)), ==, "");
  g_assert_false(gtk_widget_has_css_class(fold, "changed"));
  lac_setup_page_enter(page, "width", "2");
  g_assert_true(gtk_widget_has_css_class(fold, "changed")); /* one sees where */
  g_assert_finalize_object(page);
}

/* ---- changed settings ---- */

static void
on_counted(LacSetupPage *page, GParamSpec *pspec, guint *n)
{
  (*n)++;
}

static void
test_changed(void)
{
  if (!display_open())
    return;
  guint         n_notified = 0;
  LacSetupPage *page = g_object_ref_sink(g_object_new(LAC_TYPE_SETUP_PAGE, NULL));
  lac_setup_page_set_experiment(page, get_default());
  g_signal_connect(page, "notify::n-changed", G_CALLBACK(on_counted), &n_notified);
  g_assert_cmpuint(lac_setup_page_get_n_changed(page), ==, 0);
  lac_setup_page_enter(page, "sensors", "9");
  lac_setup_page_enter(page, "sensors", "10"); /* the same one */
  g_assert_cmpuint(lac_setup_page_get_n_changed(page), ==, 1);
  g_assert_cmpuint(n_notified, ==, 1);
  lac_setup_page_enter(page, "seed", "3");
  g_assert_cmpuint(lac_setup_page_get_n_changed(page), ==, 2);
  LacParamRow *row = find_row(GTK_WIDGET(page), "sensors");
  g_assert_true(gtk_widget_has_css_class(GTK_WIDGET(row), "changed"));
  g_signal_emit_by_name(find_last(GTK_WIDGET(row), GTK_TYPE_BUTTON), "clicked"); /* undo */
  g_assert_false(gtk_widget_has_css_class(GTK_WIDGET(row), "changed"));
  g_assert_cmpuint(lac_setup_page_get_n_changed(page), ==, 1);
  lac_setup_page_reset(page);
  g_assert_cmpuint(lac_setup_page_get_n_changed(page), ==, 0);
  g_assert_finalize_object(page);
}

static void
test_swept(void)
{
  if (!display_open())
    return;
  LacSetupPage *page = g_object_ref_sink(g_object_new(LAC_TYPE_SETUP_PAGE, NULL));
  lac_setup_page_set_experiment(page, get_default());
  lac_setup_page_enter(page, "sweep", "sensors=4,8,12; placement=qr,random");
  LacParamRow *row = find_row(GTK_WIDGET(page), "sensors");
  LacParamRow *choice = find_row(GTK_WIDGET(page), "placement");
  g_assert_nonnull(strstr(adw_action_row_get_subtitle(ADW_ACTION_ROW(row)), "4, 8, 12"));
  g_assert_nonnull(strstr(adw_action_row_get_subtitle(ADW_ACTION_ROW(choice)), "Pivoted QR"));
  g_assert_false(gtk_widget_is_sensitive(find_type(GTK_WIDGET(row), GTK_TYPE_ENTRY)));
  lac_setup_page_enter(page, "sweep", "");
  g_assert_null(strstr(adw_action_row_get_subtitle(ADW_ACTION_ROW(row)), "4, 8, 12"));
  g_assert_true(gtk_widget_get_sensitive(find_type(GTK_WIDGET(row), GTK_TYPE_ENTRY)));
  g_assert_finalize_object(page);
}

/* ---- places and the bar ---- */

static void
test_places(void)
{
  if (!display_open())
    return;
  LacSetupPage  *page = g_object_ref_sink(g_object_new(LAC_TYPE_SETUP_PAGE, NULL));
  LacRunSettings settings;
  lac_setup_page_set_experiment(page, get_default());
  GtkWidget *list = find_type(GTK_WIDGET(page), LAC_TYPE_PLACE_LIST);
  lac_setup_page_enter(page, "backend", "cpu"); /* a place that is chosen is always shown */
  GtkWidget *cpu = find_titled(list, "This machine, processor only");
  GtkWidget *check = find_type(cpu, GTK_TYPE_CHECK_BUTTON);
  g_assert_true(gtk_check_button_get_active(GTK_CHECK_BUTTON(check)));
  GtkWidget *machine = find_titled(list, "This machine");
  gtk_check_button_set_active(GTK_CHECK_BUTTON(find_type(machine, GTK_TYPE_CHECK_BUTTON)), TRUE);
  lac_setup_page_fill(page, &settings);
  g_assert_cmpstr(settings.backend, ==, "auto");
  const char *words = adw_action_row_get_subtitle(ADW_ACTION_ROW(machine));
  g_assert_nonnull(strstr(words, "precision"));
  g_assert_finalize_object(page);
}

static void
test_bar(void)
{
  if (!display_open())
    return;
  LacSetupPage *page = g_object_ref_sink(g_object_new(LAC_TYPE_SETUP_PAGE, NULL));
  lac_setup_page_set_experiment(page, get_default());
  GtkWidget *bar = lac_setup_page_get_bar(page);
  g_assert_true(LAC_IS_BOTTOM_BAR(bar));
  g_assert_null(gtk_widget_get_parent(bar)); /* the window shows it */
  GtkWidget *title = find_type(bar, GTK_TYPE_LABEL);
  g_assert_true(g_str_has_prefix(gtk_label_get_text(GTK_LABEL(title)), "About "));
  g_assert_false(gtk_widget_has_css_class(title, "error"));
  lac_setup_page_enter(page, "sensors", "-3");
  g_assert_cmpstr(gtk_label_get_text(GTK_LABEL(title)), ==, lac_setup_page_get_reason(page));
  g_assert_true(gtk_widget_has_css_class(title, "error"));
  g_assert_finalize_object(page);
}

/* ---- the command ---- */

static void
assert_same_launch(LacSetupPage *page, const LacRunPlan *plan)
{
  g_auto(LacLaunch) launch = {0};
  LacRunSettings    settings, read = {0}, wanted = {0};
  lac_setup_page_fill(page, &settings);
  settings.disk_budget_bytes = lac_preferences_get_disk_budget();
  lac_launch_take(&launch, &settings, lac_setup_page_get_sweep(page));
  lac_launch_fill(&launch, &wanted);
  lac_launch_fill(&plan->launch, &read);
  g_assert_cmpuint(read.seed, ==, wanted.seed);
  g_assert_cmpuint(read.threads, ==, wanted.threads);
  g_assert_cmpstr(read.backend, ==, wanted.backend);
  g_assert_cmpstr(read.precision, ==, wanted.precision);
  g_assert_cmpint(read.detail, ==, wanted.detail);
  g_assert_cmpfloat(read.time_limit, ==, wanted.time_limit);
  g_assert_cmpstr(plan->launch.stated[LAC_LAUNCH_SWEEP], ==, lac_setup_page_get_sweep(page));
}

/* Has the program parse the line and write down what it understood. */
static LacRunPlan *
read_command(const char *line)
{
  g_autoptr(GError) error = NULL;
  g_autofree char  *folder = g_dir_make_tmp("lacuna-command-XXXXXX", &error);
  g_autofree char  *path = g_build_filename(folder, "plan.yaml", NULL);
  g_autofree char  *full = g_strdup_printf("%s --write %s", line, path);
  g_auto(GStrv)     argv = NULL;
  int               status;
  g_assert_true(g_shell_parse_argv(full, NULL, &argv, &error));
  g_assert_cmpstr(argv[0], ==, "lacuna");
  g_free(argv[0]);
  argv[0] = g_strdup(g_getenv("LACUNA_PROGRAM"));
  g_assert_true(g_spawn_sync(NULL, argv, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, NULL,
                             &status, &error));
  g_assert_true(g_spawn_check_wait_status(status, &error));
  LacRunPlan *plan = lac_yaml_read(path, &error);
  g_assert_no_error(error);
  g_remove(path);
  g_rmdir(folder);
  return plan;
}

static void
test_command(void)
{
  static const char *const edits[][2] = {
    {"engines", "pod,enkf"},
    {"sensors", "9"},
    {"placement", "random"},
    {"noise", "0.25"},
    {"sensor_regions", "1 2 0.5 never; 3 3 0.5 25"},
    {"seed", "12"},
    {"precision", "f64"},
    {"time_limit", "90"},
    {"sweep", "grid=32,64; dropout=0,10"},
  };
  if (g_getenv("LACUNA_PROGRAM") == NULL) {
    g_test_skip("LACUNA_PROGRAM names no program");
    return;
  }
  if (!display_open())
    return;
  LacSetupPage *page = g_object_ref_sink(g_object_new(LAC_TYPE_SETUP_PAGE, NULL));
  lac_setup_page_set_experiment(page, get_default());
  for (gsize n = 0; n <= G_N_ELEMENTS(edits); n += G_N_ELEMENTS(edits)) {
    g_autoptr(GError) error = NULL;
    LacRunSettings    settings;
    for (gsize i = 0; i < n; i++)
      g_assert_true(lac_setup_page_enter(page, edits[i][0], edits[i][1]));
    g_assert_null(lac_setup_page_get_reason(page));
    g_autofree char *line = lac_setup_page_dup_command(page, &error);
    g_assert_no_error(error);
    g_autoptr(LacRunPlan) plan = read_command(line);
    lac_setup_page_fill(page, &settings);
    g_assert_true(plan->experiment == settings.experiment);
    for (gsize i = 0; i < plan->experiment->params.n_rows; i++) {
      const LacParam  *row = &plan->experiment->params.rows[i];
      g_autofree char *read = lac_draft_dup_text(plan->draft, row);
      assert_value(page, row->key, read);
    }
    assert_same_launch(page, plan);
  }
  g_assert_finalize_object(page);
}

/* ---- the settings of a run ---- */

static LacRunSetting sensors_of_run = {.key = (char *) "sensors",
                                       .label = (char *) "",
                                       .group = (char *) "",
                                       .unit = (char *) "1",
                                       .text = (char *) "21"};

static void
test_run(void)
{
  if (!display_open())
    return;
  LacRunFile    run = {.ref_count = 1000, /* never freed */
                       .experiment = (char *) get_default()->name,
                       .backend = (char *) "cpu",
                       .precision = (char *) "f64",
                       .seed = 7,
                       .threads = 1,
                       .n_settings = 1,
                       .settings = &sensors_of_run};
  LacSetupPage *page = g_object_ref_sink(g_object_new(LAC_TYPE_SETUP_PAGE, NULL));
  lac_setup_page_set_experiment(page, get_default());
  lac_setup_page_enter(page, "sensors", "9");
  GtkWidget *forms =
    GTK_WIDGET(gtk_widget_get_template_child(GTK_WIDGET(page), LAC_TYPE_SETUP_PAGE, "forms"));
  lac_setup_page_set_run(page, &run);
  GtkWidget *shown = gtk_stack_get_visible_child(GTK_STACK(forms));
  GtkWidget *window = gtk_window_new();
  guint      late = display_limit_wait();
  gtk_window_set_child(GTK_WINDOW(window), GTK_WIDGET(page));
  gtk_window_present(GTK_WINDOW(window));
  while (find_row(shown, "sweep") == NULL) /* the last one */
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
  GtkWidget *entry = find_type(GTK_WIDGET(find_row(shown, "sensors")), GTK_TYPE_ENTRY);
  g_assert_cmpstr(gtk_editable_get_text(GTK_EDITABLE(entry)), ==, "21");
  g_assert_false(gtk_widget_is_sensitive(entry));
  GtkWidget *fold = find_titled(shown, "Advanced");
  g_assert_true(ADW_IS_EXPANDER_ROW(fold) && gtk_widget_is_sensitive(fold)); /* opens */
  assert_value(page, "sensors", "9"); /* the draft is as it was */
  lac_setup_page_set_run(page, NULL);
  shown = gtk_stack_get_visible_child(GTK_STACK(forms));
  entry = find_type(GTK_WIDGET(find_row(shown, "sensors")), GTK_TYPE_ENTRY);
  g_assert_cmpstr(gtk_editable_get_text(GTK_EDITABLE(entry)), ==, "9");
  g_assert_true(gtk_widget_is_sensitive(entry));
  gtk_window_destroy(GTK_WINDOW(window));
  g_assert_cmpint(run.ref_count, ==, 1000);
  g_assert_finalize_object(page);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/app/setup/a-bad-value-is-refused-with-a-reason", test_refuses);
  g_test_add_func("/app/setup/conditions-between-parameters-are-checked", test_conditions);
  g_test_add_func("/app/setup/one-thread-is-left-to-the-window", test_threads);
  g_test_add_func("/app/setup/rows-come-when-they-are-looked-at", test_rows_come_when_looked_at);
  g_test_add_func("/app/setup/an-emptied-form-builds-no-rows", test_empty_form);
  g_test_add_func("/app/setup/rows-of-an-engine-that-is-off-are-hidden", test_engine_rows);
  g_test_add_func("/app/setup/choices-are-ticked-and-moved-up", test_choices);
  g_test_add_func("/app/setup/a-zero-with-a-name-is-a-choice", test_named_zero);
  g_test_add_func("/app/setup/a-choice-is-shown-by-its-name", test_named_choice);
  g_test_add_func("/app/setup/a-caution-is-shown", test_caution);
  g_test_add_func("/app/setup/the-preview-says-of-these-parameters-why-it-is-not-there",
                  test_preview_words);
  g_test_add_func("/app/setup/methods-are-ticked-moved-up-and-unfolded", test_methods);
  g_test_add_func("/app/setup/a-group-of-advanced-rows-is-one-expander", test_folded_group);
  g_test_add_func("/app/setup/changed-settings-are-counted-and-undone", test_changed);
  g_test_add_func("/app/setup/a-swept-row-shows-its-values", test_swept);
  g_test_add_func("/app/setup/a-place-is-a-backend", test_places);
  g_test_add_func("/app/setup/the-bar-says-what-it-takes-or-why-not", test_bar);
  g_test_add_func("/app/setup/the-command-does-the-same", test_command);
  g_test_add_func("/app/setup/the-settings-of-a-run-are-shown-and-the-draft-stays", test_run);
  return g_test_run();
}
