/* SPDX-License-Identifier: GPL-3.0-or-later */
/* About This Machine: one group of rows per processor or device. */
#include "app/shell/machine-window.h"

#include "app/toolkit/latest-job.h"
#include "run/machine/machine.h"
#include "run/machine/self-test.h"

#include <glib/gi18n-lib.h>

/* The self-test of one device, in a thread. Signal: changed, when it has begun, advanced or ended. */
#define LAC_TYPE_DEVICE_TEST (lac_device_test_get_type())
G_DECLARE_FINAL_TYPE(LacDeviceTest, lac_device_test, LAC, DEVICE_TEST, GObject)

#define PERIOD_MS 100

/* The request of the job. Both threads access it with atomic operations. */
typedef struct {
  char         *name;
  GCancellable *cancellable;
  gint          permille;
  const char   *what; /* static, name of a check */
} Job;

struct _LacDeviceTest {
  GObject      parent_instance;
  char        *name;
  Job         *job; /* (nullable): while it is running */
  LacSelfTest *result;
  GError      *error;
  guint        ticker;
};

G_DEFINE_FINAL_TYPE(LacDeviceTest, lac_device_test, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
job_free(gpointer data)
{
  Job *job = data;
  g_free(job->name);
  g_object_unref(job->cancellable);
  g_free(job);
}

static void
lac_device_test_finalize(GObject *object)
{
  LacDeviceTest *self = LAC_DEVICE_TEST(object);
  g_clear_handle_id(&self->ticker, g_source_remove);
  g_clear_pointer(&self->result, lac_self_test_free);
  g_clear_error(&self->error);
  g_free(self->name);
  G_OBJECT_CLASS(lac_device_test_parent_class)->finalize(object);
}

static void
lac_device_test_class_init(LacDeviceTestClass *class)
{
  G_OBJECT_CLASS(class)->finalize = lac_device_test_finalize;
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_DEVICE_TEST, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
}

static void
lac_device_test_init(LacDeviceTest *self)
{
}

static LacDeviceTest *
device_test_new(const char *name)
{
  LacDeviceTest *self = g_object_new(LAC_TYPE_DEVICE_TEST, NULL);
  self->name = g_strdup(name);
  return self;
}

static void
on_progress(double fraction, const char *what, gpointer user_data)
{
  Job *job = user_data;
  g_atomic_int_set(&job->permille, (gint) (1000 * fraction));
  g_atomic_pointer_set(&job->what, what);
}

static gboolean
is_cancelled(gpointer user_data)
{
  return g_cancellable_is_cancelled(((Job *) user_data)->cancellable);
}

static gpointer
run(gpointer data, GCancellable *cancellable, GError **error)
{
  Job                   *job = data;
  const LacSelfTestWatch watch = {on_progress, is_cancelled, job};
  return lac_self_test_run(job->name, &watch, error);
}

/* Keeps the program alive during the test: exiting while a thread runs inside a module would unload the data it
 * uses. */
static void
keep_program(gboolean keep)
{
  GApplication *application = g_application_get_default();
  if (application == NULL)
    return;
  if (keep)
    g_application_hold(application);
  else
    g_application_release(application);
}

static void
on_done(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  LacDeviceTest *self = owner;
  keep_program(FALSE);
  g_clear_handle_id(&self->ticker, g_source_remove);
  self->job = NULL;
  self->result = result;
  self->error = error != NULL ? g_error_copy(error) : NULL;
  g_signal_emit(self, signals[CHANGED], 0);
}

static gboolean
on_tick(gpointer user_data)
{
  g_signal_emit(user_data, signals[CHANGED], 0);
  return G_SOURCE_CONTINUE;
}

/* Cancelled through the job's own cancellable, not the task's: a cancelled test still reports its result. */
static void
device_test_start(LacDeviceTest *self)
{
  if (self->job != NULL)
    return;
  g_clear_pointer(&self->result, lac_self_test_free);
  g_clear_error(&self->error);
  self->job = g_new0(Job, 1);
  self->job->name = g_strdup(self->name);
  self->job->cancellable = g_cancellable_new();
  self->ticker = g_timeout_add(PERIOD_MS, on_tick, self);
  keep_program(TRUE);
  lac_job_run(self, &(LacJobKind){.work = run, .show = on_done, .free_request = job_free},
              self->job);
  g_signal_emit(self, signals[CHANGED], 0);
}

static void
device_test_cancel(LacDeviceTest *self)
{
  if (self->job != NULL)
    g_cancellable_cancel(self->job->cancellable);
}

static gboolean
device_test_is_running(LacDeviceTest *self)
{
  return self->job != NULL;
}

/* @what: (out) (nullable): name of the check in progress. Returns: 0...1 */
static double
device_test_get_progress(LacDeviceTest *self, const char **what)
{
  *what = self->job != NULL ? g_atomic_pointer_get(&self->job->what) : NULL;
  return self->job != NULL ? g_atomic_int_get(&self->job->permille) / 1000.0 : 0;
}

/* Returns: (nullable): result of the last test that ended; NULL if none has, or it could not begin */
static const LacSelfTest *
device_test_get_result(LacDeviceTest *self)
{
  return self->result;
}

/* Returns: (nullable): why it could not begin */
static const char *
device_test_get_error(LacDeviceTest *self)
{
  return self->error != NULL ? self->error->message : NULL;
}

/* ---- rows ---- */

/* Widgets of a device's self-test; freed with the window. */
typedef struct {
  AdwPreferencesGroup *group;
  LacDeviceTest       *test;
  GtkWidget           *button;
  GtkWidget           *running, *bar, *verdict; /* rows, and the bar in the first */
  GPtrArray           *results;                 /* rows below the verdict, one per result */
} TestRows;

#define SHORT_TEXT 36 /* characters; longer texts go below the title */

/* A short text stands beside the title, a long one below it. */
static GtkWidget *
make_row(const char *title, const char *text)
{
  GtkWidget *row = adw_action_row_new();
  adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
  adw_action_row_set_title_lines(ADW_ACTION_ROW(row), 4);
  adw_action_row_set_subtitle_lines(ADW_ACTION_ROW(row), 6);
  if (g_utf8_strlen(text, -1) > SHORT_TEXT) {
    adw_action_row_set_subtitle(ADW_ACTION_ROW(row), text);
    return row;
  }
  GtkWidget *label = gtk_label_new(text);
  gtk_widget_add_css_class(label, "dim-label");
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), label);
  return row;
}

static void
add_rows(AdwPreferencesGroup *group, char **rows, GPtrArray *added)
{
  for (char **row = rows; row[0] != NULL && row[1] != NULL; row += 2) {
    GtkWidget *widget = make_row(row[0], row[1]);
    adw_preferences_group_add(group, widget);
    if (added != NULL)
      g_ptr_array_add(added, widget);
  }
}

/* ---- the test of a device ---- */

static void
test_rows_free(TestRows *self)
{
  device_test_cancel(self->test);
  g_signal_handlers_disconnect_by_data(self->test, self);
  g_signal_handlers_disconnect_by_data(self->button, self);
  g_object_unref(self->test);
  g_ptr_array_unref(self->results);
  g_free(self);
}

static void
remove_results(TestRows *self)
{
  for (guint i = 0; i < self->results->len; i++)
    adw_preferences_group_remove(self->group, g_ptr_array_index(self->results, i));
  g_ptr_array_set_size(self->results, 0);
}

static void
show_progress(TestRows *self)
{
  const char *what;
  double      fraction = device_test_get_progress(self->test, &what);
  gtk_progress_bar_set_fraction(GTK_PROGRESS_BAR(self->bar), fraction);
  adw_action_row_set_subtitle(ADW_ACTION_ROW(self->running), what != NULL ? what : "");
}

static void
show_result(TestRows *self)
{
  const LacSelfTest *result = device_test_get_result(self->test);
  const char        *error = device_test_get_error(self->test);
  gtk_widget_set_visible(self->verdict, result != NULL || error != NULL);
  remove_results(self);
  if (result == NULL) {
    adw_preferences_row_set_title(ADW_PREFERENCES_ROW(self->verdict), error != NULL ? error : "");
    return;
  }
  g_autofree char *verdict = lac_self_test_dup_verdict(result);
  g_auto(GStrv)    rows = lac_self_test_dup_rows(result);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(self->verdict), verdict);
  add_rows(self->group, rows, self->results);
}

static void
on_test_changed(TestRows *self)
{
  const gboolean running = device_test_is_running(self->test);
  gtk_button_set_label(GTK_BUTTON(self->button), running ? _("Cancel") : _("Test"));
  gtk_widget_set_visible(self->running, running);
  if (running && self->results->len > 0)
    remove_results(self);
  if (running) {
    gtk_widget_set_visible(self->verdict, FALSE);
    show_progress(self);
  } else {
    show_result(self);
  }
}

static void
on_test_clicked(TestRows *self)
{
  if (device_test_is_running(self->test))
    device_test_cancel(self->test);
  else
    device_test_start(self->test);
}

static GtkWidget *
make_bar(void)
{
  GtkWidget *bar = gtk_progress_bar_new();
  gtk_widget_set_valign(bar, GTK_ALIGN_CENTER);
  gtk_widget_set_size_request(bar, 160, -1);
  gtk_accessible_update_property(GTK_ACCESSIBLE(bar), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Progress of the test"), -1);
  return bar;
}

static void
add_test(AdwPreferencesGroup *group, const LacMachinePart *part)
{
  TestRows *self = g_new0(TestRows, 1);
  self->group = group;
  self->test = device_test_new(part->name);
  self->results = g_ptr_array_new();
  self->button = gtk_button_new_with_label(_("Test"));
  gtk_widget_set_tooltip_text(
    self->button, _("Check every operation against the processor, in less than a minute"));
  gtk_widget_set_valign(self->button, GTK_ALIGN_CENTER);
  adw_preferences_group_set_header_suffix(group, self->button);
  self->bar = make_bar();
  self->running = make_row(_("Testing"), "");
  adw_action_row_add_suffix(ADW_ACTION_ROW(self->running), self->bar);
  adw_preferences_group_add(group, self->running);
  self->verdict = make_row("", "");
  gtk_widget_add_css_class(self->verdict, "heading");
  adw_preferences_group_add(group, self->verdict);
  g_signal_connect_swapped(self->button, "clicked", G_CALLBACK(on_test_clicked), self);
  g_signal_connect_swapped(self->test, "changed", G_CALLBACK(on_test_changed), self);
  g_object_set_data(G_OBJECT(group), "test", self->test);
  /* Not connected to the group, which libadwaita 1.2 never frees. */
  g_signal_connect_swapped(gtk_widget_get_root(GTK_WIDGET(group)), "destroy",
                           G_CALLBACK(test_rows_free), self);
  on_test_changed(self);
}

/* ---- the window ---- */

static AdwPreferencesGroup *
add_group(AdwPreferencesPage *page, const char *title)
{
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP(adw_preferences_group_new());
  g_autofree char     *shown = g_markup_escape_text(title, -1);
  adw_preferences_group_set_title(group, shown);
  adw_preferences_page_add(page, group);
  return group;
}

static void
add_part(AdwPreferencesPage *page, const LacMachinePart *part)
{
  g_auto(GStrv)    rows = lac_machine_part_dup_rows(part);
  g_autofree char *title =
    /* Translators: a model, and the name that selects it: "cuda:1". */
    g_strdup_printf(_("%s (%s)"), lac_machine_part_get_title(part), part->name);
  AdwPreferencesGroup *group = add_group(page, title);
  char               **rest = rows;
  if (part->is_device && part->why == NULL) {
    adw_preferences_group_add(group, make_row(rows[0], rows[1])); /* usability of the part */
    add_test(group, part);
    group = add_group(page, ""); /* the self-test above the device's properties */
    rest += 2;
  }
  add_rows(group, rest, NULL);
}

static gpointer
ask(gpointer request, GCancellable *cancellable, GError **error)
{
  return lac_machine_query();
}

static void
on_answer(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  g_autoptr(GPtrArray) parts = result;
  AdwPreferencesPage  *page = owner;
  AdwPreferencesGroup *waiting = g_object_get_data(owner, "waiting");
  if (gtk_widget_get_root(GTK_WIDGET(page)) == NULL) /* window closed before the reply */
    return;
  adw_preferences_page_remove(page, waiting);
  for (guint i = 0; i < parts->len; i++)
    add_part(page, g_ptr_array_index(parts, i));
}

GtkWidget *
lac_machine_window_new(GtkWindow *parent)
{
  AdwPreferencesPage *page = ADW_PREFERENCES_PAGE(adw_preferences_page_new());
  GtkWidget          *window =
    g_object_new(ADW_TYPE_PREFERENCES_WINDOW, "transient-for", parent, "title",
                 _("About This Machine"), "search-enabled", FALSE, "default-height", 720, NULL);
  adw_preferences_window_add(ADW_PREFERENCES_WINDOW(window), page);
  g_object_set_data(G_OBJECT(page), "waiting", add_group(page, _("Looking for a GPU…")));
  lac_job_run(page, &(LacJobKind){.work = ask, .show = on_answer}, NULL);
  return window;
}
