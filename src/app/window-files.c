/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening runs and exporting them: choosers, and what is said at the end. */
#include "app/window-private.h"

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
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new(
    _("Open Data"), GTK_WINDOW(self), GTK_FILE_CHOOSER_ACTION_OPEN, _("_Open"), _("_Cancel"));
  show_chooser(self, chooser, G_CALLBACK(on_run_chosen));
}

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
