/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recording what a person does with the window as the commands that do the same, with the runs that are shown meanwhile. */
#include "app/latest-job.h"
#include "app/save-dialog.h"
#include "app/sitting-file.h"
#include "app/sitting-runs.h"
#include "app/window-features.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define SETTLED_MS 400 /* what is typed key by key is one line */
#define MOTION_S   0.1 /* what moves is written down as often */

struct _LacSitting {
  LacWindow       *window;
  LacWorkbench    *workbench;
  LacSetupPage    *setup;
  FILE            *file; /* (nullable): while one is recorded */
  char            *folder;
  GHashTable      *shown; /* folders of the runs that were */
  gint64           begin_us;
  gulong           hooks[2]; /* of emissions: activate, change-state */
  LacSittingEntry *pending;  /* (nullable): not written yet */
  guint            settle;   /* source */
};

/* Those that only ask a person, whose answer is another command; those of sittings; the end. */
gboolean
lac_sitting_leaves_out(const char *action)
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
write_line(LacSitting *sitting, const LacSittingEntry *entry)
{
  g_autofree char *line = lac_sitting_dup_line(entry);
  fprintf(sitting->file, "%s\n", line);
  fflush(sitting->file); /* a sitting that ends badly is the one that is wanted */
}

static double
get_seconds(LacSitting *sitting)
{
  return (double) (g_get_monotonic_time() - sitting->begin_us) * 1e-6;
}

static void
write_pending(LacSitting *sitting)
{
  g_clear_handle_id(&sitting->settle, g_source_remove);
  if (sitting->pending == NULL || sitting->file == NULL)
    return;
  write_line(sitting, sitting->pending);
  g_clear_pointer(&sitting->pending, lac_sitting_entry_free);
}

/* @value: (nullable): floating */
static void
write_fact(LacSitting *sitting, const char *fact, GVariant *value)
{
  LacSittingEntry *entry = lac_sitting_entry_new(get_seconds(sitting), fact, value, FALSE);
  write_pending(sitting);
  write_line(sitting, entry);
  lac_sitting_entry_free(entry);
}

static gboolean
on_settled(gpointer data)
{
  LacSitting *sitting = data;
  sitting->settle = 0;
  write_pending(sitting);
  return G_SOURCE_REMOVE;
}

static gboolean
is_same(const LacSittingEntry *a, const char *action, GVariant *value)
{
  return g_str_equal(a->action, action) && (a->value == NULL) == (value == NULL) &&
         (value == NULL || g_variant_equal(a->value, value));
}

/* The next key of the same text, the next place of the same slider, the next moment of the same motion. */
static gboolean
goes_on(LacSitting *sitting, const char *action, GVariant *value, gboolean is_state)
{
  const LacSittingEntry *before = sitting->pending;
  if (!g_str_equal(before->action, action) || value == NULL)
    return FALSE;
  if (is_state && g_variant_is_of_type(value, G_VARIANT_TYPE_STRING))
    return TRUE;
  if (is_state || g_str_equal(action, "win.show-frame"))
    return get_seconds(sitting) - before->seconds < MOTION_S;
  if (!g_str_equal(action, "win.set-parameter") && !g_str_equal(action, "win.tune"))
    return FALSE;
  g_autoptr(GVariant) a = g_variant_get_child_value(before->value, 0);
  g_autoptr(GVariant) b = g_variant_get_child_value(value, 0);
  return g_variant_equal(a, b);
}

/* @value: (nullable): (transfer none) */
static void
note(LacSitting *sitting, const char *action, GVariant *value, gboolean is_state)
{
  if (sitting->file == NULL || lac_sitting_leaves_out(action))
    return;
  g_autoptr(GVariant) shortened =
    value != NULL ? lac_sitting_runs_shorten(value, sitting->shown) : NULL;
  double seconds = get_seconds(sitting);
  if (sitting->pending != NULL && is_same(sitting->pending, action, shortened))
    return;
  if (sitting->pending != NULL && goes_on(sitting, action, shortened, is_state)) {
    if (is_state)
      seconds = sitting->pending->seconds; /* so that a long motion is not one */
    g_clear_pointer(&sitting->pending, lac_sitting_entry_free);
  }
  write_pending(sitting);
  sitting->pending = lac_sitting_entry_new(seconds, action, shortened, is_state);
  sitting->settle = g_timeout_add(SETTLED_MS, on_settled, sitting);
}

void
lac_sitting_note(LacSitting *sitting, const char *action, GVariant *value)
{
  g_return_if_fail(sitting != NULL && action != NULL);
  g_autoptr(GVariant) sunk = value != NULL ? g_variant_ref_sink(value) : NULL;
  note(sitting, action, sunk, FALSE);
}

void
lac_sitting_note_state(LacSitting *sitting, const char *name, GVariant *state)
{
  g_return_if_fail(sitting != NULL && name != NULL);
  g_autofree char *whole = g_strconcat("win.", name, NULL);
  note(sitting, whole, state, TRUE);
}

static void
on_run_began(LacSitting *sitting, const char *folder)
{
  if (sitting->file == NULL)
    return;
  g_autofree char *name = g_path_get_basename(folder);
  g_hash_table_add(sitting->shown, g_canonicalize_filename(folder, NULL));
  write_fact(sitting, LAC_SITTING_FACT_RUN, g_variant_new_string(name));
}

static void
on_run_ended(LacSitting *sitting, const char *folder)
{
  if (sitting->file == NULL)
    return;
  g_autofree char *whole = g_canonicalize_filename(folder, NULL);
  g_autofree char *name = g_path_get_basename(folder);
  if (g_hash_table_contains(sitting->shown, whole))
    write_fact(sitting, LAC_SITTING_FACT_ENDED, g_variant_new_string(name));
}

/* ---- what is written down ---- */

/* Of every action there is: those of this window and of the application are written down. */
static gboolean
on_emission(GSignalInvocationHint *hint, guint n, const GValue *values, gpointer data)
{
  LacSitting   *sitting = data;
  GAction      *action = g_value_get_object(&values[0]);
  GVariant     *value = g_value_get_variant(&values[1]);
  const char   *name = g_action_get_name(action);
  GApplication *application =
    G_APPLICATION(gtk_window_get_application(GTK_WINDOW(sitting->window)));
  gboolean    is_state = hint->signal_id == g_signal_lookup("change-state", G_TYPE_SIMPLE_ACTION);
  const char *group = NULL;
  if (g_action_map_lookup_action(G_ACTION_MAP(sitting->window), name) == action)
    group = "win";
  else if (application != NULL &&
           g_action_map_lookup_action(G_ACTION_MAP(application), name) == action)
    group = "app";
  if (group != NULL) {
    g_autofree char *whole = g_strconcat(group, ".", name, NULL);
    note(sitting, whole, value, is_state);
  }
  return TRUE; /* stay */
}

static void
on_page(LacSitting *sitting)
{
  const char *page = lac_window_get_page(sitting->window);
  if (page != NULL)
    lac_sitting_note(sitting, "win.show-page", g_variant_new_string(page));
}

static void
on_edited(LacSetupPage *page, const char *key, const char *text, LacSitting *sitting)
{
  lac_sitting_note(sitting, "win.set-parameter", g_variant_new("(ss)", key, text));
}

/* ---- the runs ---- */

typedef struct {
  char      *folder; /* of the sitting */
  GPtrArray *runs;   /* of char *: folders */
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
    if (!lac_sitting_runs_keep(keeping->folder, keeping->runs->pdata[i], NULL, error))
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
      ? g_strdup_printf(_("The sitting is recorded, but not all of its runs: %s"), error->message)
    : n == 0 ? g_strdup(_("The sitting is recorded"))
             : g_strdup_printf(g_dngettext(GETTEXT_PACKAGE, "The sitting is recorded, with %zd run",
                                           "The sitting is recorded, with %zd runs", n),
                               (gssize) n);
  lac_window_set_sitting(window, "recorded", sentence);
}

static Keeping *
list_runs(LacSitting *sitting)
{
  Keeping       *keeping = g_new0(Keeping, 1);
  GHashTableIter iter;
  gpointer       run;
  keeping->folder = g_strdup(sitting->folder);
  keeping->runs = g_ptr_array_new_with_free_func(g_free);
  g_hash_table_iter_init(&iter, sitting->shown);
  while (g_hash_table_iter_next(&iter, &run, NULL))
    g_ptr_array_add(keeping->runs, g_strdup(run));
  return keeping;
}

/* The program stays until the last of them is there, also when its window closes. */
static void
keep_runs(LacSitting *sitting)
{
  lac_window_set_sitting(sitting->window, "keeping", NULL);
  g_application_hold(g_application_get_default());
  lac_job_run(sitting->window,
              &(LacJobKind){.work = keep, .show = on_kept, .free_request = keeping_free},
              list_runs(sitting));
}

/* ---- beginning and end ---- */

/* Returns: FALSE where none was going on. */
static gboolean
end_file(LacSitting *sitting)
{
  if (sitting->file == NULL)
    return FALSE;
  write_fact(sitting, LAC_SITTING_FACT_END, NULL);
  fclose(sitting->file);
  sitting->file = NULL;
  g_signal_remove_emission_hook(g_signal_lookup("activate", G_TYPE_SIMPLE_ACTION),
                                sitting->hooks[0]);
  g_signal_remove_emission_hook(g_signal_lookup("change-state", G_TYPE_SIMPLE_ACTION),
                                sitting->hooks[1]);
  return TRUE;
}

void
lac_sitting_stop(LacSitting *sitting)
{
  g_return_if_fail(sitting != NULL);
  if (end_file(sitting))
    keep_runs(sitting);
}

/* Returns: (nullable): the file of the commands, in a folder that is there. */
static FILE *
begin_file(LacSitting *sitting, const char *folder)
{
  g_autofree char *path = g_build_filename(folder, LAC_SITTING_TEXT, NULL);
  FILE            *file = g_mkdir_with_parents(folder, 0755) == 0 ? g_fopen(path, "w") : NULL;
  if (file != NULL)
    return file;
  g_autofree char *why = g_strdup_printf(_("A sitting is a folder, and %s cannot be written: %s"),
                                         path, g_strerror(errno));
  lac_workbench_say(sitting->workbench, why);
  return NULL;
}

void
lac_sitting_record(LacSitting *sitting, const char *folder)
{
  g_return_if_fail(sitting != NULL && folder != NULL);
  lac_sitting_stop(sitting);
  sitting->file = begin_file(sitting, folder);
  if (sitting->file == NULL)
    return;
  g_free(sitting->folder);
  sitting->folder = g_canonicalize_filename(folder, NULL);
  g_hash_table_remove_all(sitting->shown);
  sitting->begin_us = g_get_monotonic_time();
  fprintf(sitting->file,
          "# A sitting with Lacuna %s: lacuna --replay FOLDER shows it again.\n"
          "# seconds, command(with what) or command = state\n",
          LAC_VERSION);
  write_fact(sitting, LAC_SITTING_FACT_FORMAT, g_variant_new_int32(LAC_SITTING_FORMAT));
  g_type_class_unref(g_type_class_ref(G_TYPE_SIMPLE_ACTION)); /* its signals are there */
  sitting->hooks[0] = g_signal_add_emission_hook(g_signal_lookup("activate", G_TYPE_SIMPLE_ACTION),
                                                 0, on_emission, sitting, NULL);
  sitting->hooks[1] = g_signal_add_emission_hook(
    g_signal_lookup("change-state", G_TYPE_SIMPLE_ACTION), 0, on_emission, sitting, NULL);
  lac_window_set_sitting(sitting->window, "recording",
                         _("Recording what you do; the same command ends it"));
}

static void
record_to(GtkWindow *window, const char *path)
{
  lac_window_record(LAC_WINDOW(window), path);
}

static void
on_record(GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LacSitting *sitting = data;
  if (sitting->file != NULL)
    lac_sitting_stop(sitting);
  else
    lac_save_dialog_show(
      GTK_WINDOW(sitting->window),
      &(LacSaveOffer){_("Record the Sitting"), "lacuna.sitting", "sitting", record_to});
}

static void
on_record_to(GSimpleAction *action, GVariant *parameter, gpointer sitting)
{
  lac_sitting_record(sitting, g_variant_get_string(parameter, NULL));
}

static const LacActionRow rows[] = {
  {{"record", on_record}},
  {{"record-to", on_record_to, "s"}},
};

static void
sitting_free(gpointer data)
{
  LacSitting *sitting = data;
  g_signal_handlers_disconnect_by_data(sitting->window, sitting);
  g_signal_handlers_disconnect_by_data(sitting->workbench, sitting);
  g_signal_handlers_disconnect_by_data(sitting->setup, sitting);
  if (end_file(sitting)) { /* nobody waits for an answer any more */
    Keeping *keeping = list_runs(sitting);
    keep(keeping, NULL, NULL);
    keeping_free(keeping);
  }
  g_clear_pointer(&sitting->pending, lac_sitting_entry_free);
  g_clear_handle_id(&sitting->settle, g_source_remove);
  g_hash_table_unref(sitting->shown);
  g_free(sitting->folder);
  g_free(sitting);
}

LacSitting *
lac_window_add_sitting(LacWindow *window, LacWorkbench *workbench, LacSetupPage *setup)
{
  LacSitting *sitting = g_new0(LacSitting, 1);
  sitting->window = window;
  sitting->workbench = workbench;
  sitting->setup = setup;
  sitting->shown = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  lac_window_keep(window, sitting, sitting_free);
  lac_window_add_rows(window, rows, G_N_ELEMENTS(rows), sitting);
  g_signal_connect_swapped(window, "page-changed", G_CALLBACK(on_page), sitting);
  g_signal_connect_swapped(workbench, "run-began", G_CALLBACK(on_run_began), sitting);
  g_signal_connect_swapped(workbench, "run-ended", G_CALLBACK(on_run_ended), sitting);
  g_signal_connect(setup, "edited", G_CALLBACK(on_edited), sitting);
  return sitting;
}
