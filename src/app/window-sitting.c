/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recording what a person does with the window as the commands that do the same, and giving those commands again. */
#include "app/save-dialog.h"
#include "app/sitting-file.h"
#include "app/window-private.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include <stdio.h>
#include <string.h>

#define SETTLED_MS 400 /* what is typed key by key is one line */
#define LOOK_MS    50
#define LONGEST_S  2.0  /* between two commands that are given again, however long it was */
#define PATIENCE_S 10.0 /* for a command that cannot be given although no run is going on */

struct _LacSitting {
  LacWindow       *window;
  FILE            *file; /* (nullable): while one is recorded */
  gint64           begin_us;
  gulong           hooks[2]; /* of emissions: activate, change-state */
  LacSittingEntry *pending;  /* (nullable): not written yet */
  guint            settle;   /* source */

  GPtrArray *entries; /* (nullable): while they are given again */
  guint      next, n_left_out;
  guint      look; /* source */
  gint64     due_us, waiting_since_us;
};

static void
set_sitting_state(LacWindow *self, const char *word)
{
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self), "sitting");
  g_simple_action_set_state(G_SIMPLE_ACTION(action), g_variant_new_string(word));
}

/* ---- recording ---- */

/* Those that only ask a person, whose answer is another command; those of sittings; the end. */
static gboolean
is_left_out(const char *action)
{
  static const char *const names[] = {
    "win.open",        "win.open-recent", "win.open-data",          "win.import-plan",
    "win.export-plan", "win.record",      "win.runs-choose-folder", "win.record-to",
    "win.replay",      "win.replay-from", "win.screenshot-to",      "win.close",
    "app.quit",        "win.thumbnail-to"};
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    if (g_str_equal(names[i], action))
      return TRUE;
  return FALSE;
}

static void
write_pending(LacSitting *sitting)
{
  g_clear_handle_id(&sitting->settle, g_source_remove);
  if (sitting->pending == NULL || sitting->file == NULL)
    return;
  g_autofree char *line = lac_sitting_dup_line(sitting->pending);
  fprintf(sitting->file, "%s\n", line);
  fflush(sitting->file); /* a sitting that ends badly is the one that is wanted */
  g_clear_pointer(&sitting->pending, lac_sitting_entry_free);
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

/* The next key of the same text, the next place of the same slider. */
static gboolean
goes_on(const LacSittingEntry *before, const char *action, GVariant *value)
{
  if (!g_str_equal(before->action, action) || value == NULL)
    return FALSE;
  if (g_str_equal(action, "win.show-frame"))
    return TRUE;
  if (!g_str_equal(action, "win.set-parameter"))
    return FALSE;
  g_autoptr(GVariant) a = g_variant_get_child_value(before->value, 0);
  g_autoptr(GVariant) b = g_variant_get_child_value(value, 0);
  return g_variant_equal(a, b);
}

static void
note(LacSitting *sitting, const char *action, GVariant *value, gboolean is_state)
{
  if (sitting->file == NULL || is_left_out(action))
    return;
  if (sitting->pending != NULL && is_same(sitting->pending, action, value))
    return;
  if (sitting->pending != NULL && goes_on(sitting->pending, action, value))
    g_clear_pointer(&sitting->pending, lac_sitting_entry_free);
  write_pending(sitting);
  sitting->pending = g_new0(LacSittingEntry, 1);
  sitting->pending->seconds = (double) (g_get_monotonic_time() - sitting->begin_us) * 1e-6;
  sitting->pending->action = g_strdup(action);
  sitting->pending->value = value != NULL ? g_variant_ref_sink(value) : NULL;
  sitting->pending->is_state = is_state;
  sitting->settle = g_timeout_add(SETTLED_MS, on_settled, sitting);
}

void
lac_window_note(LacWindow *self, const char *action, GVariant *value)
{
  g_autoptr(GVariant) sunk = value != NULL ? g_variant_ref_sink(value) : NULL;
  if (self->sitting != NULL)
    note(self->sitting, action, sunk, FALSE);
}

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
on_page(LacWindow *self)
{
  const char *page = adw_view_stack_get_visible_child_name(self->stack);
  if (page != NULL)
    lac_window_note(self, "win.show-page", g_variant_new_string(page));
}

static void
on_edited(LacSetupPage *page, const char *key, const char *text, LacWindow *self)
{
  lac_window_note(self, "win.set-parameter", g_variant_new("(ss)", key, text));
}

static void
stop_recording(LacSitting *sitting)
{
  if (sitting->file == NULL)
    return;
  write_pending(sitting);
  fclose(sitting->file);
  sitting->file = NULL;
  g_signal_remove_emission_hook(g_signal_lookup("activate", G_TYPE_SIMPLE_ACTION),
                                sitting->hooks[0]);
  g_signal_remove_emission_hook(g_signal_lookup("change-state", G_TYPE_SIMPLE_ACTION),
                                sitting->hooks[1]);
}

void
lac_window_record(LacWindow *self, const char *path)
{
  LacSitting *sitting = self->sitting;
  stop_recording(sitting);
  sitting->file = g_fopen(path, "w");
  if (sitting->file == NULL) {
    g_autofree char *why = g_strdup_printf(_("%s cannot be written."), path);
    lac_window_say(self, why);
    return;
  }
  sitting->begin_us = g_get_monotonic_time();
  fprintf(sitting->file,
          "# A sitting with Lacuna %s: lacuna --replay FILE does it again.\n"
          "# seconds, command(with what) or command = state\n",
          LAC_VERSION);
  fflush(sitting->file);
  g_type_class_unref(g_type_class_ref(G_TYPE_SIMPLE_ACTION)); /* its signals are there */
  sitting->hooks[0] = g_signal_add_emission_hook(g_signal_lookup("activate", G_TYPE_SIMPLE_ACTION),
                                                 0, on_emission, sitting, NULL);
  sitting->hooks[1] = g_signal_add_emission_hook(
    g_signal_lookup("change-state", G_TYPE_SIMPLE_ACTION), 0, on_emission, sitting, NULL);
  set_sitting_state(self, "recording");
  lac_window_say(self, _("Recording what you do; the same command ends it"));
}

static void
record_to(GtkWindow *window, const char *path)
{
  lac_window_record(LAC_WINDOW(window), path);
}

static void
on_record(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow *self = window;
  if (self->sitting->file == NULL) {
    lac_save_dialog_show(window,
                         &(LacSaveOffer){_("Record the Sitting"), "sitting.txt", "txt", record_to});
    return;
  }
  stop_recording(self->sitting);
  set_sitting_state(self, "recorded");
  lac_window_say(self, _("The sitting is recorded"));
}

static void
on_record_to(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_record(window, g_variant_get_string(parameter, NULL));
}

/* ---- giving again ---- */

static void
stop_replaying(LacSitting *sitting)
{
  g_clear_handle_id(&sitting->look, g_source_remove);
  g_clear_pointer(&sitting->entries, g_ptr_array_unref);
}

static void
end_replay(LacSitting *sitting)
{
  guint            n = sitting->entries->len - sitting->n_left_out;
  g_autofree char *given = g_strdup_printf(
    g_dngettext(GETTEXT_PACKAGE, "%u command given again", "%u commands given again", n), n);
  g_autofree char *left =
    sitting->n_left_out > 0
      ? g_strdup_printf(_("; left out, as they could not be given: %u"), sitting->n_left_out)
      : g_strdup("");
  g_autofree char *sentence = g_strconcat(given, left, NULL);
  sitting->look = 0;
  stop_replaying(sitting);
  set_sitting_state(sitting->window, "replayed");
  lac_window_say(sitting->window, sentence);
}

/* Returns: (nullable) (transfer none): where the action of an entry lives. */
static GActionGroup *
group_of(LacSitting *sitting, const LacSittingEntry *entry)
{
  GActionGroup *group = g_str_has_prefix(entry->action, "win.") ? G_ACTION_GROUP(sitting->window)
                        : g_str_has_prefix(entry->action, "app.")
                          ? G_ACTION_GROUP(gtk_window_get_application(GTK_WINDOW(sitting->window)))
                          : NULL;
  return group != NULL && g_action_group_has_action(group, entry->action + 4) ? group : NULL;
}

/* A file may be written by hand: what does not fit is left out. */
static gboolean
fits(GActionGroup *group, const LacSittingEntry *entry)
{
  const GVariantType *wanted =
    entry->is_state ? g_action_group_get_action_state_type(group, entry->action + 4)
                    : g_action_group_get_action_parameter_type(group, entry->action + 4);
  if (is_left_out(entry->action) || wanted == NULL)
    return !is_left_out(entry->action) && entry->value == NULL;
  return entry->value != NULL && g_variant_is_of_type(entry->value, wanted);
}

static void
give(GActionGroup *group, const LacSittingEntry *entry)
{
  if (entry->is_state)
    g_action_group_change_action_state(group, entry->action + 4, entry->value);
  else
    g_action_group_activate_action(group, entry->action + 4, entry->value);
}

/* A command waits as long as a run goes on that it needs the end of. */
static gboolean
has_patience(LacSitting *sitting, gint64 now)
{
  if (sitting->waiting_since_us == 0 || lac_window_is_busy(sitting->window))
    sitting->waiting_since_us = now;
  return (double) (now - sitting->waiting_since_us) < PATIENCE_S * 1e6;
}

static gboolean
on_look(gpointer data)
{
  LacSitting *sitting = data;
  gint64      now = g_get_monotonic_time();
  if (sitting->next == sitting->entries->len) {
    end_replay(sitting);
    return G_SOURCE_REMOVE;
  }
  const LacSittingEntry *entry = sitting->entries->pdata[sitting->next];
  GActionGroup          *group = group_of(sitting, entry);
  const gboolean         can = group != NULL && fits(group, entry);
  if (now < sitting->due_us ||
      (can && !g_action_group_get_action_enabled(group, entry->action + 4) &&
       has_patience(sitting, now)))
    return G_SOURCE_CONTINUE;
  sitting->next++;
  sitting->waiting_since_us = 0;
  if (sitting->next < sitting->entries->len) {
    const LacSittingEntry *after = sitting->entries->pdata[sitting->next];
    sitting->due_us = now + (gint64) (CLAMP(after->seconds - entry->seconds, 0, LONGEST_S) * 1e6);
  }
  if (can && g_action_group_get_action_enabled(group, entry->action + 4)) {
    give(group, entry);
    return sitting->entries != NULL; /* the window may have gone */
  }
  sitting->n_left_out++;
  g_autofree char *line = lac_sitting_dup_line(entry);
  g_message("line %u of the sitting is left out: %s", entry->line, line);
  return G_SOURCE_CONTINUE;
}

void
lac_window_replay(LacWindow *self, const char *path)
{
  LacSitting       *sitting = self->sitting;
  g_autoptr(GError) error = NULL;
  GPtrArray        *entries = lac_sitting_load(path, &error);
  if (entries == NULL) {
    set_sitting_state(self, "unreadable");
    lac_window_say(self, error->message);
    return;
  }
  stop_replaying(sitting);
  sitting->entries = entries;
  sitting->next = sitting->n_left_out = 0;
  sitting->due_us = sitting->waiting_since_us = 0;
  set_sitting_state(self, "replaying");
  sitting->look = g_timeout_add(LOOK_MS, on_look, sitting);
}

static void
on_replay_from(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_replay(window, g_variant_get_string(parameter, NULL));
}

static void
on_replay(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_choose_sitting(window);
}

/* ---- the window ---- */

static const GActionEntry entries[] = {
  {"record", on_record},
  {"record-to", on_record_to, "s"},
  {"replay", on_replay},
  {"replay-from", on_replay_from, "s"},
};

void
lac_window_add_sitting_actions(LacWindow *self)
{
  g_autoptr(GSimpleAction) state =
    g_simple_action_new_stateful("sitting", NULL, g_variant_new_string(""));
  self->sitting = g_new0(LacSitting, 1);
  self->sitting->window = self;
  g_simple_action_set_enabled(state, FALSE);
  g_action_map_add_action(G_ACTION_MAP(self), G_ACTION(state));
  g_action_map_add_action_entries(G_ACTION_MAP(self), entries, G_N_ELEMENTS(entries), self);
  g_signal_connect_object(self->stack, "notify::visible-child", G_CALLBACK(on_page), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->setup, "edited", G_CALLBACK(on_edited), self, 0);
}

void
lac_window_end_sitting(LacWindow *self)
{
  if (self->sitting == NULL)
    return;
  stop_recording(self->sitting);
  stop_replaying(self->sitting);
  g_clear_pointer(&self->sitting->pending, lac_sitting_entry_free);
  g_clear_handle_id(&self->sitting->settle, g_source_remove);
  g_clear_pointer(&self->sitting, g_free);
}
