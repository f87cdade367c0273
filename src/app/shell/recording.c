/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records the user's actions in the window as equivalent commands, with the runs shown meanwhile. */
#include "app/script/runs-of-script.h"
#include "app/script/ui-script.h"
#include "app/shell/features.h"
#include "app/toolkit/latest-job.h"
#include "app/toolkit/save-dialog.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define SETTLED_MS 400 /* typing within this delay becomes one line */
#define MOTION_S   0.1 /* interval of recording continuous motion */

struct _LacUiRecording {
  LacWindow        *window;
  LacWorkbench     *workbench;
  LacSetupPage     *setup;
  FILE             *file; /* (nullable): open while recording */
  char             *folder;
  GHashTable       *shown; /* set: folders of the runs shown */
  gint64            begin_us;
  gulong            hooks[2]; /* emission hooks: activate, change-state */
  LacUiScriptEntry *pending;  /* (nullable): not written yet */
  guint             settle;   /* source */
};

/* Returns TRUE for actions that only open a dialog, whose result is another command; for those of recordings; and for
 * quitting. */
gboolean
lac_ui_recording_leaves_out(const char *action)
{
  static const char *const names[] = {
    "win.open",        "win.open-recent", "win.open-data",          "win.import-plan",
    "win.export-plan", "win.record",      "win.runs-choose-folder", "win.record-to",
    "win.replay",      "win.replay-from", "win.replay-as",          "win.screenshot-to",
    "win.close",       "app.quit",        "win.thumbnail-to"};
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    if (g_str_equal(names[i], action))
      return TRUE;
  return FALSE;
}

/* ---- lines ---- */

static void
write_line(LacUiRecording *recording, const LacUiScriptEntry *entry)
{
  g_autofree char *line = lac_ui_script_entry_dup_line(entry);
  fprintf(recording->file, "%s\n", line);
  fflush(recording->file); /* flushed: after a crash the recording matters most */
}

static double
get_seconds(LacUiRecording *recording)
{
  return (double) (g_get_monotonic_time() - recording->begin_us) * 1e-6;
}

static void
write_pending(LacUiRecording *recording)
{
  g_clear_handle_id(&recording->settle, g_source_remove);
  if (recording->pending == NULL || recording->file == NULL)
    return;
  write_line(recording, recording->pending);
  g_clear_pointer(&recording->pending, lac_ui_script_entry_free);
}

/* @value: (nullable): floating */
static void
write_fact(LacUiRecording *recording, const char *fact, GVariant *value)
{
  LacUiScriptEntry *entry = lac_ui_script_entry_new(get_seconds(recording), fact, value, FALSE);
  write_pending(recording);
  write_line(recording, entry);
  lac_ui_script_entry_free(entry);
}

static gboolean
on_settled(gpointer data)
{
  LacUiRecording *recording = data;
  recording->settle = 0;
  write_pending(recording);
  return G_SOURCE_REMOVE;
}

static gboolean
is_same(const LacUiScriptEntry *a, const char *action, GVariant *value)
{
  return g_str_equal(a->action, action) && (a->value == NULL) == (value == NULL) &&
         (value == NULL || g_variant_equal(a->value, value));
}

/* Returns TRUE when the action continues the pending one: the next key of a text, position of a slider, or motion. */
static gboolean
goes_on(LacUiRecording *recording, const char *action, GVariant *value, gboolean is_state)
{
  const LacUiScriptEntry *before = recording->pending;
  if (!g_str_equal(before->action, action) || value == NULL)
    return FALSE;
  if (is_state && g_variant_is_of_type(value, G_VARIANT_TYPE_STRING))
    return TRUE;
  if (is_state || g_str_equal(action, "win.show-frame"))
    return get_seconds(recording) - before->seconds < MOTION_S;
  if (!g_str_equal(action, "win.set-parameter") && !g_str_equal(action, "win.tune"))
    return FALSE;
  g_autoptr(GVariant) a = g_variant_get_child_value(before->value, 0);
  g_autoptr(GVariant) b = g_variant_get_child_value(value, 0);
  return g_variant_equal(a, b);
}

/* @value: (nullable): (transfer none) */
static void
note(LacUiRecording *recording, const char *action, GVariant *value, gboolean is_state)
{
  if (recording->file == NULL || lac_ui_recording_leaves_out(action))
    return;
  g_autoptr(GVariant) shortened =
    value != NULL ? lac_ui_script_runs_shorten(value, recording->shown) : NULL;
  double seconds = get_seconds(recording);
  if (recording->pending != NULL && is_same(recording->pending, action, shortened))
    return;
  if (recording->pending != NULL && goes_on(recording, action, shortened, is_state)) {
    if (is_state)
      seconds = recording->pending->seconds; /* splits long motions */
    g_clear_pointer(&recording->pending, lac_ui_script_entry_free);
  }
  write_pending(recording);
  recording->pending = lac_ui_script_entry_new(seconds, action, shortened, is_state);
  recording->settle = g_timeout_add(SETTLED_MS, on_settled, recording);
}

void
lac_ui_recording_note(LacUiRecording *recording, const char *action, GVariant *value)
{
  g_return_if_fail(recording != NULL && action != NULL);
  g_autoptr(GVariant) sunk = value != NULL ? g_variant_ref_sink(value) : NULL;
  note(recording, action, sunk, FALSE);
}

void
lac_ui_recording_note_state(LacUiRecording *recording, const char *name, GVariant *state)
{
  g_return_if_fail(recording != NULL && name != NULL);
  g_autofree char *whole = g_strconcat("win.", name, NULL);
  note(recording, whole, state, TRUE);
}

static void
on_run_began(LacUiRecording *recording, const char *folder)
{
  if (recording->file == NULL)
    return;
  g_autofree char *name = g_path_get_basename(folder);
  g_hash_table_add(recording->shown, g_canonicalize_filename(folder, NULL));
  write_fact(recording, LAC_UI_SCRIPT_FACT_RUN, g_variant_new_string(name));
}

static void
on_run_ended(LacUiRecording *recording, const char *folder)
{
  if (recording->file == NULL)
    return;
  g_autofree char *whole = g_canonicalize_filename(folder, NULL);
  g_autofree char *name = g_path_get_basename(folder);
  if (g_hash_table_contains(recording->shown, whole))
    write_fact(recording, LAC_UI_SCRIPT_FACT_ENDED, g_variant_new_string(name));
}

/* ---- recorded actions ---- */

/* Filters the emissions of all actions: records those of this window and of the application. */
static gboolean
on_emission(GSignalInvocationHint *hint, guint n, const GValue *values, gpointer data)
{
  LacUiRecording *recording = data;
  GAction        *action = g_value_get_object(&values[0]);
  GVariant       *value = g_value_get_variant(&values[1]);
  const char     *name = g_action_get_name(action);
  GApplication   *application =
    G_APPLICATION(gtk_window_get_application(GTK_WINDOW(recording->window)));
  gboolean    is_state = hint->signal_id == g_signal_lookup("change-state", G_TYPE_SIMPLE_ACTION);
  const char *group = NULL;
  if (g_action_map_lookup_action(G_ACTION_MAP(recording->window), name) == action)
    group = "win";
  else if (application != NULL &&
           g_action_map_lookup_action(G_ACTION_MAP(application), name) == action)
    group = "app";
  if (group != NULL) {
    g_autofree char *whole = g_strconcat(group, ".", name, NULL);
    note(recording, whole, value, is_state);
  }
  return TRUE; /* keep the hook */
}

static void
on_page(LacUiRecording *recording)
{
  const char *page = lac_window_get_page(recording->window);
  if (page != NULL)
    lac_ui_recording_note(recording, "win.show-page", g_variant_new_string(page));
}

static void
on_edited(LacSetupPage *page, const char *key, const char *text, LacUiRecording *recording)
{
  lac_ui_recording_note(recording, "win.set-parameter", g_variant_new("(ss)", key, text));
}

/* ---- the runs ---- */

typedef struct {
  char      *folder; /* folder of the recording */
  GPtrArray *runs;   /* char *: folders */
} Keeping;

static void
keeping_free(gpointer data)
{
  Keeping *keeping = data;
  g_ptr_array_unref(keeping->runs);
  g_free(keeping->folder);
  g_free(keeping);
}

static gpointer
keep(gpointer data, GCancellable *cancellable, GError **error)
{
  const Keeping *keeping = data;
  for (guint i = 0; i < keeping->runs->len; i++)
    if (!lac_ui_script_runs_keep(keeping->folder, keeping->runs->pdata[i], NULL, error))
      break;
  return NULL;
}

static void
on_kept(gpointer window, gpointer request, gpointer result, const GError *error)
{
  const guint n = ((const Keeping *) request)->runs->len;
  g_application_release(g_application_get_default());
  g_autofree char *sentence =
    error != NULL
      ? g_strdup_printf(_("Recording saved, but not all of its runs: %s"), error->message)
    : n == 0 ? g_strdup(_("Recording saved"))
             : g_strdup_printf(g_dngettext(GETTEXT_PACKAGE, "Recording saved, with %zd run",
                                           "Recording saved, with %zd runs", n),
                               (gssize) n);
  lac_window_set_recording(window, "recorded", sentence);
}

static Keeping *
list_runs(LacUiRecording *recording)
{
  Keeping       *keeping = g_new0(Keeping, 1);
  GHashTableIter iter;
  gpointer       run;
  keeping->folder = g_strdup(recording->folder);
  keeping->runs = g_ptr_array_new_with_free_func(g_free);
  g_hash_table_iter_init(&iter, recording->shown);
  while (g_hash_table_iter_next(&iter, &run, NULL))
    g_ptr_array_add(keeping->runs, g_strdup(run));
  return keeping;
}

/* Copies the runs. Keeps the program alive until all are copied, even after the window is closed. */
static void
keep_runs(LacUiRecording *recording)
{
  lac_window_set_recording(recording->window, "keeping", NULL);
  g_application_hold(g_application_get_default());
  lac_job_run(recording->window,
              &(LacJobKind){.work = keep, .show = on_kept, .free_request = keeping_free},
              list_runs(recording));
}

/* ---- start and end ---- */

/* Returns: FALSE if no recording was active. */
static gboolean
end_file(LacUiRecording *recording)
{
  if (recording->file == NULL)
    return FALSE;
  write_fact(recording, LAC_UI_SCRIPT_FACT_END, NULL);
  fclose(recording->file);
  recording->file = NULL;
  g_signal_remove_emission_hook(g_signal_lookup("activate", G_TYPE_SIMPLE_ACTION),
                                recording->hooks[0]);
  g_signal_remove_emission_hook(g_signal_lookup("change-state", G_TYPE_SIMPLE_ACTION),
                                recording->hooks[1]);
  return TRUE;
}

void
lac_ui_recording_stop(LacUiRecording *recording)
{
  g_return_if_fail(recording != NULL);
  if (end_file(recording))
    keep_runs(recording);
}

/* Returns: (nullable): the command file in the new folder. */
static FILE *
begin_file(LacUiRecording *recording, const char *folder)
{
  g_autofree char *path = g_build_filename(folder, LAC_UI_SCRIPT_TEXT, NULL);
  FILE            *file = g_mkdir_with_parents(folder, 0755) == 0 ? g_fopen(path, "w") : NULL;
  if (file != NULL)
    return file;
  g_autofree char *why =
    g_strdup_printf(_("Could not create the recording folder %s: %s"), path, g_strerror(errno));
  lac_workbench_show_message(recording->workbench, why);
  return NULL;
}

void
lac_ui_recording_start(LacUiRecording *recording, const char *folder)
{
  g_return_if_fail(recording != NULL && folder != NULL);
  lac_ui_recording_stop(recording);
  recording->file = begin_file(recording, folder);
  if (recording->file == NULL)
    return;
  g_free(recording->folder);
  recording->folder = g_canonicalize_filename(folder, NULL);
  g_hash_table_remove_all(recording->shown);
  recording->begin_us = g_get_monotonic_time();
  fprintf(recording->file,
          "# A UI recording by Lacuna %s. Replay it with: lacuna --replay FOLDER\n# seconds, "
          "command(argument) or command = state\n",
          LAC_VERSION);
  write_fact(recording, LAC_UI_SCRIPT_FACT_FORMAT, g_variant_new_int32(LAC_UI_SCRIPT_FORMAT));
  g_type_class_unref(g_type_class_ref(G_TYPE_SIMPLE_ACTION)); /* creates its signals */
  recording->hooks[0] = g_signal_add_emission_hook(
    g_signal_lookup("activate", G_TYPE_SIMPLE_ACTION), 0, on_emission, recording, NULL);
  recording->hooks[1] = g_signal_add_emission_hook(
    g_signal_lookup("change-state", G_TYPE_SIMPLE_ACTION), 0, on_emission, recording, NULL);
  lac_window_set_recording(recording->window, "recording",
                           _("Recording your actions; run the same command again to stop"));
}

static void
record_to(GtkWindow *window, const char *path)
{
  lac_window_record(LAC_WINDOW(window), path);
}

static void
on_record(GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LacUiRecording *recording = data;
  if (recording->file != NULL)
    lac_ui_recording_stop(recording);
  else
    lac_save_dialog_show(
      GTK_WINDOW(recording->window),
      &(LacSaveOffer){_("Record Actions"), "lacuna.recording", "recording", record_to});
}

static void
on_record_to(GSimpleAction *action, GVariant *parameter, gpointer recording)
{
  lac_ui_recording_start(recording, g_variant_get_string(parameter, NULL));
}

static const LacActionRow rows[] = {
  {{"record", on_record}},
  {{"record-to", on_record_to, "s"}},
};

static void
recording_free(gpointer data)
{
  LacUiRecording *recording = data;
  g_signal_handlers_disconnect_by_data(recording->window, recording);
  g_signal_handlers_disconnect_by_data(recording->workbench, recording);
  g_signal_handlers_disconnect_by_data(recording->setup, recording);
  if (end_file(recording)) { /* no callback will follow */
    Keeping *keeping = list_runs(recording);
    keep(keeping, NULL, NULL);
    keeping_free(keeping);
  }
  g_clear_pointer(&recording->pending, lac_ui_script_entry_free);
  g_clear_handle_id(&recording->settle, g_source_remove);
  g_hash_table_unref(recording->shown);
  g_free(recording->folder);
  g_free(recording);
}

LacUiRecording *
lac_window_add_recording(LacWindow *window, LacWorkbench *workbench, LacSetupPage *setup)
{
  LacUiRecording *recording = g_new0(LacUiRecording, 1);
  recording->window = window;
  recording->workbench = workbench;
  recording->setup = setup;
  recording->shown = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  lac_window_keep(window, recording, recording_free);
  lac_window_add_rows(window, rows, G_N_ELEMENTS(rows), recording);
  g_signal_connect_swapped(window, "page-changed", G_CALLBACK(on_page), recording);
  g_signal_connect_swapped(workbench, "run-began", G_CALLBACK(on_run_began), recording);
  g_signal_connect_swapped(workbench, "run-ended", G_CALLBACK(on_run_ended), recording);
  g_signal_connect(setup, "edited", G_CALLBACK(on_edited), recording);
  return recording;
}
