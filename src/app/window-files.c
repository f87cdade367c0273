/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening runs and exporting them: choosers, and what is said at the end. */
#include "app/owned-task.h"
#include "app/save-dialog.h"
#include "app/toast.h"
#include "app/view-figure.h"
#include "app/window-private.h"
#include "io/trace/trace-file.h"

#include <glib/gi18n-lib.h>

static void
show_chooser(LacWindow *self, GtkFileChooserNative *chooser, GCallback on_response)
{
  g_set_object(&self->chooser, chooser);
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(chooser), TRUE);
  g_signal_connect(chooser, "response", on_response, self);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(chooser));
  g_object_unref(chooser);
}

static char *
take_path(LacWindow *self, GtkNativeDialog *dialog, int response)
{
  g_autoptr(GFile) file =
    response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog)) : NULL;
  gtk_window_present(GTK_WINDOW(self)); /* the focus does not come back by itself */
  return file == NULL ? NULL : g_file_get_path(file);
}

static void
on_run_chosen(GtkNativeDialog *dialog, int response, LacWindow *self)
{
  g_autofree char *path = take_path(self, dialog, response);
  g_clear_object(&self->chooser);
  if (path != NULL)
    lac_window_open(self, path);
}

void
lac_window_choose_run(LacWindow *self)
{
  GtkFileChooserNative *chooser =
    gtk_file_chooser_native_new(_("Open a Run"), GTK_WINDOW(self),
                                GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("_Open"), _("_Cancel"));
  g_autofree char *runs = lac_run_dup_default_folder();
  if (g_file_test(runs, G_FILE_TEST_IS_DIR)) {
    g_autoptr(GFile) folder = g_file_new_for_path(runs);
    gtk_file_chooser_set_current_folder(GTK_FILE_CHOOSER(chooser), folder, NULL);
  }
  show_chooser(self, chooser, G_CALLBACK(on_run_chosen));
}

void
lac_window_choose_data(LacWindow *self)
{
  GtkFileChooserNative *chooser =
    gtk_file_chooser_native_new(_("Open Data or a Trace"), GTK_WINDOW(self),
                                GTK_FILE_CHOOSER_ACTION_OPEN, _("_Open"), _("_Cancel"));
  show_chooser(self, chooser, G_CALLBACK(on_run_chosen));
}

static void
on_runs_folder_chosen(GtkNativeDialog *dialog, int response, LacWindow *self)
{
  g_autofree char *path = take_path(self, dialog, response);
  g_clear_object(&self->chooser);
  if (path != NULL)
    lac_window_set_runs_folder(self, path);
}

void
lac_window_choose_runs_folder(LacWindow *self)
{
  GtkFileChooserNative *chooser =
    gtk_file_chooser_native_new(_("Folder of Runs"), GTK_WINDOW(self),
                                GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("_Open"), _("_Cancel"));
  show_chooser(self, chooser, G_CALLBACK(on_runs_folder_chosen));
}

/* ---- what is set up ---- */

static void
on_plan_chosen(GtkNativeDialog *dialog, int response, LacWindow *self)
{
  g_autofree char *path = take_path(self, dialog, response);
  g_clear_object(&self->chooser);
  if (path != NULL)
    lac_window_open(self, path);
}

void
lac_window_choose_plan(LacWindow *self)
{
  g_autoptr(GtkFileFilter) filter = gtk_file_filter_new();
  GtkFileChooserNative    *chooser = gtk_file_chooser_native_new(
       _("Import a Set-up"), GTK_WINDOW(self), GTK_FILE_CHOOSER_ACTION_OPEN, _("_Open"), _("_Cancel"));
  gtk_file_filter_set_name(filter, "YAML");
  gtk_file_filter_add_suffix(filter, "yaml");
  gtk_file_filter_add_suffix(filter, "yml");
  gtk_file_chooser_add_filter(GTK_FILE_CHOOSER(chooser), filter);
  show_chooser(self, chooser, G_CALLBACK(on_plan_chosen));
}

static void
on_sitting_chosen(GtkNativeDialog *dialog, int response, LacWindow *self)
{
  g_autofree char *path = take_path(self, dialog, response);
  g_clear_object(&self->chooser);
  if (path != NULL)
    lac_window_ask_how_to_replay(self, path);
}

void
lac_window_choose_sitting(LacWindow *self)
{
  GtkFileChooserNative *chooser =
    gtk_file_chooser_native_new(_("Replay a Sitting"), GTK_WINDOW(self),
                                GTK_FILE_CHOOSER_ACTION_OPEN, _("_Open"), _("_Cancel"));
  show_chooser(self, chooser, G_CALLBACK(on_sitting_chosen));
}

static void
write_plan(GtkWindow *window, const char *path)
{
  g_action_group_activate_action(G_ACTION_GROUP(window), "export-plan-to",
                                 g_variant_new_string(path));
}

void
lac_window_choose_plan_file(LacWindow *self)
{
  g_autofree char *name =
    g_strconcat(lac_setup_page_get_experiment(self->setup)->name, ".yaml", NULL);
  lac_save_dialog_show(GTK_WINDOW(self),
                       &(LacSaveOffer){_("Export the Set-up"), name, "yaml yml", write_plan});
}

/* ---- traces of other programs ---- */

typedef struct {
  char         *path, *about; /* what is said of it above the timeline */
  LacRecording *recording;
} Opened;

static void
opened_free(gpointer data)
{
  Opened *opened = data;
  g_free(opened->path);
  g_free(opened->about);
  g_clear_object(&opened->recording);
  g_free(opened);
}

/* On a thread of its own: ten million events take seconds. */
static void
open_trace(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Opened               *opened = data;
  g_autoptr(GError)     error = NULL;
  g_auto(LacTraceFacts) facts = {0};
  g_autoptr(LacCapture) capture = lac_trace_open(opened->path, &facts, &error);
  g_autofree char      *name = g_path_get_basename(opened->path);
  if (capture == NULL) {
    g_task_return_error(task, g_steal_pointer(&error));
    return;
  }
  opened->recording = lac_recording_new(capture, NULL);
  lac_recording_close(opened->recording, 0);
  GString *about = g_string_new(name);
  g_string_append_printf(about, " · %s", facts.format);
  if (facts.program[0] != '\0')
    g_string_append_printf(about, _(", written by %s"), facts.program);
  if (facts.caution[0] != '\0')
    g_string_append_printf(about, " · %s", facts.caution);
  opened->about = g_string_free(about, FALSE);
  g_task_return_boolean(task, TRUE);
}

static void
on_trace_opened(GObject *source, GAsyncResult *result, gpointer user_data)
{
  LacWindow        *self = LAC_WINDOW(source);
  const Opened     *opened = g_task_get_task_data(G_TASK(result));
  g_autoptr(GError) error = NULL;
  if (!g_task_propagate_boolean(G_TASK(result), &error)) {
    lac_window_say(self, error->message);
    lac_window_close_trace(self);
    return;
  }
  lac_timeline_page_set_recording(self->timeline, opened->recording);
  lac_timeline_page_set_about(self->timeline, opened->about);
}

void
lac_window_open_trace(LacWindow *self, const char *path)
{
  Opened          *opened = g_new0(Opened, 1);
  g_autofree char *name = g_path_get_basename(path);
  g_autofree char *about = g_strdup_printf(_("Opening %s"), name);
  g_autoptr(GTask) task = lac_owned_task_new(self, NULL, on_trace_opened);
  opened->path = g_strdup(path);
  g_task_set_task_data(task, opened, opened_free);
  g_task_run_in_thread(task, open_trace);
  lac_timeline_page_set_about(self->timeline, about);
  lac_window_show_page(self, "timeline");
}

void
lac_window_close_trace(LacWindow *self)
{
  lac_timeline_page_set_about(self->timeline, NULL);
  lac_timeline_page_set_recording(
    self->timeline, self->session == NULL ? NULL : lac_session_get_recording(self->session));
}

/* ---- exports ---- */

void
lac_window_say_saved(LacWindow *self, const char *path)
{
  GAction         *exported = g_action_map_lookup_action(G_ACTION_MAP(self), "exported");
  g_autofree char *folder = g_path_get_dirname(path);
  g_autofree char *name = g_path_get_basename(path);
  g_autofree char *sentence = g_strdup_printf(_("Saved %s"), name);
  AdwToast        *toast = lac_toast_new(sentence);
  adw_toast_set_button_label(toast, _("Open Folder"));
  adw_toast_set_action_name(toast, "win.open-folder");
  adw_toast_set_action_target(toast, "s", folder);
  lac_toast_show(self->toasts, toast);
  g_simple_action_set_state(G_SIMPLE_ACTION(exported), g_variant_new_string(path));
}

void
lac_window_on_exported(GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr(LacWindow) self = user_data;
  g_autoptr(GError)    error = NULL;
  g_autofree char     *path = lac_exporter_finish(result, &error);
  if (path == NULL)
    lac_window_say(self, error->message);
  else
    lac_window_say_saved(self, path);
}

void
lac_window_export(LacWindow *self, LacExportKind kind, const char *path)
{
  if (self->session == NULL)
    return;
  g_auto(LacFigureSpec) figure = lac_window_describe_view(self);
  LacExportRequest      request = {
         .kind = kind,
         .folder = lac_session_get_folder(self->session),
         .path = path,
         .step = figure.step,
         .figure = &figure,
  };
  if (kind == LAC_EXPORT_FILM)
    lac_view_figure_free_limits(lac_field_view_get_scene(lac_live_page_get_field(self->live)),
                                &figure);
  lac_exporter_start(&request, lac_window_on_exported, g_object_ref(self));
}

static void
export_chosen(GtkWindow *window, const char *path)
{
  const char      *name = lac_export_form(LAC_WINDOW(window)->chooser_kind)->action;
  g_autofree char *action = g_strconcat(name, "-to", NULL);
  g_action_group_activate_action(G_ACTION_GROUP(window), action, g_variant_new_string(path));
}

static void
export_comparison(GtkWindow *window, const char *path)
{
  g_action_group_activate_action(G_ACTION_GROUP(window), "compare-export-to",
                                 g_variant_new_string(path));
}

void
lac_window_choose_comparison(LacWindow *self)
{
  const LacExportForm *form = lac_export_form(LAC_EXPORT_REPORT);
  lac_save_dialog_show(GTK_WINDOW(self), &(LacSaveOffer){_("Export a Report"), "comparison.pdf",
                                                         form->patterns, export_comparison});
}

void
lac_window_choose_export(LacWindow *self, LacExportKind kind)
{
  const LacExportForm *form = lac_export_form(kind);
  g_auto(GStrv)        endings = g_strsplit(form->patterns, " ", -1);
  g_autofree char     *name = g_strdup_printf("%s.%s", form->name, endings[0]);
  self->chooser_kind = kind;
  lac_save_dialog_show(GTK_WINDOW(self),
                       &(LacSaveOffer){_(form->title), name, form->patterns, export_chosen});
}
