/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening runs and exporting them: file choosers, and the messages afterwards. */
#include "app/field/view-figure.h"
#include "app/shell/features.h"
#include "app/toolkit/latest-job.h"
#include "app/toolkit/recent-files.h"
#include "app/toolkit/save-dialog.h"
#include "app/toolkit/toast.h"
#include "io/trace/trace-file.h"

#include <glib/gi18n-lib.h>

typedef struct {
  LacWindow    *window;
  LacWorkbench *workbench;
  LacLivePage  *live;
  LacComposed  *composed;
  AdwToast     *progress; /* (nullable), weak: progress of an export */
  gint64        asked_us; /* when it was asked for */
} Files;

#define KEPT  "lac-chooser" /* not a widget: its window references it until it is closed */
#define STORE "lac-store"   /* data of a chooser: the store whose folder is chosen */
#define ASKED "lac-asked"   /* export kind of the open dialog */

static void
show_chooser(LacWindow *window, GtkFileChooserNative *chooser, GCallback on_response)
{
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(chooser), TRUE);
  g_signal_connect_object(chooser, "response", on_response, window, 0);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(chooser));
  g_object_set_data_full(G_OBJECT(window), KEPT, chooser, g_object_unref);
}

/* Returns: (transfer full) (nullable) */
static char *
take_path(LacWindow *self, GtkNativeDialog *dialog, int response)
{
  g_autoptr(GFile) file =
    response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog)) : NULL;
  gtk_window_present(GTK_WINDOW(self)); /* the focus does not return automatically */
  return file == NULL ? NULL : g_file_get_path(file);
}

static void
on_run_chosen(GtkNativeDialog *dialog, int response, LacWindow *self)
{
  g_autofree char *path = take_path(self, dialog, response);
  g_object_set_data(G_OBJECT(self), KEPT, NULL);
  if (path != NULL)
    lac_window_open(self, path);
}

static void
choose_run(LacWindow *self)
{
  GtkFileChooserNative *chooser =
    gtk_file_chooser_native_new(_("Open Run"), GTK_WINDOW(self),
                                GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("_Open"), _("_Cancel"));
  g_autofree char *runs = lac_run_dup_default_folder();
  if (g_file_test(runs, G_FILE_TEST_IS_DIR)) {
    g_autoptr(GFile) folder = g_file_new_for_path(runs);
    gtk_file_chooser_set_current_folder(GTK_FILE_CHOOSER(chooser), folder, NULL);
  }
  show_chooser(self, chooser, G_CALLBACK(on_run_chosen));
}

static void
choose_data(LacWindow *self)
{
  GtkFileChooserNative *chooser =
    gtk_file_chooser_native_new(_("Open Data or Trace"), GTK_WINDOW(self),
                                GTK_FILE_CHOOSER_ACTION_OPEN, _("_Open"), _("_Cancel"));
  show_chooser(self, chooser, G_CALLBACK(on_run_chosen));
}

static void
on_runs_folder_chosen(GtkNativeDialog *dialog, int response, LacWindow *self)
{
  g_autoptr(LacRunStore) store = g_object_ref(g_object_get_data(G_OBJECT(dialog), STORE));
  g_autofree char       *path = take_path(self, dialog, response);
  g_object_set_data(G_OBJECT(self), KEPT, NULL);
  if (path != NULL)
    lac_run_store_set_folder(store, path);
}

void
lac_window_choose_runs_folder(LacWindow *self, LacRunStore *store)
{
  GtkFileChooserNative *chooser =
    gtk_file_chooser_native_new(_("Runs Folder"), GTK_WINDOW(self),
                                GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("_Open"), _("_Cancel"));
  g_object_set_data_full(G_OBJECT(chooser), STORE, g_object_ref(store), g_object_unref);
  show_chooser(self, chooser, G_CALLBACK(on_runs_folder_chosen));
}

/* ---- plans ---- */

static void
on_plan_chosen(GtkNativeDialog *dialog, int response, LacWindow *self)
{
  g_autofree char *path = take_path(self, dialog, response);
  g_object_set_data(G_OBJECT(self), KEPT, NULL);
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
on_recording_chosen(GtkNativeDialog *dialog, int response, LacWindow *self)
{
  g_autofree char *path = take_path(self, dialog, response);
  g_object_set_data(G_OBJECT(self), KEPT, NULL);
  if (path != NULL)
    lac_window_ask_how_to_replay(self, path);
}

void
lac_window_choose_recording(LacWindow *self)
{
  GtkFileChooserNative *chooser =
    gtk_file_chooser_native_new(_("Replay a Recording"), GTK_WINDOW(self),
                                GTK_FILE_CHOOSER_ACTION_OPEN, _("_Open"), _("_Cancel"));
  show_chooser(self, chooser, G_CALLBACK(on_recording_chosen));
}

/* ---- traces of other programs ---- */

typedef struct {
  LacWorkbench *workbench;
  char         *path, *about; /* description shown above the timeline */
  LacRecording *recording;
} Opened;

static void
opened_free(gpointer data)
{
  Opened *opened = data;
  g_object_unref(opened->workbench);
  g_free(opened->path);
  g_free(opened->about);
  g_clear_object(&opened->recording);
  g_free(opened);
}

/* In a thread: ten million events take seconds. */
static gpointer
open_trace(gpointer data, GCancellable *cancellable, GError **error)
{
  Opened               *opened = data;
  g_auto(LacTraceFacts) facts = {0};
  g_autoptr(LacCapture) capture = lac_trace_open(opened->path, &facts, error);
  g_autofree char      *name = g_path_get_basename(opened->path);
  if (capture == NULL)
    return NULL;
  opened->recording = lac_recording_new(capture, NULL);
  lac_recording_close(opened->recording, 0);
  GString *about = g_string_new(name);
  g_string_append_printf(about, " · %s", facts.format);
  if (facts.program[0] != '\0')
    g_string_append_printf(about, _(", written by %s"), facts.program);
  if (facts.caution[0] != '\0')
    g_string_append_printf(about, " · %s", facts.caution);
  opened->about = g_string_free(about, FALSE);
  return NULL;
}

static void
on_trace_opened(gpointer timeline, gpointer request, gpointer result, const GError *error)
{
  const Opened *opened = request;
  if (error != NULL) {
    lac_workbench_show_message(opened->workbench, error->message);
    gtk_widget_activate_action(timeline, "win.close-trace", NULL);
    return;
  }
  lac_timeline_page_set_recording(timeline, opened->recording);
  lac_timeline_page_set_about(timeline, opened->about);
}

void
lac_timeline_page_open_trace(LacTimelinePage *timeline, LacWorkbench *workbench, const char *path)
{
  g_return_if_fail(LAC_IS_TIMELINE_PAGE(timeline) && LAC_IS_WORKBENCH(workbench) && path != NULL);
  Opened          *opened = g_new0(Opened, 1);
  g_autofree char *name = g_path_get_basename(path);
  g_autofree char *about = g_strdup_printf(_("Opening %s"), name);
  opened->workbench = g_object_ref(workbench);
  opened->path = g_strdup(path);
  lac_job_run(
    timeline,
    &(LacJobKind){.work = open_trace, .show = on_trace_opened, .free_request = opened_free},
    opened);
  lac_timeline_page_set_about(timeline, about);
}

void
lac_timeline_page_close_trace(LacTimelinePage *timeline, LacWorkbench *workbench)
{
  g_return_if_fail(LAC_IS_TIMELINE_PAGE(timeline) && LAC_IS_WORKBENCH(workbench));
  LacSession *session = lac_workbench_get_session(workbench);
  lac_timeline_page_set_about(timeline, NULL);
  lac_timeline_page_set_recording(timeline,
                                  session == NULL ? NULL : lac_session_get_recording(session));
}

/* ---- exports ---- */

void
lac_window_show_saved(LacWindow *self, const char *path)
{
  g_autofree char *folder = g_path_get_dirname(path);
  g_autofree char *name = g_path_get_basename(path);
  g_autofree char *sentence = g_strdup_printf(_("Saved %s"), name);
  AdwToast        *toast = lac_toast_new(sentence);
  adw_toast_set_button_label(toast, _("Open Folder"));
  adw_toast_set_action_name(toast, "win.open-folder");
  adw_toast_set_action_target(toast, "s", folder);
  lac_window_show_toast(self, toast);
  lac_window_set_state(self, "exported", g_variant_new_string(path));
}

void
lac_window_on_exported(gpointer window, gpointer request, gpointer path, const GError *error)
{
  if (error != NULL)
    lac_window_show_message(window, error->message);
  else
    lac_window_show_saved(window, path);
  g_free(path);
}

/* ---- the progress of an export that takes longer than a moment ---- */

#define FILES  "lac-files" /* data of the window, during the life of this feature */
#define SOON_S 0.7         /* an export that is over by then says only that it is saved */

static void
begin_progress(Files *self)
{
  self->asked_us = g_get_monotonic_time();
}

static void
end_progress(Files *self)
{
  if (self->progress != NULL)
    lac_window_dismiss_toast(self->window, self->progress);
  g_clear_weak_pointer(&self->progress);
}

static void
on_progress(gpointer window, const char *path, double share)
{
  Files *self = g_object_get_data(window, FILES);
  if (self == NULL || g_get_monotonic_time() - self->asked_us < SOON_S * G_USEC_PER_SEC)
    return;
  g_autofree char *name = g_path_get_basename(path);
  g_autofree char *title = share < 0 ? g_strdup_printf(_("Writing %s"), name)
                                     : g_strdup_printf(_("Writing %s: %.0f %%"), name, 100 * share);
  if (self->progress == NULL) {
    g_set_weak_pointer(&self->progress, lac_toast_new(title));
    adw_toast_set_timeout(self->progress, 0);
    if (share >= 0) {
      adw_toast_set_button_label(self->progress, _("Cancel"));
      adw_toast_set_action_name(self->progress, "win.export-cancel");
    }
    lac_window_show_toast(window, self->progress);
  } else {
    lac_toast_set_title(self->progress, title);
  }
}

static void
on_export_done(gpointer window, gpointer request, gpointer path, const GError *error)
{
  Files *self = g_object_get_data(window, FILES);
  if (self != NULL)
    end_progress(self);
  lac_window_on_exported(window, request, path, error);
}

static void
on_cancel(GSimpleAction *action, GVariant *parameter, gpointer files)
{
  lac_exporter_cancel();
}

static LacExportKind
kind_of(GSimpleAction *action)
{
  const char *name = g_action_get_name(G_ACTION(action));
  for (LacExportKind kind = LAC_EXPORT_FIGURE; kind < LAC_N_EXPORTS; kind++)
    if (g_str_has_prefix(name, lac_export_form(kind)->action))
      return kind;
  g_return_val_if_reached(LAC_EXPORT_FIGURE);
}

static void
on_export_to(GSimpleAction *action, GVariant *parameter, gpointer files)
{
  Files      *self = files;
  LacSession *session = lac_workbench_get_session(self->workbench);
  if (session == NULL)
    return;
  g_auto(LacFigureSpec) figure = lac_live_page_describe_view(self->live, session);
  LacExportRequest      request = {
         .kind = kind_of(action),
         .folder = lac_session_get_folder(session),
         .path = g_variant_get_string(parameter, NULL),
         .step = figure.step,
         .figure = &figure,
  };
  if (request.kind == LAC_EXPORT_FILM)
    lac_view_figure_free_limits(lac_field_view_get_scene(lac_live_page_get_field(self->live)),
                                &figure);
  begin_progress(self);
  lac_exporter_start(&request, self->window, on_progress, on_export_done);
}

static void
export_chosen(GtkWindow *window, const char *path)
{
  LacExportKind    kind = GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(window), ASKED));
  g_autofree char *action = g_strconcat(lac_export_form(kind)->action, "-to", NULL);
  g_action_group_activate_action(G_ACTION_GROUP(window), action, g_variant_new_string(path));
}

/* Exposures are written to another format than sensor readings. */
static const char *
get_patterns(Files *self, LacExportKind kind)
{
  LacSession      *session = lac_workbench_get_session(self->workbench);
  g_autofree char *exposures =
    session != NULL ? g_build_filename(lac_session_get_folder(session), "exposures.h5", NULL)
                    : NULL;
  if (kind == LAC_EXPORT_MEASUREMENTS && exposures != NULL &&
      g_file_test(exposures, G_FILE_TEST_EXISTS))
    return "h5";
  return lac_export_form(kind)->patterns;
}

static void
choose_export(Files *self, LacExportKind kind)
{
  const LacExportForm *form = lac_export_form(kind);
  const char          *patterns = get_patterns(self, kind);
  g_auto(GStrv)        endings = g_strsplit(patterns, " ", -1);
  g_autofree char     *name = g_strdup_printf("%s.%s", form->name, endings[0]);
  g_object_set_data(G_OBJECT(self->window), ASKED, GUINT_TO_POINTER(kind));
  lac_save_dialog_show(GTK_WINDOW(self->window),
                       &(LacSaveOffer){_(form->title), name, patterns, export_chosen});
}

static void
on_export(GSimpleAction *action, GVariant *parameter, gpointer files)
{
  Files        *self = files;
  LacExportKind kind = kind_of(action);
  if (kind == LAC_EXPORT_FIGURE)
    lac_composed_make_figure(self->composed);
  else if (kind == LAC_EXPORT_REPORT)
    lac_composed_edit_report(self->composed);
  else
    choose_export(self, kind);
}

/* ---- commands ---- */

static void
on_open(GSimpleAction *action, GVariant *parameter, gpointer files)
{
  choose_run(((Files *) files)->window);
}

static void
on_open_data(GSimpleAction *action, GVariant *parameter, gpointer files)
{
  choose_data(((Files *) files)->window);
}

static void
on_open_path(GSimpleAction *action, GVariant *parameter, gpointer files)
{
  lac_window_open(((Files *) files)->window, g_variant_get_string(parameter, NULL));
}

/* Removes a missing file from the list. */
static void
on_open_recent(GSimpleAction *action, GVariant *parameter, gpointer files)
{
  LacWindow  *window = ((Files *) files)->window;
  const char *path = g_variant_get_string(parameter, NULL);
  if (g_file_test(path, G_FILE_TEST_EXISTS)) {
    lac_window_open(window, path);
    return;
  }
  g_autofree char *shown = g_filename_display_name(path);
  g_autofree char *sentence =
    g_strdup_printf(_("%s no longer exists and was removed from the recent files."), shown);
  lac_recent_files_remove(path);
  lac_window_show_message(window, sentence);
}

static void
on_clear_recent(GSimpleAction *action, GVariant *parameter, gpointer files)
{
  lac_recent_files_clear();
}

static void
on_open_folder(GSimpleAction *action, GVariant *parameter, gpointer files)
{
  g_autoptr(GFile) file = g_file_new_for_path(g_variant_get_string(parameter, NULL));
  g_autofree char *uri = g_file_get_uri(file);
  gtk_show_uri(GTK_WINDOW(((Files *) files)->window), uri, GDK_CURRENT_TIME);
}

static const LacActionRow rows[] = {
  {{"open", on_open}},
  {{"open-data", on_open_data}},
  {{"open-path", on_open_path, "s"}},
  {{"open-recent", on_open_recent, "s"}},
  {{"clear-recent", on_clear_recent}},
  {{"open-folder", on_open_folder, "s"}},
  {{"export-cancel", on_cancel}},
  {{"export-figure", on_export}, LAC_NEEDS_RESULT},
  {{"export-report", on_export}, LAC_NEEDS_RESULT},
  {{"export-data", on_export}, LAC_NEEDS_RESULT},
  {{"export-film", on_export}, LAC_NEEDS_RESULT},
  {{"export-measurements", on_export}, LAC_NEEDS_RESULT},
  {{"export-trace", on_export}, LAC_NEEDS_RESULT},
  {{"export-cutout", on_export}, LAC_NEEDS_RESULT},
  {{"export-times", on_export}, LAC_NEEDS_RESULT},
  {{"export-figure-to", on_export_to, "s"}, LAC_NEEDS_RESULT},
  {{"export-report-to", on_export_to, "s"}, LAC_NEEDS_RESULT},
  {{"export-data-to", on_export_to, "s"}, LAC_NEEDS_RESULT},
  {{"export-film-to", on_export_to, "s"}, LAC_NEEDS_RESULT},
  {{"export-measurements-to", on_export_to, "s"}, LAC_NEEDS_RESULT},
  {{"export-trace-to", on_export_to, "s"}, LAC_NEEDS_RESULT},
  {{"export-cutout-to", on_export_to, "s"}, LAC_NEEDS_RESULT},
  {{"export-times-to", on_export_to, "s"}, LAC_NEEDS_RESULT},
};

static void
files_free(gpointer files)
{
  Files *self = files;
  g_object_set_data(G_OBJECT(self->window), FILES, NULL);
  g_clear_weak_pointer(&self->progress);
  g_free(self);
}

void
lac_window_add_files(LacWindow    *window,
                     LacWorkbench *workbench,
                     LacLivePage  *live,
                     LacComposed  *composed)
{
  Files *self = g_new(Files, 1);
  *self = (Files){window, workbench, live, composed, NULL, 0};
  g_object_set_data(G_OBJECT(window), FILES, self);
  lac_window_keep(window, self, files_free);
  lac_window_add_rows(window, rows, G_N_ELEMENTS(rows), self);
}
