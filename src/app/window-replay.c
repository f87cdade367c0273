/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Giving the commands of a sitting again. A run that began in it is shown as it was recorded, or computed again. */
#include "app/accessible.h"
#include "app/sitting-file.h"
#include "app/sitting-runs.h"
#include "app/window-private.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define LOOK_MS     50
#define MOST_A_LOOK 8      /* commands: the window has to be drawn too */
#define LONGEST_S   2.0    /* between two commands that are given again, however long it was */
#define PATIENCE_S  10.0   /* for a command that cannot be given although no run is going on */
#define RESPONSE_S  1.0    /* likewise, where no run will make it possible */
#define MOST_SPEED  1000.0 /* "at once" */

struct _LacReplay {
  LacWindow        *window;
  LacSittingScript *script; /* (nullable): while it is given */
  gboolean          computes;
  double            speed;
  guint             next, n_left_out;
  guint             n_runs;   /* that have begun so far */
  GHashTable       *computed; /* name in the sitting: folder that it is now */
  GHashTable       *ended;    /* of these folders those whose run has ended */
  char             *missing;  /* (nullable): a run that is not kept */
  char             *folder;   /* (nullable): of the runs before */
  guint             look;     /* source */
  gint64            due_us, waiting_since_us;
};

static const LacSittingEntry *
entry_at(LacReplay *replay, guint i)
{
  return replay->script->entries->pdata[i];
}

/* ---- runs ---- */

/* Returns: (nullable) (transfer none): the name of run @n that began in the sitting. */
static const char *
name_of_run(LacReplay *replay, guint n)
{
  for (guint i = 0; i < replay->script->entries->len; i++) {
    const LacSittingEntry *entry = entry_at(replay, i);
    if (g_str_equal(entry->action, LAC_SITTING_FACT_RUN) && entry->value != NULL &&
        g_variant_is_of_type(entry->value, G_VARIANT_TYPE_STRING) && n-- == 0)
      return g_variant_get_string(entry->value, NULL);
  }
  return NULL;
}

/* Returns: (transfer full) (nullable): the folder of a run that was kept, or that is still where runs are. */
static char *
find_kept(LacReplay *replay, const char *name)
{
  g_autofree char *place = lac_sitting_runs_dup_place(replay->script->folder, name);
  g_autofree char *alone = g_path_get_basename(name);
  g_autofree char *here =
    replay->folder != NULL ? g_build_filename(replay->folder, alone, NULL) : NULL;
  if (g_file_test(place, G_FILE_TEST_IS_DIR))
    return g_steal_pointer(&place);
  return here != NULL && g_file_test(here, G_FILE_TEST_IS_DIR) ? g_steal_pointer(&here) : NULL;
}

/* What stands for a run in a command: the one that was computed in its place, else what was kept. */
static char *
find_run(const char *name, gpointer data)
{
  LacReplay  *replay = data;
  const char *computed = g_hash_table_lookup(replay->computed, name);
  char       *kept = computed == NULL ? find_kept(replay, name) : NULL;
  if (computed == NULL && kept == NULL && replay->missing == NULL)
    replay->missing = g_strdup(name);
  return computed != NULL ? g_strdup(computed)
         : kept != NULL   ? kept
                          : lac_sitting_runs_dup_place(replay->script->folder, name);
}

LacRunFile *
lac_window_take_recorded(LacWindow *self)
{
  LacReplay *replay = self->replay;
  if (replay == NULL || replay->script == NULL || replay->computes)
    return NULL;
  const char *name = name_of_run(replay, replay->n_runs);
  if (name == NULL)
    return NULL;
  g_autofree char      *folder = find_kept(replay, name);
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacRunFile) run = folder != NULL ? lac_run_file_open(folder, &error) : NULL;
  if (run != NULL) {
    replay->n_runs++;
    return g_steal_pointer(&run);
  }
  if (error != NULL)
    g_message("%s", error->message);
  if (replay->missing == NULL)
    replay->missing = g_strdup(name);
  return NULL;
}

void
lac_window_tell_launched(LacWindow *self, const char *folder)
{
  LacReplay *replay = self->replay;
  if (replay == NULL || replay->script == NULL)
    return;
  const char *name = name_of_run(replay, replay->n_runs);
  if (name != NULL)
    g_hash_table_insert(replay->computed, g_strdup(name), g_strdup(folder));
  replay->n_runs++;
}

void
lac_window_tell_ended(LacWindow *self, const char *folder)
{
  LacReplay *replay = self->replay;
  if (replay != NULL && replay->script != NULL)
    g_hash_table_add(replay->ended, g_strdup(folder));
}

/* ---- beginning and end ---- */

static void
stop(LacReplay *replay)
{
  g_clear_handle_id(&replay->look, g_source_remove);
  g_clear_pointer(&replay->script, lac_sitting_script_free);
  g_clear_pointer(&replay->missing, g_free);
  g_hash_table_remove_all(replay->computed);
  g_hash_table_remove_all(replay->ended);
  if (replay->folder != NULL && !gtk_widget_in_destruction(GTK_WIDGET(replay->window)))
    lac_window_set_runs_folder(replay->window, replay->folder);
  g_clear_pointer(&replay->folder, g_free);
}

static char *
dup_end(LacReplay *replay)
{
  guint n = 0;
  for (guint i = 0; i < replay->script->entries->len; i++)
    n += !lac_sitting_entry_is_fact(entry_at(replay, i));
  n -= replay->n_left_out;
  GString *sentence = g_string_new(NULL);
  g_string_append_printf(
    sentence, g_dngettext(GETTEXT_PACKAGE, "%u command given again", "%u commands given again", n),
    n);
  if (replay->n_left_out > 0)
    g_string_append_printf(sentence, _("; left out, as they could not be given: %u"),
                           replay->n_left_out);
  if (replay->missing != NULL)
    g_string_append_printf(sentence, _(". The run %s is not kept with this sitting"),
                           replay->missing);
  if (replay->script->is_cut_off)
    g_string_append(sentence, _(". The recording was cut off: its end is missing"));
  return g_string_free(sentence, FALSE);
}

static void
end(LacReplay *replay)
{
  g_autofree char *sentence = dup_end(replay);
  replay->look = 0;
  stop(replay);
  lac_window_set_sitting(replay->window, "replayed", sentence);
}

/* ---- one command ---- */

/* Returns: (nullable) (transfer none): where the action of an entry lives. */
static GActionGroup *
group_of(LacReplay *replay, const LacSittingEntry *entry)
{
  GActionGroup *group = g_str_has_prefix(entry->action, "win.") ? G_ACTION_GROUP(replay->window)
                        : g_str_has_prefix(entry->action, "app.")
                          ? G_ACTION_GROUP(gtk_window_get_application(GTK_WINDOW(replay->window)))
                          : NULL;
  return group != NULL && g_action_group_has_action(group, entry->action + 4) ? group : NULL;
}

static gboolean
is_finite(GVariant *value)
{
  if (g_variant_is_of_type(value, G_VARIANT_TYPE_DOUBLE))
    return isfinite(g_variant_get_double(value));
  for (gsize i = 0; g_variant_is_container(value) && i < g_variant_n_children(value); i++) {
    g_autoptr(GVariant) child = g_variant_get_child_value(value, i);
    if (!is_finite(child))
      return FALSE;
  }
  return TRUE;
}

/* A file may be written by hand: what does not fit is left out. */
static gboolean
fits(GActionGroup *group, const LacSittingEntry *entry)
{
  const GVariantType *wanted =
    entry->is_state ? g_action_group_get_action_state_type(group, entry->action + 4)
                    : g_action_group_get_action_parameter_type(group, entry->action + 4);
  if (lac_sitting_leaves_out(entry->action) || wanted == NULL)
    return !lac_sitting_leaves_out(entry->action) && entry->value == NULL;
  return entry->value != NULL && g_variant_is_of_type(entry->value, wanted) &&
         is_finite(entry->value);
}

static void
give(LacReplay *replay, GActionGroup *group, const LacSittingEntry *entry)
{
  g_autoptr(GVariant) value =
    entry->value != NULL ? lac_sitting_runs_expand(entry->value, find_run, replay) : NULL;
  if (entry->is_state)
    g_action_group_change_action_state(group, entry->action + 4, value);
  else
    g_action_group_activate_action(group, entry->action + 4, value);
}

/* Commands to a run that goes on. */
static gboolean
steers(const LacSittingEntry *entry)
{
  static const char *const names[] = {"win.pause", "win.step", "win.stop", "win.checkpoint",
                                      "win.tune"};
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    if (g_str_equal(names[i], entry->action))
      return TRUE;
  return FALSE;
}

/* What a person did once a run had ended is done once it has ended again, however much longer it takes. */
static gboolean
waits_for_end(LacReplay *replay, const LacSittingEntry *entry)
{
  if (!g_str_equal(entry->action, LAC_SITTING_FACT_ENDED) || entry->value == NULL ||
      !g_variant_is_of_type(entry->value, G_VARIANT_TYPE_STRING))
    return FALSE;
  const char *folder =
    g_hash_table_lookup(replay->computed, g_variant_get_string(entry->value, NULL));
  return folder != NULL && !g_hash_table_contains(replay->ended, folder) &&
         lac_window_is_busy(replay->window);
}

/* A command waits as long as a run goes on that it needs the end of. */
static gboolean
has_patience(LacReplay *replay, gint64 now)
{
  if (replay->waiting_since_us == 0 || lac_window_is_busy(replay->window))
    replay->waiting_since_us = now;
  return (double) (now - replay->waiting_since_us) <
         (replay->computes ? PATIENCE_S : RESPONSE_S) * 1e6;
}

static void
go_on(LacReplay *replay, const LacSittingEntry *entry, gint64 now)
{
  replay->next++;
  replay->waiting_since_us = 0;
  if (replay->next < replay->script->entries->len) {
    double after = entry_at(replay, replay->next)->seconds - entry->seconds;
    replay->due_us = MAX(replay->due_us, now - LOOK_MS * 1000) +
                     (gint64) (CLAMP(after, 0, LONGEST_S) / replay->speed * 1e6);
  }
}

/* Returns: whether to look at the next one at once. */
static gboolean
take_one(LacReplay *replay, gint64 now)
{
  const LacSittingEntry *entry = entry_at(replay, replay->next);
  GActionGroup          *group = group_of(replay, entry);
  const gboolean         can = group != NULL && fits(group, entry);
  const gboolean enabled = can && g_action_group_get_action_enabled(group, entry->action + 4);
  const gboolean is_needless =
    lac_sitting_entry_is_fact(entry) ||
    (steers(entry) && !replay->computes && !lac_window_is_busy(replay->window));
  if (now < replay->due_us || waits_for_end(replay, entry) ||
      (can && !enabled && !is_needless && has_patience(replay, now)))
    return FALSE;
  go_on(replay, entry, now);
  if (enabled) {
    give(replay, group, entry);
  } else if (!is_needless) {
    g_autofree char *line = lac_sitting_dup_line(entry);
    replay->n_left_out++;
    g_message("line %u of the sitting is left out: %s", entry->line, line);
  }
  return replay->script != NULL; /* the window may have gone */
}

static gboolean
on_look(gpointer data)
{
  LacReplay *replay = data;
  for (guint i = 0; i < MOST_A_LOOK; i++) {
    if (replay->next == replay->script->entries->len) {
      end(replay);
      return G_SOURCE_REMOVE;
    }
    if (!take_one(replay, g_get_monotonic_time()))
      break;
  }
  return replay->script != NULL;
}

/* ---- all of it ---- */

/* So that the list of runs is the one that was shown. */
static void
show_kept_runs(LacReplay *replay)
{
  g_autofree char *kept = g_build_filename(replay->script->folder, LAC_SITTING_RUNS, NULL);
  replay->folder = g_strdup(lac_run_store_get_folder(replay->window->run_store));
  if (!replay->computes && g_file_test(kept, G_FILE_TEST_IS_DIR))
    lac_window_set_runs_folder(replay->window, kept);
}

void
lac_window_replay(LacWindow *self, const char *path, gboolean computes, double speed)
{
  LacReplay        *replay = self->replay;
  g_autoptr(GError) error = NULL;
  LacSittingScript *script = lac_sitting_load(path, &error);
  stop(replay);
  if (script == NULL) {
    lac_window_set_sitting(self, "unreadable", error->message);
    return;
  }
  replay->script = script;
  replay->computes = computes;
  replay->speed = speed > 0 ? CLAMP(speed, 1 / MOST_SPEED, MOST_SPEED) : MOST_SPEED;
  replay->next = replay->n_left_out = replay->n_runs = 0;
  replay->waiting_since_us = 0;
  replay->due_us = g_get_monotonic_time();
  show_kept_runs(replay);
  lac_window_set_sitting(self, "replaying", NULL);
  replay->look = g_timeout_add(LOOK_MS, on_look, replay);
}

/* ---- asking ---- */

static const struct {
  const char *label;
  double      speed;
} speeds[] = {{N_("As it was"), 1},
              {N_("Twice as fast"), 2},
              {N_("Four times as fast"), 4},
              {N_("At once"), 0}};

static void
on_answer(AdwMessageDialog *dialog, const char *answer, LacWindow *self)
{
  GtkDropDown *speed = g_object_get_data(G_OBJECT(dialog), "speed");
  const char  *path = g_object_get_data(G_OBJECT(dialog), "path");
  if (!g_str_equal(answer, "cancel"))
    lac_window_replay(self, path, g_str_equal(answer, "compute"),
                      speeds[gtk_drop_down_get_selected(speed)].speed);
}

static GtkWidget *
make_speed(void)
{
  g_autoptr(GtkStringList) labels = gtk_string_list_new(NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(speeds); i++)
    gtk_string_list_append(labels, _(speeds[i].label));
  GtkWidget *drop = gtk_drop_down_new(G_LIST_MODEL(g_steal_pointer(&labels)), NULL);
  lac_accessible_name_drop_down(GTK_DROP_DOWN(drop), _("How fast"));
  gtk_widget_set_halign(drop, GTK_ALIGN_CENTER);
  return drop;
}

void
lac_window_ask_how_to_replay(LacWindow *self, const char *path)
{
  g_autoptr(LacSittingScript) script = lac_sitting_load(path, NULL);
  guint                       n = script != NULL ? lac_sitting_script_count_runs(script) : 0;
  if (n == 0) { /* or it says why it cannot be read */
    lac_window_replay(self, path, FALSE, 1);
    return;
  }
  g_autofree char *body = g_strdup_printf(
    g_dngettext(
      GETTEXT_PACKAGE,
      "%u run began in this sitting. It can be shown as it was recorded, or computed again.",
      "%u runs began in this sitting. They can be shown as they were recorded, or computed "
      "again.",
      n),
    n);
  GtkWidget        *dialog = adw_message_dialog_new(GTK_WINDOW(self), _("Replay a Sitting"), body);
  AdwMessageDialog *message = ADW_MESSAGE_DIALOG(dialog);
  GtkWidget        *speed = make_speed();
  adw_message_dialog_set_extra_child(message, speed);
  adw_message_dialog_add_responses(message, "cancel", _("_Cancel"), "compute", _("Compute _Again"),
                                   "show", _("_Show What Was Recorded"), NULL);
  adw_message_dialog_set_response_appearance(message, "show", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response(message, "show");
  adw_message_dialog_set_close_response(message, "cancel");
  g_object_set_data(G_OBJECT(dialog), "speed", speed);
  g_object_set_data_full(G_OBJECT(dialog), "path", g_strdup(path), g_free);
  g_signal_connect_object(dialog, "response", G_CALLBACK(on_answer), self, 0);
  gtk_window_present(GTK_WINDOW(dialog));
}

/* ---- commands ---- */

static void
on_replay_from(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_replay(window, g_variant_get_string(parameter, NULL), FALSE, 1);
}

static void
on_replay_as(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  const char *path;
  gboolean    computes;
  double      speed;
  g_variant_get(parameter, "(&sbd)", &path, &computes, &speed);
  lac_window_replay(window, path, computes, speed);
}

/* While one is given, it ends it. */
static void
on_replay(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow *self = window;
  if (self->replay->script == NULL) {
    lac_window_choose_sitting(self);
    return;
  }
  stop(self->replay);
  lac_window_set_sitting(self, "stopped", _("The replay is stopped"));
}

static const GActionEntry entries[] = {
  {"replay", on_replay},
  {"replay-from", on_replay_from, "s"},
  {"replay-as", on_replay_as, "(sbd)"},
};

void
lac_window_add_replay_actions(LacWindow *self)
{
  self->replay = g_new0(LacReplay, 1);
  self->replay->window = self;
  self->replay->computed = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  self->replay->ended = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  g_action_map_add_action_entries(G_ACTION_MAP(self), entries, G_N_ELEMENTS(entries), self);
}

void
lac_window_end_replay(LacWindow *self)
{
  LacReplay *replay = self->replay;
  if (replay == NULL)
    return;
  g_clear_pointer(&replay->folder, g_free); /* the list goes too */
  stop(replay);
  g_hash_table_unref(replay->computed);
  g_hash_table_unref(replay->ended);
  g_clear_pointer(&self->replay, g_free);
}
