/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of the window. Each is an action, so that menus, keys, scripts and tests do the same thing. */
#include "app/field/screenshot.h"
#include "app/field/view-controls.h"
#include "app/shell/commands.h"
#include "app/shell/help.h"
#include "app/shell/machine-window.h"
#include "app/shell/window-private.h"
#include "app/toolkit/main-loop.h"
#include "app/toolkit/preferences.h"
#include "report/compare/comparison.h"

#include <glib/gi18n-lib.h>

static void
on_show_page(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_show_page(window, g_variant_get_string(parameter, NULL));
}

static LacWorkbench *
bench_of(gpointer window)
{
  return ((LacWindow *) window)->workbench;
}

static void
on_find(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow  *self = window;
  const char *page = lac_window_get_page(self);
  if (g_strcmp0(page, "timeline") == 0 && lac_timeline_page_get_recording(self->timeline) != NULL)
    lac_timeline_page_focus_search(self->timeline);
  else if (g_strcmp0(page, "runs") == 0)
    lac_folder_page_focus_search(self->runs);
  else if (g_strcmp0(page, "experiments") == 0)
    lac_gallery_page_focus_search(self->gallery);
  else
    lac_window_find_run(self);
}

static void
on_start(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_start(window, g_variant_get_string(parameter, NULL));
}

static void
on_start_default(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  gsize                       n;
  const LacExperiment *const *experiments = lac_experiments(&n);
  for (gsize i = 0; i < n; i++)
    if (experiments[i]->is_default)
      lac_window_start(window, experiments[i]->name);
}

static void
on_configure(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow           *self = window;
  g_autoptr(GError)    error = NULL;
  const LacExperiment *experiment =
    lac_experiment_find(g_variant_get_string(parameter, NULL), &error);
  if (experiment == NULL) {
    lac_window_show_message(self, error->message);
    return;
  }
  lac_setup_page_set_experiment(self->setup, experiment);
  lac_window_show_draft(self);
}

/* How the runs of the sidebar are grouped. */
static void
on_side_group(GSimpleAction *action, GVariant *state, gpointer window)
{
  LacSidebar *sidebar = lac_shell_get_sidebar(((LacWindow *) window)->shell);
  lac_sidebar_set_grouping(sidebar, g_variant_get_string(state, NULL));
  g_simple_action_set_state(action, state);
}

static void
on_show_draft(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_show_draft(window);
}

/* Goes back to the run that computes. */
static void
on_show_active(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_workbench_show_active(bench_of(window));
  lac_window_show_run(window);
}

static void
on_set_parameter(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow  *self = window;
  const char *key, *text;
  g_variant_get(parameter, "(&s&s)", &key, &text);
  if (!lac_setup_page_enter(self->setup, key, text)) {
    g_autofree char *sentence = g_strdup_printf(_("There is no parameter “%s”."), key);
    lac_window_show_message(self, sentence);
  }
}

static void
on_reset_parameters(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_setup_page_reset(((LacWindow *) window)->setup);
}

static void
on_place_sensors(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_show_draft(window);
  lac_setup_page_place(((LacWindow *) window)->setup);
}

static void
on_build_sweep(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_show_draft(window);
  lac_setup_page_build_sweep(((LacWindow *) window)->setup);
}

static void
on_show_parameters(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_setup_page_show_rows(((LacWindow *) window)->setup);
}

static void
on_copy_command(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_setup_page_copy_command(((LacWindow *) window)->setup);
}

/* Changes a parameter of the active run. */
static void
on_tune(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  const char *key, *text;
  g_variant_get(parameter, "(&s&s)", &key, &text);
  lac_live_page_tune(((LacWindow *) window)->live, key, text);
}

static void
on_launch(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow     *self = window;
  LacRunSettings settings;
  const char    *sweep = lac_setup_page_get_sweep(self->setup);
  lac_setup_page_show_rows(self->setup);
  lac_setup_page_fill(self->setup, &settings);
  if (sweep != NULL)
    lac_workbench_launch_sweep(self->workbench, &settings, sweep);
  else if (lac_workbench_launch(self->workbench, &settings))
    lac_window_show_run(self);
}

static void
on_pause(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacRun *run = lac_workbench_get_active_run(bench_of(window));
  if (run == NULL)
    return;
  if (lac_session_get_status(lac_workbench_get_active_session(bench_of(window)))->state ==
      LAC_RUN_PAUSED)
    lac_run_resume(run);
  else
    lac_run_pause(run);
}

static void
on_step(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacRun *run = lac_workbench_get_active_run(bench_of(window));
  if (run != NULL)
    lac_run_step(run);
}

static void
on_checkpoint(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacRun *run = lac_workbench_get_active_run(bench_of(window));
  if (run != NULL)
    lac_run_checkpoint(run);
}

static void
on_stop(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_workbench_stop(bench_of(window));
}

static void
on_view(GSimpleAction *action, GVariant *state, gpointer window)
{
  LacViewMode mode;
  if (!lac_view_mode_find(g_variant_get_string(state, NULL), &mode))
    return;
  g_simple_action_set_state(action, state);
  lac_live_page_set_mode(((LacWindow *) window)->live, mode);
}

static void
on_quantity(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_live_page_set_quantity(((LacWindow *) window)->live, g_variant_get_string(parameter, NULL));
}

static void
on_curves(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_live_page_show_curves(((LacWindow *) window)->live, g_variant_get_string(parameter, NULL));
}

static void
on_show_frame(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_live_page_show_frame(((LacWindow *) window)->live, g_variant_get_uint64(parameter));
}

static void
on_play_frames(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_live_page_play(((LacWindow *) window)->live);
}

/* @parameter: experiment, row and value. */
static void
on_use_file(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow  *self = window;
  const char *name, *key, *value;
  g_variant_get(parameter, "(&s&s&s)", &name, &key, &value);
  const LacExperiment *experiment = lac_experiment_find(name, NULL);
  if (experiment == NULL)
    return;
  lac_setup_page_set_experiment(self->setup, experiment);
  lac_setup_page_enter(self->setup, key, value);
  lac_window_show_draft(self);
}

static void
on_close_trace(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow *self = window;
  lac_progress_list_set_trace(lac_sidebar_get_progress(lac_shell_get_sidebar(self->shell)), NULL);
  if (lac_shell_get_place(self->shell) == LAC_PLACE_TRACE)
    lac_window_show_page(self, lac_window_has_run(self) ? "live" : "experiments");
}

static void
on_screenshot(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_screenshot_take(GTK_WIDGET(window), g_variant_get_string(parameter, NULL));
}

static void
on_thumbnail(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacSession *session = lac_workbench_get_session(bench_of(window));
  if (session != NULL)
    lac_thumbnail_save(session, g_variant_get_string(parameter, NULL));
}

static void
on_shortcuts(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  GtkWidget *shortcuts = lac_shortcuts_window_new();
  gtk_window_set_transient_for(GTK_WINDOW(shortcuts), GTK_WINDOW(window));
  gtk_window_present(GTK_WINDOW(shortcuts));
}

static void
on_help(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_help_window_present(window, lac_window_get_page(window));
}

static void
on_palette(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  gtk_window_present(GTK_WINDOW(lac_command_palette_new(window)));
}

static void
on_preferences(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_preferences_window_present(window);
}

static void
on_machine(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  gtk_window_present(GTK_WINDOW(lac_machine_window_new(window)));
}

static void
on_forget_stalls(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_main_loop_watch_reset();
  lac_window_show_stalls(window);
}

static void
on_tour(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_gallery_page_end_welcome(((LacWindow *) window)->gallery);
  if (g_str_equal(g_action_get_name(G_ACTION(action)), "show-tour"))
    lac_tour_present(window);
}

static void
on_close(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  gtk_window_close(GTK_WINDOW(window));
}

static const LacActionRow rows[] = {
  {{"show-page", on_show_page, "s"}},
  {{"find", on_find}},
  {{"start", on_start, "s"}, LAC_NEEDS_IDLE},
  {{"start-default", on_start_default}, LAC_NEEDS_IDLE},
  {{"configure", on_configure, "s"}},
  {{"side-group", NULL, "s", "'day'", on_side_group}},
  {{"show-draft", on_show_draft}, LAC_NEEDS_EXPERIMENT},
  {{"show-active", on_show_active}, LAC_NEEDS_RUN},
  {{"set-parameter", on_set_parameter, "(ss)"}},
  {{"reset-parameters", on_reset_parameters}},
  {{"place-sensors", on_place_sensors}, LAC_NEEDS_SENSORS},
  {{"build-sweep", on_build_sweep}, LAC_NEEDS_EXPERIMENT},
  {{"show-parameters", on_show_parameters}},
  {{"copy-command", on_copy_command}, LAC_NEEDS_EXPERIMENT},
  {{"tune", on_tune, "(ss)"}},
  {{"launch", on_launch}, LAC_NEEDS_FORM | LAC_NEEDS_IDLE},
  {{"pause", on_pause}, LAC_NEEDS_OWN_RUN},
  {{"step", on_step}, LAC_NEEDS_OWN_RUN},
  {{"stop", on_stop}, LAC_NEEDS_RUN},
  {{"checkpoint", on_checkpoint}, LAC_NEEDS_OWN_RUN},
  {{"view", NULL, "s", "'both'", on_view}},
  {{"quantity", on_quantity, "s"}},
  {{"curves", on_curves, "s"}},
  {{"show-frame", on_show_frame, "t"}},
  {{"play-frames", on_play_frames}},
  {{"close-trace", on_close_trace}},
  {{"use-file", on_use_file, "(sss)"}},
  {{"thumbnail-to", on_thumbnail, "s"}},
  {{"screenshot-to", on_screenshot, "s"}},
  {{"show-help", on_help}},
  {{"show-shortcuts", on_shortcuts}},
  {{"show-commands", on_palette}},
  {{"show-preferences", on_preferences}},
  {{"show-machine", on_machine}},
  {{"forget-stalls", on_forget_stalls}},
  {{"show-tour", on_tour}},
  {{"skip-tour", on_tour}},
  {{"close", on_close}},
};

/* States for scripts and tests: the state of the run, read-only. */
static const struct {
  const char *name, *type;
} states[] = {
  {"run-state", "s"},        {"run-step", "x"},        {"frames-shown", "t"},
  {"launch-reason", "s"},    {"exported", "s"},        {"runs-answer", "s"},
  {"runs-shown", "t"},       {"compare-verdict", "s"}, {"recording", "s"},
  {"recording-answer", "s"}, {"queue-length", "t"},    {"stalls", "t"},
  {"longest-stall-ms", "t"}, {"records", "t"},         {"bench-answer", "s"},
};

static void
add_state(LacWindow *self, const char *name, const char *type)
{
  GVariant                *state = g_str_equal(type, "s")   ? g_variant_new_string("")
                                   : g_str_equal(type, "x") ? g_variant_new_int64(0)
                                                            : g_variant_new_uint64(0);
  g_autoptr(GSimpleAction) action = g_simple_action_new_stateful(name, NULL, state);
  g_simple_action_set_enabled(action, FALSE);
  g_action_map_add_action(G_ACTION_MAP(self), G_ACTION(action));
}

void
lac_window_add_actions(LacWindow *self)
{
  lac_window_add_rows(self, rows, G_N_ELEMENTS(rows), self);
  for (gsize i = 0; i < G_N_ELEMENTS(states); i++)
    add_state(self, states[i].name, states[i].type);
}

void
lac_window_set_state(LacWindow *self, const char *name, GVariant *state)
{
  GAction            *action = g_action_map_lookup_action(G_ACTION_MAP(self), name);
  g_autoptr(GVariant) sunk = g_variant_ref_sink(state);
  g_autoptr(GVariant) before = g_action_get_state(action);
  if (!g_variant_equal(before, sunk))
    g_simple_action_set_state(G_SIMPLE_ACTION(action), sunk);
}

void
lac_window_show_stalls(LacWindow *self)
{
  LacMainLoopCounts step_times = lac_main_loop_watch_get();
  lac_window_set_state(self, "stalls", g_variant_new_uint64(step_times.n_stalls));
  lac_window_set_state(self, "longest-stall-ms",
                       g_variant_new_uint64((guint64) (step_times.longest_ns / 1000000)));
}

/* ---- state of the run ---- */

/* A process without a folder has nothing to show yet. */
static const char *
word_of(LacWorkbench *workbench)
{
  static const char *const words[] = {"setting-up", "running", "paused", "ended"};
  LacSession              *session = lac_workbench_get_active_session(workbench);
  if (session == NULL && lac_workbench_has_child(workbench))
    return words[LAC_RUN_SETTING_UP];
  if (session == NULL)
    session = lac_workbench_get_session(workbench);
  return session == NULL ? "none" : words[lac_session_get_status(session)->state];
}

/* Updates the states that describe the run. */
static void
show_progress(LacWindow *self)
{
  LacSession *session = lac_workbench_get_session(self->workbench);
  if (session == NULL)
    return;
  LacRecording *recording = lac_session_get_recording(session);
  lac_window_set_state(self, "run-step",
                       g_variant_new_int64(lac_session_get_status(session)->step));
  lac_window_set_state(self, "frames-shown",
                       g_variant_new_uint64(lac_session_get_n_shown(session)));
  lac_window_set_state(self, "records",
                       g_variant_new_uint64(lac_recording_get_n_records(recording)));
}

/* ---- enabled actions ---- */

static guint
find_run_needs(LacWorkbench *workbench)
{
  LacSession *session = lac_workbench_get_session(workbench);
  guint       met = lac_workbench_is_busy(workbench)        ? LAC_NEEDS_RUN
                    : lac_workbench_is_measuring(workbench) ? LAC_NEEDS_MEASURING
                                                            : LAC_NEEDS_IDLE;
  if (met == LAC_NEEDS_RUN && !lac_workbench_has_child(workbench))
    met |= LAC_NEEDS_OWN_RUN;
  if (session != NULL && lac_session_get_status(session)->state >= LAC_RUN_PAUSED)
    met |= LAC_NEEDS_RESULT;
  if (lac_workbench_get_n_queued(workbench) > 0)
    met |= LAC_NEEDS_QUEUE;
  if (lac_workbench_has_deleted(workbench))
    met |= LAC_NEEDS_DELETED;
  return met;
}

static guint
find_form_needs(LacSetupPage *setup)
{
  guint met = lac_setup_page_get_reason(setup) == NULL ? LAC_NEEDS_FORM : 0;
  if (lac_setup_page_get_experiment(setup) != NULL)
    met |= LAC_NEEDS_EXPERIMENT;
  if (lac_setup_page_can_place(setup))
    met |= LAC_NEEDS_SENSORS;
  return met;
}

static guint
find_choice_needs(LacWindow *self)
{
  g_autoptr(GPtrArray)  chosen = lac_window_dup_chosen(self);
  const LacRunHeadline *one = chosen->len == 1 ? lac_run_item_get(chosen->pdata[0]) : NULL;
  guint                 met = chosen->len > 0 ? LAC_NEEDS_CHOICE : 0;
  if (chosen->len >= 2 && chosen->len <= LAC_COMPARISON_MOST)
    met |= LAC_NEEDS_SEVERAL;
  if (one == NULL || g_str_equal(one->outcome, "unreadable"))
    return met;
  met |= LAC_NEEDS_ONE;
  if (!g_str_equal(one->outcome, "running"))
    met |= LAC_NEEDS_ENDED;
  if (g_str_equal(one->outcome, "stopped") || g_str_equal(one->outcome, "interrupted"))
    met |= LAC_NEEDS_CUT_SHORT;
  return met;
}

static void
show_export(LacWindow *self, guint met)
{
  gboolean   has_result = (met & LAC_NEEDS_RESULT) != 0;
  GtkWidget *menu = GTK_WIDGET(lac_shell_get_export_menu(self->shell));
  gtk_widget_set_sensitive(menu, has_result);
  gtk_widget_set_tooltip_text(menu, has_result ? _("Export")
                                    : met & LAC_NEEDS_RUN
                                      ? _("Export (available when the run is paused or has ended)")
                                      : _("Export (available with a run)"));
}

void
lac_window_update_actions(LacWindow *self)
{
  if (self->rows == NULL) /* the window is being destroyed, which its pages signal */
    return;
  const char *reason = lac_setup_page_get_reason(self->setup);
  guint       met =
    find_run_needs(self->workbench) | find_form_needs(self->setup) | find_choice_needs(self);
  if (lac_compare_page_get_verdict(self->compare) != NULL)
    met |= LAC_NEEDS_COMPARED;
  if (lac_benchmarks_page_get_shown(self->benchmarks) != NULL)
    met |= LAC_NEEDS_MEASURED;
  if (lac_folder_page_get_sweep(self->runs) != NULL)
    met |= LAC_NEEDS_SWEEP;
  for (guint i = 0; i < self->rows->len; i++) {
    const LacActionRow *row = self->rows->pdata[i];
    GAction            *action = g_action_map_lookup_action(G_ACTION_MAP(self), row->entry.name);
    g_simple_action_set_enabled(G_SIMPLE_ACTION(action), (row->needs & ~met) == 0);
  }
  show_export(self, met);
  lac_window_set_state(self, "launch-reason", g_variant_new_string(reason == NULL ? "" : reason));
  lac_window_set_state(self, "run-state", g_variant_new_string(word_of(self->workbench)));
}

void
lac_window_follow_changes(LacWindow *self)
{
  LacRunStore *store = lac_workbench_get_run_store(self->workbench);
  const struct {
    gpointer    who;
    const char *signal;
  } causes[] = {{self->workbench, "changed"},
                {self->workbench, "queue-changed"},
                {self->setup, "validity-changed"},
                {self->runs, "selection-changed"},
                {store, "changed"},
                {self->compare, "changed"},
                {self->benchmarks, "changed"}};
  for (gsize i = 0; i < G_N_ELEMENTS(causes); i++)
    g_signal_connect_object(causes[i].who, causes[i].signal, G_CALLBACK(lac_window_update_actions),
                            self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->workbench, "progressed", G_CALLBACK(show_progress), self,
                          G_CONNECT_SWAPPED);
  lac_window_update_actions(self);
}
