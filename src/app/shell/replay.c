/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replays the commands of a recording. A run that began in it is shown as recorded, or computed again. */
#include "app/script/runs-of-script.h"
#include "app/script/ui-script.h"
#include "app/shell/features.h"
#include "app/toolkit/accessible.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define LOOK_MS     50
#define MOST_A_LOOK 8      /* commands per poll: the window must be redrawn too */
#define LONGEST_S   2.0    /* limit of the pause between two commands */
#define PATIENCE_S  10.0   /* timeout of a command that is disabled although no run is active */
#define RESPONSE_S  1.0    /* the same, if no run will enable it */
#define MOST_SPEED  1000.0 /* no delays */

struct _LacReplay {
  LacWindow    *window;
  LacWorkbench *workbench; /* its replay is NULL while none is active */
  gboolean      computes;
  double        speed;
  guint         next, n_left_out;
  char         *folder; /* (nullable): the previous folder of runs */
  guint         look;   /* source */
  gint64        due_us, waiting_since_us;
};

static const LacUiScript *
get_script(LacReplay *replay)
{
  return lac_replay_runs_get_script(lac_workbench_get_replay(replay->workbench));
}

static const LacUiScriptEntry *
entry_at(LacReplay *replay, guint i)
{
  return get_script(replay)->entries->pdata[i];
}

/* ---- start and end ---- */

static void
stop(LacReplay *replay)
{
  g_clear_handle_id(&replay->look, g_source_remove);
  lac_workbench_set_replay(replay->workbench, NULL);
  if (replay->folder != NULL)
    lac_run_store_set_folder(lac_workbench_get_run_store(replay->workbench), replay->folder);
  g_clear_pointer(&replay->folder, g_free);
}

static char *
dup_end(LacReplay *replay)
{
  const LacUiScript *script = get_script(replay);
  const char *missing = lac_replay_runs_get_missing(lac_workbench_get_replay(replay->workbench));
  guint       n = 0;
  for (guint i = 0; i < script->entries->len; i++)
    n += !lac_ui_script_entry_is_fact(entry_at(replay, i));
  n -= replay->n_left_out;
  GString *sentence = g_string_new(NULL);
  g_string_append_printf(
    sentence, g_dngettext(GETTEXT_PACKAGE, "%u command replayed", "%u commands replayed", n), n);
  if (replay->n_left_out > 0)
    g_string_append_printf(sentence, _("; skipped: %u"), replay->n_left_out);
  if (missing != NULL)
    g_string_append_printf(sentence, _(". The run %s is missing from this recording"), missing);
  if (script->is_cut_off)
    g_string_append(sentence, _(". The recording is incomplete: its end is missing"));
  return g_string_free(sentence, FALSE);
}

static void
end(LacReplay *replay)
{
  g_autofree char *sentence = dup_end(replay);
  replay->look = 0;
  stop(replay);
  lac_window_set_recording(replay->window, "replayed", sentence);
}

/* ---- processing a command ---- */

/* Returns: (nullable) (transfer none): the group that has the action of an entry. */
static GActionGroup *
group_of(LacReplay *replay, const LacUiScriptEntry *entry)
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

/* Returns TRUE if the action exists and takes such a value: a file may be written by hand, and invalid commands are
 * skipped. */
static gboolean
fits(GActionGroup *group, const LacUiScriptEntry *entry)
{
  const GVariantType *wanted =
    entry->is_state ? g_action_group_get_action_state_type(group, entry->action + 4)
                    : g_action_group_get_action_parameter_type(group, entry->action + 4);
  if (lac_ui_recording_leaves_out(entry->action) || wanted == NULL)
    return !lac_ui_recording_leaves_out(entry->action) && entry->value == NULL;
  return entry->value != NULL && g_variant_is_of_type(entry->value, wanted) &&
         is_finite(entry->value);
}

static void
give(LacReplay *replay, GActionGroup *group, const LacUiScriptEntry *entry)
{
  g_autoptr(GVariant) value =
    entry->value != NULL ? lac_ui_script_runs_expand(entry->value, lac_replay_runs_find,
                                                     lac_workbench_get_replay(replay->workbench))
                         : NULL;
  if (entry->is_state)
    g_action_group_change_action_state(group, entry->action + 4, value);
  else
    g_action_group_activate_action(group, entry->action + 4, value);
}

/* Returns TRUE for commands to an active run. */
static gboolean
steers(const LacUiScriptEntry *entry)
{
  static const char *const names[] = {"win.pause", "win.step", "win.stop", "win.checkpoint",
                                      "win.tune"};
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    if (g_str_equal(names[i], entry->action))
      return TRUE;
  return FALSE;
}

/* Returns TRUE if there is nothing to do: the run was shown as recorded, or is not active any more. */
static gboolean
is_needless(LacReplay *replay, const LacUiScriptEntry *entry)
{
  if (lac_ui_script_entry_is_fact(entry))
    return TRUE;
  return !lac_workbench_is_busy(replay->workbench) &&
         (g_str_equal(entry->action, "win.show-active") || (steers(entry) && !replay->computes));
}

/* Returns TRUE when the command followed the end of a run, and must wait for the end of the replayed run, however
 * long it takes. */
static gboolean
waits_for_end(LacReplay *replay, const LacUiScriptEntry *entry)
{
  return lac_workbench_is_busy(replay->workbench) &&
         lac_replay_runs_awaits_end(lac_workbench_get_replay(replay->workbench), entry);
}

/* Returns TRUE until a disabled command times out; the timeout starts once no run is active. */
static gboolean
has_patience(LacReplay *replay, gint64 now)
{
  if (replay->waiting_since_us == 0 || lac_workbench_is_busy(replay->workbench))
    replay->waiting_since_us = now;
  return (double) (now - replay->waiting_since_us) <
         (replay->computes ? PATIENCE_S : RESPONSE_S) * 1e6;
}

static void
go_on(LacReplay *replay, const LacUiScriptEntry *entry, gint64 now)
{
  replay->next++;
  replay->waiting_since_us = 0;
  if (replay->next < get_script(replay)->entries->len) {
    double after = entry_at(replay, replay->next)->seconds - entry->seconds;
    replay->due_us = MAX(replay->due_us, now - LOOK_MS * 1000) +
                     (gint64) (CLAMP(after, 0, LONGEST_S) / replay->speed * 1e6);
  }
}

/* Returns: TRUE to process the next command at once. */
static gboolean
take_one(LacReplay *replay, gint64 now)
{
  const LacUiScriptEntry *entry = entry_at(replay, replay->next);
  GActionGroup           *group = group_of(replay, entry);
  const gboolean          can = group != NULL && fits(group, entry);
  const gboolean enabled = can && g_action_group_get_action_enabled(group, entry->action + 4);
  const gboolean needless = is_needless(replay, entry);
  if (now < replay->due_us || lac_workbench_get_opening(replay->workbench) != NULL ||
      waits_for_end(replay, entry) || (can && !enabled && !needless && has_patience(replay, now)))
    return FALSE;
  go_on(replay, entry, now);
  if (enabled) {
    give(replay, group, entry);
  } else if (!needless) {
    g_autofree char *line = lac_ui_script_entry_dup_line(entry);
    replay->n_left_out++;
    g_message("line %u of the recording is skipped: %s", entry->line, line);
  }
  return lac_workbench_get_replay(replay->workbench) !=
         NULL; /* the command may have ended the replay */
}

static gboolean
on_look(gpointer data)
{
  LacReplay *replay = data;
  for (guint i = 0; i < MOST_A_LOOK; i++) {
    if (replay->next == get_script(replay)->entries->len) {
      end(replay);
      return G_SOURCE_REMOVE;
    }
    if (!take_one(replay, g_get_monotonic_time()))
      break;
  }
  return lac_workbench_get_replay(replay->workbench) != NULL;
}

/* ---- polling ---- */

/* Shows the recorded list of runs. */
static void
show_kept_runs(LacReplay *replay)
{
  LacRunStore     *store = lac_workbench_get_run_store(replay->workbench);
  g_autofree char *kept = g_build_filename(get_script(replay)->folder, LAC_UI_SCRIPT_RUNS, NULL);
  replay->folder = g_strdup(lac_run_store_get_folder(store));
  if (!replay->computes && g_file_test(kept, G_FILE_TEST_IS_DIR))
    lac_run_store_set_folder(store, kept);
}

void
lac_replay_start(LacReplay *replay, const char *path, gboolean computes, double speed)
{
  g_return_if_fail(replay != NULL && path != NULL);
  g_autoptr(GError) error = NULL;
  LacUiScript      *script = lac_ui_script_load(path, &error);
  stop(replay);
  if (script == NULL) {
    lac_window_set_recording(replay->window, "unreadable", error->message);
    return;
  }
  const char *folder = lac_run_store_get_folder(lac_workbench_get_run_store(replay->workbench));
  lac_workbench_set_replay(replay->workbench, lac_replay_runs_new(script, computes, folder));
  replay->computes = computes;
  replay->speed = speed > 0 ? CLAMP(speed, 1 / MOST_SPEED, MOST_SPEED) : MOST_SPEED;
  replay->next = replay->n_left_out = 0;
  replay->waiting_since_us = 0;
  replay->due_us = g_get_monotonic_time();
  show_kept_runs(replay);
  lac_window_set_recording(replay->window, "replaying", NULL);
  replay->look = g_timeout_add(LOOK_MS, on_look, replay);
}

/* ---- the dialog ---- */

static const struct {
  const char *label;
  double      speed;
} speeds[] = {{N_("Original speed"), 1},
              {N_("Twice as fast"), 2},
              {N_("Four times as fast"), 4},
              {N_("No delays"), 0}};

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
  lac_accessible_name_drop_down(GTK_DROP_DOWN(drop), _("Replay speed"));
  gtk_widget_set_halign(drop, GTK_ALIGN_CENTER);
  return drop;
}

void
lac_window_ask_how_to_replay(LacWindow *self, const char *path)
{
  g_autoptr(LacUiScript) script = lac_ui_script_load(path, NULL);
  guint                  n = script != NULL ? lac_ui_script_count_runs(script) : 0;
  if (n == 0) { /* or reports why it cannot be read */
    lac_window_replay(self, path, FALSE, 1);
    return;
  }
  g_autofree char *body = g_strdup_printf(
    g_dngettext(
      GETTEXT_PACKAGE,
      "This recording contains %u run. It can be shown as recorded, or computed again.",
      "This recording contains %u runs. They can be shown as recorded, or computed again.", n),
    n);
  GtkWidget *dialog = adw_message_dialog_new(GTK_WINDOW(self), _("Replay a Recording"), body);
  AdwMessageDialog *message = ADW_MESSAGE_DIALOG(dialog);
  GtkWidget        *speed = make_speed();
  adw_message_dialog_set_extra_child(message, speed);
  adw_message_dialog_add_responses(message, "cancel", _("_Cancel"), "compute", _("Compute _Again"),
                                   "show", _("_Show as Recorded"), NULL);
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
on_replay_from(GSimpleAction *action, GVariant *parameter, gpointer replay)
{
  lac_replay_start(replay, g_variant_get_string(parameter, NULL), FALSE, 1);
}

static void
on_replay_as(GSimpleAction *action, GVariant *parameter, gpointer replay)
{
  const char *path;
  gboolean    computes;
  double      speed;
  g_variant_get(parameter, "(&sbd)", &path, &computes, &speed);
  lac_replay_start(replay, path, computes, speed);
}

/* Ends an active replay. */
static void
on_replay(GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LacReplay *replay = data;
  if (lac_workbench_get_replay(replay->workbench) == NULL) {
    lac_window_choose_recording(replay->window);
    return;
  }
  stop(replay);
  lac_window_set_recording(replay->window, "stopped", _("Replay stopped"));
}

static const LacActionRow rows[] = {
  {{"replay", on_replay}},
  {{"replay-from", on_replay_from, "s"}},
  {{"replay-as", on_replay_as, "(sbd)"}},
};

static void
replay_free(gpointer data)
{
  LacReplay *replay = data;
  g_clear_pointer(&replay->folder, g_free); /* its list is destroyed too */
  stop(replay);
  g_free(replay);
}

LacReplay *
lac_window_add_replay(LacWindow *window, LacWorkbench *workbench)
{
  LacReplay *replay = g_new0(LacReplay, 1);
  replay->window = window;
  replay->workbench = workbench;
  lac_window_keep(window, replay, replay_free);
  lac_window_add_rows(window, rows, G_N_ELEMENTS(rows), replay);
  return replay;
}
