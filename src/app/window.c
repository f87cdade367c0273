/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The main window: its pages and the session they show. */
#include "app/accessible.h"
#include "app/file-sheet.h"
#include "app/follower.h"
#include "app/main-loop-watch.h"
#include "app/preferences.h"
#include "app/recent-files.h"
#include "app/toast.h"
#include "app/window-private.h"
#include "base/clock.h"
#include "io/runfile/place.h"
#include "io/trace/trace-file.h"
#include "run/plan/launch.h"
#include "run/plan/run-child.h"

#include <glib/gi18n-lib.h>

#include <string.h>

G_DEFINE_FINAL_TYPE(LacWindow, lac_window, ADW_TYPE_APPLICATION_WINDOW)

void
lac_window_say(LacWindow *self, const char *sentence)
{
  g_return_if_fail(LAC_IS_WINDOW(self));
  AdwToast *toast = lac_toast_new(sentence);
  if (self->sentence != NULL)
    lac_toast_dismiss(self->toasts, self->sentence); /* it would be news when it is none any more */
  g_set_weak_pointer(&self->sentence, toast);
  adw_toast_set_timeout(toast, 6);
  lac_toast_show(self->toasts, toast);
}

void
lac_window_show_page(LacWindow *self, const char *page)
{
  if (adw_view_stack_get_child_by_name(self->stack, page) != NULL)
    adw_view_stack_set_visible_child_name(self->stack, page);
}

static void
on_status(LacWindow *self)
{
  lac_window_update_actions(self);
}

static void
say_end(LacWindow *self)
{
  const LacRunStatus *status = lac_session_get_status(self->session);
  const char         *title = lac_session_get_title(self->session);
  g_autofree char    *words = lac_run_bar_dup_words(status);
  gboolean is_told = status->message[0] == '\0' || g_str_equal(status->message, status->fallback);
  g_autofree char *sentence = is_told ? g_strdup_printf("%s: %s.", title, words)
                                      : g_strdup_printf("%s: %s", title, status->message);
  lac_window_say(self, sentence);
}

static gboolean on_open_whole(gpointer user_data);

static void
on_ended(LacWindow *self)
{
  if (self->child != NULL) /* the end of its process counts */
    return;
  if (lac_session_is_file(self->session)) { /* it was followed */
    say_end(self);
    lac_run_store_refresh(self->run_store);
    g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, on_open_whole, g_object_ref(self), g_object_unref);
    return;
  }
  lac_window_finish_run(self);
}

void
lac_window_finish_run(LacWindow *self)
{
  gboolean stopped = g_str_equal(lac_session_get_status(self->session)->outcome, "stopped");
  lac_window_note_run_ended(self, lac_session_get_folder(self->session));
  lac_window_tell_ended(self, lac_session_get_folder(self->session));
  lac_window_update_actions(self);
  lac_window_update_inhibition(self);
  if (lac_window_go_on_with_sweep(self))
    return;
  say_end(self);
  lac_window_judge_repetition(self);
  lac_run_store_refresh(self->run_store);
  lac_window_end_hold(self);
  lac_window_go_on_with_queue(self, stopped);
}

void
lac_window_set_session(LacWindow *self, LacSession *session, const LacDraft *draft)
{
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
  lac_run_bar_set_session(self->run_bar, session);
  lac_fallback_banner_set_session(self->fallback, session);
  lac_live_page_set_session(self->live, session, draft);
  g_set_object(&self->session, session);
  lac_window_close_trace(self);
  if (session != NULL) {
    g_signal_connect_object(session, "status-changed", G_CALLBACK(on_status), self,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "frame-changed", G_CALLBACK(on_status), self,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "ended", G_CALLBACK(on_ended), self, G_CONNECT_SWAPPED);
  }
  g_autofree char *title = session == NULL
                             ? g_strdup("Lacuna")
                             : g_strdup_printf("%s – Lacuna", lac_session_get_title(session));
  gtk_window_set_title(GTK_WINDOW(self), title);
  lac_window_update_actions(self);
}

gboolean
lac_window_is_busy(LacWindow *self)
{
  g_return_val_if_fail(LAC_IS_WINDOW(self), FALSE);
  return self->child != NULL || (self->session != NULL && lac_session_is_active(self->session));
}

/* The run, and the files it was set up with. @draft: (nullable): of a run that goes on. */
static void
remember_files(LacSession *session, const LacDraft *draft)
{
  const LacParamTable *table = draft != NULL ? lac_draft_get_table(draft) : NULL;
  for (gsize i = 0; table != NULL && i < table->n_rows; i++) {
    if (table->rows[i].kind != LAC_PARAM_FILE)
      continue;
    g_autofree char *file = lac_draft_dup_text(draft, &table->rows[i]);
    char            *field = g_file_test(file, G_FILE_TEST_EXISTS) ? NULL : strrchr(file, '#');
    if (field != NULL)
      *field = '\0'; /* one field of the file was named */
    lac_recent_files_add(file);
  }
  lac_recent_files_add(lac_session_get_folder(session));
}

/* What follows the end of a run follows it also where the run is one that was recorded. */
static gboolean
on_recorded(gpointer user_data)
{
  LacWindow *self = user_data;
  if (self->session == NULL || !lac_session_is_file(self->session) ||
      lac_window_go_on_with_sweep(self))
    return G_SOURCE_REMOVE;
  lac_live_page_play(self->live);
  lac_window_judge_repetition(self);
  lac_window_go_on_with_queue(self, FALSE);
  return G_SOURCE_REMOVE;
}

gboolean
lac_window_launch(LacWindow *self, const LacRunSettings *settings)
{
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacRunFile) recorded = lac_window_take_recorded(self);
  if (recorded != NULL) {
    g_autoptr(LacSession) shown = lac_session_new_file(recorded);
    lac_window_set_session(self, shown, NULL);
    g_clear_pointer(&self->repeated, g_free);
    g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, on_recorded, g_object_ref(self), g_object_unref);
    return TRUE;
  }
  if (lac_window_is_busy(self)) {
    lac_window_say(self, _("A run is going on. Stop it first, or let it finish."));
    return FALSE;
  }
  if (lac_run_wants_child(settings) && lac_window_launch_child(self, settings, NULL))
    return TRUE;
  LacRunSettings placed = *settings;
  if (placed.out == NULL)
    placed.out = lac_run_store_get_folder(self->run_store);
  placed.disk_budget_bytes = lac_preferences_get_disk_budget();
  g_autoptr(LacSession) session = lac_session_new_run(&placed, &error);
  if (session == NULL) {
    lac_window_say(self, error->message);
    return FALSE;
  }
  lac_window_set_session(self, session, settings->draft);
  remember_files(session, settings->draft);
  lac_window_note_run(self, lac_session_get_folder(session));
  lac_window_tell_launched(self, lac_session_get_folder(session));
  g_clear_pointer(&self->repeated, g_free);
  lac_run_store_refresh(self->run_store);
  lac_window_update_inhibition(self);
  return TRUE;
}

void
lac_window_start(LacWindow *self, const char *name)
{
  g_return_if_fail(LAC_IS_WINDOW(self));
  g_autoptr(GError)    error = NULL;
  const LacExperiment *experiment = lac_experiment_find(name, &error);
  if (experiment == NULL) {
    lac_window_say(self, error->message);
    return;
  }
  g_autoptr(LacDraft) draft = lac_draft_new(&experiment->params);
  g_autoptr(LacDraft) launch = lac_preferences_new_launch(experiment, draft);
  LacRunSettings      settings = {.experiment = experiment, .draft = draft};
  lac_launch_params_fill(launch, &settings);
  lac_setup_page_set_experiment(self->setup, experiment);
  lac_setup_page_show_rows(self->setup);
  if (lac_window_launch(self, &settings))
    lac_window_show_page(self, "live");
}

/* A folder, or a file of a run; a table in a run's folder was taken along: it is data. */
static gboolean
is_run(const char *path)
{
  g_autofree char *folder = g_path_get_dirname(path);
  return g_file_test(path, G_FILE_TEST_IS_DIR) ||
         (g_str_has_suffix(folder, ".lacuna") && !g_str_has_suffix(path, ".csv"));
}

static gboolean
is_plan(const char *path)
{
  return g_str_has_suffix(path, ".yaml") || g_str_has_suffix(path, ".yml");
}

LacRunFile *
lac_window_open_growing(const char *path)
{
  g_autofree char      *folder = lac_run_place_dup_folder(path, NULL);
  g_autoptr(LacRunFile) run = folder != NULL ? lac_run_file_open_fields(folder, NULL) : NULL;
  if (run == NULL || (!g_str_equal(run->outcome, "running") &&
                      !(g_str_equal(run->outcome, "interrupted") && lac_follower_is_fresh(folder))))
    return NULL;
  return g_steal_pointer(&run);
}

/* With everything that it has left, once it has ended; unless another run began meanwhile. */
static gboolean
on_open_whole(gpointer user_data)
{
  LacWindow *self = user_data;
  if (self->session == NULL || !lac_session_is_file(self->session))
    return G_SOURCE_REMOVE;
  g_autofree char      *folder = g_strdup(lac_session_get_folder(self->session));
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacRunFile) file = lac_run_file_open(folder, &error);
  if (file == NULL) {
    lac_window_say(self, error->message);
    return G_SOURCE_REMOVE;
  }
  g_autoptr(LacSession) session = lac_session_new_file(file);
  lac_window_set_session(self, session, NULL);
  return G_SOURCE_REMOVE;
}

void
lac_window_open(LacWindow *self, const char *path)
{
  g_return_if_fail(LAC_IS_WINDOW(self) && path != NULL);
  g_autoptr(GError) error = NULL;
  lac_window_note(self, "win.open-path", g_variant_new_string(path));
  if (lac_window_open_composed(self, path)) {
    lac_recent_files_add(path);
    return;
  }
  if (is_plan(path)) {
    if (lac_window_open_plan(self, path))
      lac_recent_files_add(path);
    return;
  }
  if (!is_run(path))
    lac_recent_files_add(path);
  if (!is_run(path) && lac_trace_is_named(path)) {
    lac_window_open_trace(self, path);
    return;
  }
  if (!is_run(path)) {
    gtk_window_present(GTK_WINDOW(lac_file_sheet_new(GTK_WINDOW(self), path)));
    return;
  }
  if (lac_window_is_busy(self)) {
    lac_window_say(self, _("A run is going on. Stop it first, or let it finish."));
    return;
  }
  g_autoptr(LacRunFile) growing = lac_window_open_growing(path);
  g_autoptr(LacRunFile) file = growing == NULL ? lac_run_file_open(path, &error) : NULL;
  if (file == NULL && growing == NULL) {
    lac_window_say(self, error->message);
    return;
  }
  g_autoptr(LacSession) session =
    growing != NULL ? lac_session_new_followed(growing) : lac_session_new_file(file);
  lac_window_set_session(self, session, NULL);
  lac_recent_files_add(lac_session_get_folder(session));
  lac_window_show_page(self, "live");
}

/* A hidden or covered window takes no frames; records come all the same. */
static void
on_mapped(LacWindow *self)
{
  if (self->session != NULL)
    lac_session_set_shown(self->session, gtk_widget_get_mapped(GTK_WIDGET(self)));
}

static void
on_stall(gint64 begin_ns, gint64 end_ns, gpointer window)
{
  LacWindow *self = window;
  if (self->session != NULL)
    lac_session_record_stall(self->session, begin_ns, end_ns);
  lac_window_update_stalls(self);
}

/* The stack gives the focus to what comes behind what a page has given it to when it was mapped. */
static void
on_page(LacWindow *self)
{
  if (adw_view_stack_get_visible_child(self->stack) == GTK_WIDGET(self->timeline))
    lac_timeline_page_focus(self->timeline);
}

static gboolean
lac_window_close_request(GtkWindow *window)
{
  if (lac_window_ask_before_close(LAC_WINDOW(window)))
    return TRUE;
  lac_window_stop_recording(LAC_WINDOW(window));
  return GTK_WINDOW_CLASS(lac_window_parent_class)->close_request(window);
}

static gboolean
on_drop(GtkDropTarget *target, const GValue *value, double x, double y, LacWindow *self)
{
  GdkFileList     *list = g_value_get_boxed(value);
  GSList          *files = list == NULL ? NULL : gdk_file_list_get_files(list);
  g_autofree char *path = files == NULL ? NULL : g_file_get_path(files->data);
  g_slist_free(files);
  if (path == NULL)
    return FALSE;
  lac_window_open(self, path);
  return TRUE;
}

static void
lac_window_dispose(GObject *object)
{
  LacWindow *self = LAC_WINDOW(object);
  lac_main_loop_watch_tell(NULL, NULL);
  lac_window_end_replay(self);
  lac_window_end_sitting(self);
  lac_window_end_focus(self);
  lac_window_end_states(self);
  lac_window_end_composed(self);
  lac_window_leave_child(self);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
  g_clear_object(&self->session);
  g_clear_object(&self->series);
  g_clear_object(&self->run_store);
  g_clear_pointer(&self->repeated, g_free);
  lac_plan_source_clear(&self->source);
  g_clear_pointer(&self->queue, lac_run_queue_free);
  g_clear_pointer(&self->deleted.aside, g_ptr_array_unref);
  g_clear_object(&self->chooser);
  g_clear_weak_pointer(&self->sentence);
  G_OBJECT_CLASS(lac_window_parent_class)->dispose(object);
}

static void
lac_window_class_init(LacWindowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_window_dispose;
  GTK_WINDOW_CLASS(class)->close_request = lac_window_close_request;
  g_type_ensure(LAC_TYPE_GALLERY_PAGE);
  g_type_ensure(LAC_TYPE_SETUP_PAGE);
  g_type_ensure(LAC_TYPE_LIVE_PAGE);
  g_type_ensure(LAC_TYPE_TIMELINE_PAGE);
  g_type_ensure(LAC_TYPE_RUN_BAR);
  g_type_ensure(LAC_TYPE_FALLBACK_BANNER);
  g_type_ensure(LAC_TYPE_SWEEP_PAGE);
  g_type_ensure(LAC_TYPE_RUNS_PAGE);
  g_type_ensure(LAC_TYPE_COMPARE_PAGE);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/window.ui");
  gtk_widget_class_bind_template_child(widget_class, LacWindow, toasts);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, stack);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, switcher);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, run_bar);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, fallback);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, queue_button);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, export_menu);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, main_menu);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, recent_items);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, gallery);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, setup);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, live);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, timeline);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, sweep);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, sweep_page);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, runs);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, compare);
}

static void
choose_default(LacWindow *self)
{
  gsize                       n;
  const LacExperiment *const *experiments = lac_experiments(&n);
  for (gsize i = 0; i < n; i++)
    if (experiments[i]->is_default || i == 0)
      lac_setup_page_set_experiment(self->setup, experiments[i]);
}

static void
show_preferred_folder(LacWindow *self)
{
  g_autofree char *folder = lac_preferences_dup_run_folder();
  lac_window_set_runs_folder(self, folder);
}

/* ---- styles ---- */

/* The longest turn of the main loop. */
#define STYLES_SLICE_NS 2000000
static void
free_widgets(gpointer queue)
{
  g_queue_free_full(queue, g_object_unref);
}

/* GTK computes the style of a widget when it is first shown, and a page with a thousand of them would wait for all: they are computed
 * ahead while the main loop is idle. */
static gboolean
style_some(gpointer user_data)
{
  GQueue      *left = user_data;
  const gint64 until_ns = lac_clock_ns() + STYLES_SLICE_NS;
  while (!g_queue_is_empty(left) && lac_clock_ns() < until_ns) {
    g_autoptr(GtkWidget) widget = g_queue_pop_head(left);
    GdkRGBA              colour;
    if (gtk_widget_get_root(widget) == NULL)
      continue;
    gtk_style_context_get_color(gtk_widget_get_style_context(widget),
                                &colour); /* asks for all of it */
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
         child = gtk_widget_get_next_sibling(child))
      g_queue_push_tail(left, g_object_ref(child));
  }
  return !g_queue_is_empty(left);
}

static void
style_ahead(GtkWidget *widget)
{
  GQueue *left = g_queue_new();
  g_queue_push_tail(left, g_object_ref(widget));
  g_idle_add_full(G_PRIORITY_LOW, style_some, left, free_widgets);
}

static void
lac_window_init(LacWindow *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  lac_accessible_name(self->export_menu, _("Export"));
  lac_accessible_name(self->main_menu, _("Main Menu"));
  g_autoptr(GMenuModel) recent = lac_recent_files_menu_new();
  g_menu_append_section(self->recent_items, NULL, recent);
  self->run_store = lac_run_store_new();
  lac_window_add_actions(self);
  lac_window_add_picture_actions(self);
  lac_window_add_run_actions(self);
  lac_window_add_compare_actions(self);
  lac_window_add_plan_actions(self);
  lac_window_add_queue_actions(self);
  lac_window_add_sitting_actions(self);
  lac_window_add_replay_actions(self);
  lac_window_add_focus(self);
  lac_window_add_states(self);
  lac_window_add_composed(self);
  choose_default(self);
  g_signal_connect_object(self->stack, "notify::visible-child", G_CALLBACK(on_page), self,
                          G_CONNECT_SWAPPED);
  lac_main_loop_watch_tell(on_stall, self);
  g_signal_connect(self, "realize", G_CALLBACK(lac_main_loop_watch_frames), NULL);
  g_signal_connect(self, "map", G_CALLBACK(on_mapped), NULL);
  g_signal_connect(self, "unmap", G_CALLBACK(on_mapped), NULL);
  g_signal_connect_object(self->setup, "validity-changed", G_CALLBACK(lac_window_update_actions),
                          self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->runs, "selection-changed", G_CALLBACK(lac_window_update_runs), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->run_store, "changed", G_CALLBACK(lac_window_update_runs), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->compare, "changed", G_CALLBACK(lac_window_update_comparison), self,
                          G_CONNECT_SWAPPED);
  lac_compare_page_set_store(self->compare, self->run_store);
  lac_window_update_comparison(self);
  show_preferred_folder(self);
  GtkDropTarget *drop = gtk_drop_target_new(GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  g_signal_connect(drop, "drop", G_CALLBACK(on_drop), self);
  gtk_widget_add_controller(GTK_WIDGET(self), GTK_EVENT_CONTROLLER(drop));
  style_ahead(GTK_WIDGET(self));
  lac_window_update_actions(self);
  lac_preferences_follow_window(GTK_WINDOW(self));
  if (lac_preferences_get() != NULL)
    g_signal_connect_object(lac_preferences_get(), "changed::run-folder",
                            G_CALLBACK(show_preferred_folder), self, G_CONNECT_SWAPPED);
}

LacWindow *
lac_window_new(GtkApplication *application)
{
  return g_object_new(LAC_TYPE_WINDOW, "application", application, NULL);
}
