/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The main window: its pages and the session they show. */
#include "app/file-sheet.h"
#include "app/launch-params.h"
#include "app/window-private.h"
#include "io/trace-file.h"
#include "run/yaml.h"

#include <glib/gi18n-lib.h>

G_DEFINE_FINAL_TYPE(LacWindow, lac_window, ADW_TYPE_APPLICATION_WINDOW)

void
lac_window_say(LacWindow *self, const char *sentence)
{
  g_return_if_fail(LAC_IS_WINDOW(self));
  g_autofree char *escaped = g_markup_escape_text(sentence, -1);
  AdwToast        *toast = adw_toast_new(escaped);
  adw_toast_set_timeout(toast, 6);
  adw_toast_overlay_add_toast(self->toasts, toast);
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
  g_autofree char    *sentence = status->message[0] != '\0'
                                   ? g_strdup_printf("%s: %s", title, status->message)
                                   : g_strdup_printf("%s: %s.", title, words);
  lac_window_say(self, sentence);
}

static void
on_ended(LacWindow *self)
{
  lac_window_update_actions(self);
  if (lac_window_go_on_with_sweep(self))
    return;
  say_end(self);
  lac_window_end_hold(self);
}

static void
set_session(LacWindow *self, LacSession *session, const LacDraft *draft)
{
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
  lac_run_bar_set_session(self->run_bar, session);
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
  return self->session != NULL && lac_session_is_active(self->session);
}

gboolean
lac_window_launch(LacWindow *self, const LacRunSettings *settings)
{
  g_autoptr(GError) error = NULL;
  if (lac_window_is_busy(self)) {
    lac_window_say(self, _("A run is going on. Stop it first, or let it finish."));
    return FALSE;
  }
  g_autoptr(LacSession) session = lac_session_new_run(settings, &error);
  if (session == NULL) {
    lac_window_say(self, error->message);
    return FALSE;
  }
  set_session(self, session, settings->draft);
  lac_setup_page_show_rows(self->setup);
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
  g_autoptr(LacDraft) launch = lac_draft_new(lac_launch_params());
  LacRunSettings      settings = {.experiment = experiment, .draft = draft};
  lac_launch_params_fill(launch, &settings);
  lac_setup_page_set_experiment(self->setup, experiment);
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

/* A run described in YAML, with an equation of its own or without: its set-up, to look at before it starts. */
static void
open_plan(LacWindow *self, const char *path)
{
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacRunPlan) plan = lac_yaml_read(path, &error);
  if (plan == NULL) {
    lac_window_say(self, error->message);
    return;
  }
  lac_setup_page_set_experiment(self->setup, plan->experiment);
  const LacParamTable *table = &plan->experiment->params;
  for (gsize i = 0; i < table->n_rows; i++) {
    g_autofree char *text = lac_draft_dup_text(plan->draft, &table->rows[i]);
    if (!lac_draft_is_default(plan->draft, &table->rows[i]))
      lac_setup_page_enter(self->setup, table->rows[i].key, text);
  }
  lac_window_show_page(self, "setup");
}

void
lac_window_open(LacWindow *self, const char *path)
{
  g_return_if_fail(LAC_IS_WINDOW(self) && path != NULL);
  g_autoptr(GError) error = NULL;
  if (is_plan(path)) {
    open_plan(self, path);
    return;
  }
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
  g_autoptr(LacRunFile) file = lac_run_file_open(path, &error);
  if (file == NULL) {
    lac_window_say(self, error->message);
    return;
  }
  g_autoptr(LacSession) session = lac_session_new_file(file);
  set_session(self, session, NULL);
  lac_window_show_page(self, "live");
}

LacSession *
lac_window_get_session(LacWindow *self)
{
  g_return_val_if_fail(LAC_IS_WINDOW(self), NULL);
  return self->session;
}

/* A hidden or covered window takes no frames; records come all the same. */
static void
on_mapped(LacWindow *self)
{
  if (self->session != NULL)
    lac_session_set_shown(self->session, gtk_widget_get_mapped(GTK_WIDGET(self)));
}

static gboolean
lac_window_close_request(GtkWindow *window)
{
  if (lac_window_ask_before_close(LAC_WINDOW(window)))
    return TRUE;
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
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
  g_clear_object(&self->session);
  g_clear_object(&self->series);
  g_clear_object(&self->chooser);
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
  g_type_ensure(LAC_TYPE_SWEEP_PAGE);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/window.ui");
  gtk_widget_class_bind_template_child(widget_class, LacWindow, toasts);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, stack);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, switcher);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, run_bar);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, export_menu);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, main_menu);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, gallery);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, setup);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, live);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, timeline);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, sweep);
  gtk_widget_class_bind_template_child(widget_class, LacWindow, sweep_page);
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
lac_window_init(LacWindow *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->export_menu), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Export"), -1);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->main_menu), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Main Menu"), -1);
  lac_window_add_actions(self);
  choose_default(self);
  g_signal_connect(self, "map", G_CALLBACK(on_mapped), NULL);
  g_signal_connect(self, "unmap", G_CALLBACK(on_mapped), NULL);
  g_signal_connect_object(self->setup, "validity-changed", G_CALLBACK(lac_window_update_actions),
                          self, G_CONNECT_SWAPPED);
  GtkDropTarget *drop = gtk_drop_target_new(GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  g_signal_connect(drop, "drop", G_CALLBACK(on_drop), self);
  gtk_widget_add_controller(GTK_WIDGET(self), GTK_EVENT_CONTROLLER(drop));
  lac_window_update_actions(self);
}

LacWindow *
lac_window_new(GtkApplication *application)
{
  return g_object_new(LAC_TYPE_WINDOW, "application", application, NULL);
}
