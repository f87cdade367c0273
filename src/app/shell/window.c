/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The main window: its pages and the session they show. */
#include "app/session/words.h"
#include "app/shell/file-dialog.h"
#include "app/shell/window-private.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/main-loop.h"
#include "app/toolkit/preferences.h"
#include "app/toolkit/recent-files.h"
#include "app/toolkit/toast.h"
#include "base/clock.h"
#include "io/trace/trace-file.h"
#include "run/plan/launch-options.h"

#include <glib/gi18n-lib.h>

#include <string.h>

typedef struct {
  gpointer       data;
  GDestroyNotify end;
} Feature;

enum { PAGE_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(LacWindow, lac_window, ADW_TYPE_APPLICATION_WINDOW)

void
lac_window_show_message(LacWindow *self, const char *sentence)
{
  g_return_if_fail(LAC_IS_WINDOW(self));
  AdwToast *toast = lac_toast_new(sentence);
  if (self->sentence != NULL)
    lac_toast_dismiss(self->toasts, self->sentence); /* a later message makes it obsolete */
  g_set_weak_pointer(&self->sentence, toast);
  adw_toast_set_timeout(toast, 6);
  lac_toast_show(self->toasts, toast);
}

void
lac_window_show_toast(LacWindow *self, AdwToast *toast)
{
  lac_toast_show(self->toasts, toast);
}

void
lac_window_dismiss_toast(LacWindow *self, AdwToast *toast)
{
  lac_toast_dismiss(self->toasts, toast);
}

/* ---- recording and replay ---- */

/* Records something that is not an action as the equivalent command @action. @value: floating */
static void
note(LacWindow *self, const char *action, GVariant *value)
{
  if (self->recording != NULL)
    lac_ui_recording_note(self->recording, action, value);
}

void
lac_window_note_state(LacWindow *self, const char *name, GVariant *state)
{
  if (self->recording != NULL)
    lac_ui_recording_note_state(self->recording, name, state);
}

void
lac_window_set_recording(LacWindow *self, const char *word, const char *sentence)
{
  if (self->recording == NULL)
    return;
  if (sentence != NULL) {
    lac_window_set_state(self, "recording-answer", g_variant_new_string(sentence));
    lac_window_show_message(self, sentence);
  }
  lac_window_set_state(self, "recording", g_variant_new_string(word));
}

void
lac_window_record(LacWindow *self, const char *folder)
{
  g_return_if_fail(LAC_IS_WINDOW(self));
  lac_window_complete(self);
  lac_ui_recording_start(self->recording, folder);
}

void
lac_window_replay(LacWindow *self, const char *path, gboolean computes, double speed)
{
  g_return_if_fail(LAC_IS_WINDOW(self));
  lac_window_complete(self);
  lac_replay_start(self->replay, path, computes, speed);
}

/* ---- signals of the workbench ---- */

static void
on_session(LacWindow *self, const LacDraft *draft)
{
  LacSession *session = lac_workbench_get_session(self->workbench);
  lac_fallback_banner_set_session(self->fallback, session);
  lac_live_page_set_session(self->live, session, draft);
  lac_timeline_page_close_trace(self->timeline, self->workbench);
  g_autofree char *title = session == NULL
                             ? g_strdup("Lacuna")
                             : g_strdup_printf("%s – Lacuna", lac_session_get_title(session));
  gtk_window_set_title(GTK_WINDOW(self), title);
  if (lac_shell_get_place(self->shell) == LAC_PLACE_RUN && !lac_window_has_run(self))
    lac_window_show_page(self, "experiments");
  else
    lac_window_mark_place(self);
}

/* After the end of a sweep the page still shows its results. */
static void
on_sweep(LacWindow *self)
{
  LacSweepSeries *series = lac_workbench_get_series(self->workbench);
  if (series != NULL) {
    lac_folder_page_set_series(self->runs, series);
    lac_window_show_page(self, "runs");
  }
}

static void
on_replayed(LacWindow *self)
{
  lac_live_page_play(self->live);
}

/* ---- closing while a run is active: the user decides ---- */

static void
keep_computing(LacWindow *self)
{
  if (!self->held)
    g_application_hold(G_APPLICATION(gtk_window_get_application(GTK_WINDOW(self))));
  self->held = TRUE;
  gtk_widget_set_visible(GTK_WIDGET(self), FALSE);
}

static gboolean
on_close_later(gpointer user_data)
{
  gtk_window_close(GTK_WINDOW(user_data));
  return G_SOURCE_REMOVE;
}

/* Closes the window after the handlers of the present event, among which are those of its dialog. */
static void
close_later(LacWindow *self)
{
  g_idle_add_full(G_PRIORITY_DEFAULT, on_close_later, g_object_ref(self), g_object_unref);
}

static void
on_answer(AdwMessageDialog *dialog, const char *answer, LacWindow *self)
{
  if (self->workbench == NULL)
    return;
  if (!lac_workbench_is_computing(self->workbench)) { /* it ended while the dialog was open */
    if (!g_str_equal(answer, "stay"))
      close_later(self);
    return;
  }
  if (g_str_equal(answer, "keep")) {
    keep_computing(self);
  } else if (g_str_equal(answer, "quit") && !lac_workbench_is_busy(self->workbench)) {
    self->quitting = TRUE;
    close_later(self); /* the processes of queued runs write theirs */
  } else if (g_str_equal(answer, "quit")) {
    self->quitting = TRUE;
    lac_workbench_show_message(self->workbench, _("Writing a checkpoint, then closing."));
    lac_workbench_stop(self->workbench);
  }
}

/* Returns: TRUE: stay open for now. */
static gboolean
ask_before_close(LacWindow *self)
{
  if (!(self->quitting ? lac_workbench_is_busy(self->workbench)
                       : lac_workbench_is_computing(self->workbench)))
    return FALSE;
  GtkWidget *dialog =
    adw_message_dialog_new(GTK_WINDOW(self), _("A Run Is in Progress"),
                           _("It can continue without the window and is shown when Lacuna is "
                             "started again. With a checkpoint it can be resumed later."));
  adw_message_dialog_add_responses(ADW_MESSAGE_DIALOG(dialog), "stay", _("_Cancel"), "quit",
                                   _("_Save Checkpoint and Quit"), "keep",
                                   _("Continue in _Background"), NULL);
  adw_message_dialog_set_response_appearance(ADW_MESSAGE_DIALOG(dialog), "keep",
                                             ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response(ADW_MESSAGE_DIALOG(dialog), "stay");
  adw_message_dialog_set_close_response(ADW_MESSAGE_DIALOG(dialog), "stay");
  g_signal_connect_object(dialog, "response", G_CALLBACK(on_answer), self, 0);
  gtk_window_present(GTK_WINDOW(dialog));
  return TRUE;
}

static void
notify_end(LacWindow *self, LacSession *session)
{
  g_autofree char         *words = lac_run_status_dup_words(lac_session_get_status(session));
  g_autofree char         *title = g_strdup_printf("%s: %s", lac_session_get_title(session), words);
  g_autoptr(GNotification) notification = g_notification_new(title);
  g_application_send_notification(G_APPLICATION(gtk_window_get_application(GTK_WINDOW(self))),
                                  "run-ended", notification);
}

/* Returns TRUE when the end of a run is worth a notification: another window is active and the run took over 10 s. */
static gboolean
is_out_of_sight(LacWindow *self, LacSession *session)
{
  if (session == NULL) /* the run could not begin */
    return FALSE;
  const LacRunStatus *status = lac_session_get_status(session);
  return !gtk_window_is_active(GTK_WINDOW(self)) && status->seconds + status->setup_seconds > 10;
}

/* Lets the program end that the user has closed, once nothing computes. */
static void
release(LacWindow *self)
{
  const gboolean hidden = self->held && !gtk_widget_get_visible(GTK_WIDGET(self));
  if (!self->quitting && lac_workbench_is_computing(self->workbench))
    return;
  if (self->held)
    g_application_release(G_APPLICATION(gtk_window_get_application(GTK_WINDOW(self))));
  self->held = FALSE;
  if (hidden || self->quitting)
    close_later(self);
}

static void
on_settled(LacWindow *self)
{
  LacSession *session = lac_workbench_get_latest_session(self->workbench);
  gboolean    hidden = self->held && !gtk_widget_get_visible(GTK_WIDGET(self));
  if ((hidden && session != NULL) || is_out_of_sight(self, session))
    notify_end(self, session);
  release(self);
}

static void
on_beside_ended(LacWindow *self)
{
  if (!lac_workbench_is_busy(self->workbench))
    release(self);
}

static void
follow_workbench(LacWindow *self)
{
  const struct {
    const char *signal;
    GCallback   callback;
  } rows[] = {{"session-changed", G_CALLBACK(on_session)},
              {"sweep-changed", G_CALLBACK(on_sweep)},
              {"replayed", G_CALLBACK(on_replayed)},
              {"settled", G_CALLBACK(on_settled)},
              {"beside-ended", G_CALLBACK(on_beside_ended)},
              {"message", G_CALLBACK(lac_window_show_message)}};
  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
    g_signal_connect_object(self->workbench, rows[i].signal, rows[i].callback, self,
                            G_CONNECT_SWAPPED);
}

/* ---- opening and starting ---- */

void
lac_window_start(LacWindow *self, const char *name)
{
  g_return_if_fail(LAC_IS_WINDOW(self));
  g_autoptr(GError)    error = NULL;
  const LacExperiment *experiment = lac_experiment_find(name, &error);
  if (experiment == NULL) {
    lac_window_show_message(self, error->message);
    return;
  }
  lac_window_complete(self);
  g_autoptr(LacDraft) draft = lac_draft_new(&experiment->params);
  g_autoptr(LacDraft) launch = lac_preferences_new_launch(experiment, draft);
  LacRunSettings      settings = {.experiment = experiment, .draft = draft};
  lac_launch_params_fill(launch, &settings);
  lac_setup_page_set_experiment(self->setup, experiment);
  lac_setup_page_show_rows(self->setup);
  if (lac_workbench_launch(self->workbench, &settings))
    lac_window_show_run(self);
}

/* Returns TRUE for a run folder, or a file in it. A table in a run's folder is an input copied there: data. */
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

void
lac_window_open(LacWindow *self, const char *path)
{
  g_return_if_fail(LAC_IS_WINDOW(self) && path != NULL);
  lac_window_complete(self);
  note(self, "win.open-path", g_variant_new_string(path));
  if (lac_composed_open(self->composed, path)) {
    lac_recent_files_add(path);
    return;
  }
  if (is_plan(path)) {
    if (lac_setup_page_open_plan(self->setup, self->workbench, path)) {
      lac_window_show_draft(self);
      lac_recent_files_add(path);
    }
    return;
  }
  if (!is_run(path) && lac_trace_is_named(path)) {
    lac_recent_files_add(path);
    lac_window_show_place(self, LAC_PLACE_TRACE, "timeline");
    lac_timeline_page_open_trace(self->timeline, self->workbench, path);
    lac_progress_list_set_trace(lac_sidebar_get_progress(lac_shell_get_sidebar(self->shell)), path);
    return;
  }
  if (!is_run(path)) {
    gtk_window_present(GTK_WINDOW(lac_file_dialog_new(GTK_WINDOW(self), path)));
    return;
  }
  lac_workbench_open(self->workbench, path);
  lac_window_show_run(self);
}

/* A hidden or covered window fetches no frames; records still arrive. */
static void
on_mapped(LacWindow *self)
{
  if (self->workbench != NULL)
    lac_workbench_set_shown(self->workbench, gtk_widget_get_mapped(GTK_WIDGET(self)));
}

static void
on_stall(gint64 begin_ns, gint64 end_ns, gpointer window)
{
  LacSession *session = lac_workbench_get_active_session(((LacWindow *) window)->workbench);
  if (session != NULL)
    lac_session_record_stall(session, begin_ns, end_ns);
  lac_window_show_stalls(window);
}

/* Restores the focus: the stack moves it past the widget that a page focused when it was mapped. */
static void
on_page(LacWindow *self)
{
  lac_window_on_tab(self);
  g_signal_emit(self, signals[PAGE_CHANGED], 0);
  if (lac_shell_get_child(self->shell) == GTK_WIDGET(self->timeline))
    lac_timeline_page_focus(self->timeline);
}

static gboolean
lac_window_close_request(GtkWindow *window)
{
  if (ask_before_close(LAC_WINDOW(window)))
    return TRUE;
  if (LAC_WINDOW(window)->recording != NULL)
    lac_ui_recording_stop(LAC_WINDOW(window)->recording);
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

/* Ends the features in reverse order: each may use earlier ones. No action remains that would call them. */
static void
end_features(LacWindow *self)
{
  g_autoptr(GArray)    features = g_steal_pointer(&self->features);
  g_autoptr(GPtrArray) rows = g_steal_pointer(&self->rows);
  for (guint i = 0; rows != NULL && i < rows->len; i++)
    g_action_map_remove_action(G_ACTION_MAP(self),
                               ((const LacActionRow *) rows->pdata[i])->entry.name);
  self->recording = NULL;
  self->replay = NULL;
  self->composed = NULL;
  for (guint i = features != NULL ? features->len : 0; i-- > 0;) {
    const Feature *feature = &g_array_index(features, Feature, i);
    feature->end(feature->data);
  }
}

void
lac_window_keep(LacWindow *self, gpointer feature, GDestroyNotify end)
{
  const Feature kept = {feature, end};
  g_array_append_val(self->features, kept);
}

void
lac_window_add_rows(LacWindow *self, const LacActionRow *rows, gsize n, gpointer data)
{
  for (gsize i = 0; i < n; i++) {
    g_action_map_add_action_entries(G_ACTION_MAP(self), &rows[i].entry, 1, data);
    g_ptr_array_add(self->rows, (gpointer) &rows[i]);
  }
}

static void
lac_window_dispose(GObject *object)
{
  LacWindow *self = LAC_WINDOW(object);
  lac_main_loop_watch_set_callback(NULL, NULL);
  g_clear_handle_id(&self->parts.source, g_source_remove);
  end_features(self);
  if (self->workbench != NULL) {
    g_signal_handlers_disconnect_by_data(self->workbench, self);
    g_object_run_dispose(
      G_OBJECT(self->workbench)); /* nothing begins any more, even if a reference remains */
  }
  if (self->shell != NULL) /* its pages signal while they are destroyed */
    g_signal_handlers_disconnect_by_data(self->shell, self);
  g_clear_object(&self->workbench);
  g_clear_weak_pointer(&self->sentence);
  G_OBJECT_CLASS(lac_window_parent_class)->dispose(object);
}

static void
lac_window_class_init(LacWindowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_window_dispose;
  GTK_WINDOW_CLASS(class)->close_request = lac_window_close_request;
  signals[PAGE_CHANGED] = g_signal_new("page-changed", LAC_TYPE_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL,
                                       NULL, NULL, G_TYPE_NONE, 0);
  g_type_ensure(LAC_TYPE_SHELL);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/shell/window.ui");
  gtk_widget_class_bind_template_child(widget_class, LacWindow, toasts);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, shell);
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

/* ---- styles ---- */

/* Time limit per main-loop iteration. */
#define STYLES_SLICE_NS 2000000
static void
free_widgets(gpointer queue)
{
  g_queue_free_full(queue, g_object_unref);
}

/* Precomputes styles while the main loop is idle: GTK computes the style of a widget when it is first shown, which
 * stalls a page with a thousand widgets. */
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
                                &colour); /* forces the whole style */
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
add_features(LacWindow *self)
{
  LacWorkbench *bench = self->workbench;
  lac_window_add_actions(self);
  lac_window_add_panes(self);
  self->recording = lac_window_add_recording(self, bench, self->setup);
  self->replay = lac_window_add_replay(self, bench);
  self->composed =
    lac_window_add_composed(self, bench, self->live, self->timeline, self->compare, self->report);
  lac_window_add_files(self, bench, self->live, self->composed);
  lac_window_add_plans(self, bench, self->setup);
  lac_window_add_queue(self, bench, self->setup, lac_shell_get_sidebar(self->shell));
  lac_window_add_runs(self, bench, self->runs, self->setup);
  lac_window_add_folder(self, bench, self->runs);
  lac_window_add_compare(self, self->compare, self->composed);
  lac_window_add_benchmarks(self, bench, self->benchmarks, lac_shell_get_sidebar(self->shell));
  lac_window_add_picture(self, self->live, self->timeline, self->compare);
  lac_window_add_states(self, self->live, self->timeline, self->compare, self->runs);
  lac_window_add_focus(self);
}

/* ---- construction in two parts: the first frame needs the gallery alone ---- */

static void
follow_pages(LacWindow *self)
{
  follow_workbench(self);
  add_features(self);
  choose_default(self);
  lac_window_follow_places(self);
  lac_window_show_place(self, LAC_PLACE_EXPERIMENTS, "experiments");
  g_signal_connect_object(self->shell, "page-changed", G_CALLBACK(on_page), self,
                          G_CONNECT_SWAPPED);
  lac_main_loop_watch_set_callback(on_stall, self);
  GtkDropTarget *drop = gtk_drop_target_new(GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  g_signal_connect(drop, "drop", G_CALLBACK(on_drop), self);
  gtk_widget_add_controller(GTK_WIDGET(self), GTK_EVENT_CONTROLLER(drop));
  style_ahead(GTK_WIDGET(self));
  lac_window_follow_changes(self);
}

/* Makes the next page, or finally what acts on all of them. Returns: FALSE after that */
static gboolean
make_some(LacWindow *self)
{
  if (lac_window_add_part(self))
    return TRUE;
  follow_pages(self);
  return FALSE;
}

static gboolean
on_making(gpointer window)
{
  LacWindow *self = window;
  if (make_some(self))
    return G_SOURCE_CONTINUE;
  self->parts.source = 0;
  return G_SOURCE_REMOVE;
}

/* Called in the first frame. */
static gboolean
on_tick(GtkWidget *window, GdkFrameClock *clock, gpointer unused)
{
  LacWindow *self = LAC_WINDOW(window);
  if (self->parts.source == 0 && self->features->len == 0)
    self->parts.source = g_idle_add(on_making, self);
  return G_SOURCE_REMOVE;
}

void
lac_window_complete(LacWindow *self)
{
  g_return_if_fail(LAC_IS_WINDOW(self));
  if (self->features->len > 0)
    return;
  g_clear_handle_id(&self->parts.source, g_source_remove);
  while (make_some(self))
    ;
}

static void
lac_window_init(LacWindow *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  g_autoptr(GMenuModel) recent = lac_recent_files_menu_new();
  lac_sidebar_set_recent(lac_shell_get_sidebar(self->shell), recent);
  self->workbench = lac_workbench_new();
  self->features = g_array_new(FALSE, FALSE, sizeof(Feature));
  self->rows = g_ptr_array_new();
  lac_sidebar_set_workbench(lac_shell_get_sidebar(self->shell), self->workbench);
  lac_window_add_part(self);
  lac_shell_show(self->shell, LAC_PLACE_EXPERIMENTS, "experiments");
  lac_shell_set_title(self->shell, _("Experiments"), NULL);
  g_signal_connect(self, "realize", G_CALLBACK(lac_main_loop_watch_frames), NULL);
  g_signal_connect(self, "map", G_CALLBACK(on_mapped), NULL);
  g_signal_connect(self, "unmap", G_CALLBACK(on_mapped), NULL);
  gtk_widget_add_tick_callback(GTK_WIDGET(self), on_tick, NULL, NULL);
  lac_preferences_follow_window(GTK_WINDOW(self));
}

LacWindow *
lac_window_new(GtkApplication *application)
{
  return g_object_new(LAC_TYPE_WINDOW, "application", application, NULL);
}
