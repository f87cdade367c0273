/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening runs and exporting them: choosers, and what is said at the end. */
#include "app/window-private.h"
#include "io/trace-file.h"

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
  opened->recording = lac_recording_new(capture, name, NULL);
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
  g_autoptr(GTask) task = g_task_new(self, NULL, on_trace_opened, NULL);
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

static void
on_exported(GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr(LacWindow) self = user_data;
  g_autoptr(GError)    error = NULL;
  g_autofree char     *path = lac_exporter_finish(result, &error);
  GAction             *exported = g_action_map_lookup_action(G_ACTION_MAP(self), "exported");
  if (path == NULL) {
    lac_window_say(self, error->message);
    return;
  }
  g_autofree char *folder = g_path_get_dirname(path);
  g_autofree char *name = g_path_get_basename(path);
  g_autofree char *sentence = g_strdup_printf(_("Saved %s"), name);
  g_autofree char *escaped = g_markup_escape_text(sentence, -1);
  AdwToast        *toast = adw_toast_new(escaped);
  adw_toast_set_button_label(toast, _("Open Folder"));
  adw_toast_set_action_name(toast, "win.open-folder");
  adw_toast_set_action_target(toast, "s", folder);
  adw_toast_overlay_add_toast(self->toasts, toast);
  g_simple_action_set_state(G_SIMPLE_ACTION(exported), g_variant_new_string(path));
}

void
lac_window_export(LacWindow *self, LacExportKind kind, const char *path)
{
  if (self->session == NULL)
    return;
  LacFrame        *frame = lac_session_get_frame(self->session);
  LacExportRequest request = {
    .kind = kind,
    .folder = lac_session_get_folder(self->session),
    .path = path,
    .step = lac_session_is_file(self->session) && frame != NULL ? frame->step : -1,
  };
  lac_exporter_start(&request, on_exported, g_object_ref(self));
}

static void
on_export_chosen(GtkNativeDialog *dialog, int response, LacWindow *self)
{
  g_autofree char *path = take_path(self, dialog, response);
  g_clear_object(&self->chooser);
  if (path != NULL)
    lac_window_export(self, self->chooser_kind, path);
}

static void
add_filters(GtkFileChooserNative *chooser, const LacExportForm *form)
{
  g_auto(GStrv) endings = g_strsplit(form->patterns, " ", -1);
  for (gsize i = 0; endings[i] != NULL; i++) {
    g_autoptr(GtkFileFilter) filter = gtk_file_filter_new();
    g_autofree char         *name = g_ascii_strup(endings[i], -1);
    gtk_file_filter_set_name(filter, name);
    gtk_file_filter_add_suffix(filter, endings[i]);
    gtk_file_chooser_add_filter(GTK_FILE_CHOOSER(chooser), filter);
  }
}

void
lac_window_choose_export(LacWindow *self, LacExportKind kind)
{
  const LacExportForm  *form = lac_export_form(kind);
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new(
    _(form->title), GTK_WINDOW(self), GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"), _("_Cancel"));
  g_auto(GStrv)    endings = g_strsplit(form->patterns, " ", -1);
  g_autofree char *name = g_strdup_printf("%s.%s", form->name, endings[0]);
  gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(chooser), name);
  add_filters(chooser, form);
  self->chooser_kind = kind;
  show_chooser(self, chooser, G_CALLBACK(on_export_chosen));
}
