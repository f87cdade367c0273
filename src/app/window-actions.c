/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of the window. Each is an action, so that menus, keys, scripts and tests do the same thing. */
#include "app/command-palette.h"
#include "app/help-window.h"
#include "app/machine-window.h"
#include "app/main-loop-watch.h"
#include "app/preferences-window.h"
#include "app/recent-files.h"
#include "app/screenshot.h"
#include "app/shortcuts-window.h"
#include "app/tour.h"
#include "app/view-controls.h"
#include "app/window-private.h"

#include <glib/gi18n-lib.h>

typedef void (*Handler)(GSimpleAction *action, GVariant *parameter, gpointer window);

static void
on_show_page(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_show_page(window, g_variant_get_string(parameter, NULL));
}

static void
on_find(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow *self = window;
  if (g_strcmp0(adw_view_stack_get_visible_child_name(self->stack), "timeline") == 0 &&
      lac_timeline_page_get_recording(self->timeline) != NULL) {
    lac_timeline_page_focus_search(self->timeline);
    return;
  }
  if (g_strcmp0(adw_view_stack_get_visible_child_name(self->stack), "runs") == 0) {
    lac_runs_page_focus_search(self->runs);
    return;
  }
  lac_window_show_page(self, "experiments");
  lac_gallery_page_focus_search(self->gallery);
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
    lac_window_say(self, error->message);
    return;
  }
  lac_setup_page_set_experiment(self->setup, experiment);
  lac_window_show_page(self, "setup");
}

static void
on_set_parameter(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow  *self = window;
  const char *key, *text;
  g_variant_get(parameter, "(&s&s)", &key, &text);
  if (!lac_setup_page_enter(self->setup, key, text)) {
    g_autofree char *sentence = g_strdup_printf(_("There is no parameter “%s”."), key);
    lac_window_say(self, sentence);
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
  lac_window_show_page(window, "setup");
  lac_setup_page_place(((LacWindow *) window)->setup);
}

static void
on_build_sweep(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_show_page(window, "setup");
  lac_setup_page_build_sweep(((LacWindow *) window)->setup);
}

static void
on_show_parameters(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_setup_page_leave_sensors(((LacWindow *) window)->setup);
}

/* A parameter that may change while the run goes. */
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
    lac_window_launch_sweep(self, &settings, sweep);
  else if (lac_window_launch(self, &settings))
    lac_window_show_page(self, "live");
}

static LacRun *
get_active_run(LacWindow *self)
{
  return self->session != NULL && lac_session_is_active(self->session)
           ? lac_session_get_run(self->session)
           : NULL;
}

static void
on_pause(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow *self = window;
  LacRun    *run = get_active_run(self);
  if (run == NULL)
    return;
  if (lac_session_get_status(self->session)->state == LAC_RUN_PAUSED)
    lac_run_resume(run);
  else
    lac_run_pause(run);
}

static void
on_run_command(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  const char *name = g_action_get_name(G_ACTION(action));
  LacRun     *run = get_active_run(window);
  if (g_str_equal(name, "stop") && lac_window_stop_child(window))
    return;
  if (run == NULL)
    return;
  if (g_str_equal(name, "step"))
    lac_run_step(run);
  else if (g_str_equal(name, "stop"))
    lac_run_stop(run);
  else
    lac_run_checkpoint(run);
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

static void
on_open(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_choose_run(window);
}

static void
on_open_data(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_choose_data(window);
}

/* Experiment, row and value. */
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
  lac_window_show_page(self, "setup");
}

static void
on_close_trace(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_close_trace(window);
}

static void
on_open_path(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_open(window, g_variant_get_string(parameter, NULL));
}

/* One that is gone leaves the list. */
static void
on_open_recent(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  const char *path = g_variant_get_string(parameter, NULL);
  if (g_file_test(path, G_FILE_TEST_EXISTS)) {
    lac_window_open(window, path);
    return;
  }
  g_autofree char *shown = g_filename_display_name(path);
  g_autofree char *sentence =
    g_strdup_printf(_("%s is no longer there; it is off the list of recent files."), shown);
  lac_recent_files_remove(path);
  lac_window_say(window, sentence);
}

static void
on_clear_recent(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_recent_files_clear();
}

static void
on_open_folder(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  g_autoptr(GFile) file = g_file_new_for_path(g_variant_get_string(parameter, NULL));
  g_autofree char *uri = g_file_get_uri(file);
  gtk_show_uri(GTK_WINDOW(window), uri, GDK_CURRENT_TIME);
}

static LacExportKind
kind_of(GAction *action)
{
  const char *name = g_action_get_name(action);
  for (LacExportKind kind = LAC_EXPORT_FIGURE; kind < LAC_EXPORT_TRACE; kind++)
    if (g_str_has_prefix(name, lac_export_form(kind)->action))
      return kind;
  return LAC_EXPORT_TRACE;
}

static void
on_export(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacExportKind kind = kind_of(G_ACTION(action));
  if (kind == LAC_EXPORT_FIGURE)
    lac_window_make_figure(window);
  else if (kind == LAC_EXPORT_REPORT)
    lac_window_edit_report(window);
  else
    lac_window_choose_export(window, kind);
}

static void
on_export_to(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_export(window, kind_of(G_ACTION(action)), g_variant_get_string(parameter, NULL));
}

static void
on_screenshot(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_screenshot_take(GTK_WIDGET(window), g_variant_get_string(parameter, NULL));
}

static void
on_thumbnail(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow *self = window;
  if (self->session != NULL)
    lac_thumbnail_save(self->session, g_variant_get_string(parameter, NULL));
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
  lac_help_window_present(window,
                          adw_view_stack_get_visible_child_name(((LacWindow *) window)->stack));
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
  lac_window_update_stalls(window);
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

static const GActionEntry entries[] = {
  {"show-page", on_show_page, "s"},
  {"find", on_find},
  {"start", on_start, "s"},
  {"start-default", on_start_default},
  {"configure", on_configure, "s"},
  {"set-parameter", on_set_parameter, "(ss)"},
  {"reset-parameters", on_reset_parameters},
  {"place-sensors", on_place_sensors},
  {"build-sweep", on_build_sweep},
  {"show-parameters", on_show_parameters},
  {"tune", on_tune, "(ss)"},
  {"launch", on_launch},
  {"pause", on_pause},
  {"step", on_run_command},
  {"stop", on_run_command},
  {"checkpoint", on_run_command},
  {"view", NULL, "s", "'fields'", on_view},
  {"quantity", on_quantity, "s"},
  {"curves", on_curves, "s"},
  {"show-frame", on_show_frame, "t"},
  {"play-frames", on_play_frames},
  {"open", on_open},
  {"open-data", on_open_data},
  {"open-path", on_open_path, "s"},
  {"open-recent", on_open_recent, "s"},
  {"clear-recent", on_clear_recent},
  {"close-trace", on_close_trace},
  {"use-file", on_use_file, "(sss)"},
  {"open-folder", on_open_folder, "s"},
  {"export-figure", on_export},
  {"export-report", on_export},
  {"export-data", on_export},
  {"export-film", on_export},
  {"export-trace", on_export},
  {"export-figure-to", on_export_to, "s"},
  {"export-report-to", on_export_to, "s"},
  {"export-data-to", on_export_to, "s"},
  {"export-film-to", on_export_to, "s"},
  {"export-trace-to", on_export_to, "s"},
  {"thumbnail-to", on_thumbnail, "s"},
  {"screenshot-to", on_screenshot, "s"},
  {"show-help", on_help},
  {"show-shortcuts", on_shortcuts},
  {"show-commands", on_palette},
  {"show-preferences", on_preferences},
  {"show-machine", on_machine},
  {"forget-stalls", on_forget_stalls},
  {"show-tour", on_tour},
  {"skip-tour", on_tour},
  {"close", on_close},
};

/* What scripts and tests wait for: where the run stands, as states that cannot be set. */
static const struct {
  const char *name, *type;
} states[] = {
  {"run-state", "s"},        {"run-step", "x"},        {"frames-shown", "t"},
  {"launch-reason", "s"},    {"exported", "s"},        {"runs-answer", "s"},
  {"runs-shown", "t"},       {"compare-verdict", "s"}, {"sitting", "s"},
  {"sitting-answer", "s"},   {"queue-length", "t"},    {"stalls", "t"},
  {"longest-stall-ms", "t"}, {"records", "t"},
};

void
lac_window_add_actions(LacWindow *self)
{
  g_action_map_add_action_entries(G_ACTION_MAP(self), entries, G_N_ELEMENTS(entries), self);
  for (gsize i = 0; i < G_N_ELEMENTS(states); i++) {
    GVariant                *state = g_str_equal(states[i].type, "s")   ? g_variant_new_string("")
                                     : g_str_equal(states[i].type, "x") ? g_variant_new_int64(0)
                                                                        : g_variant_new_uint64(0);
    g_autoptr(GSimpleAction) action = g_simple_action_new_stateful(states[i].name, NULL, state);
    g_simple_action_set_enabled(action, FALSE);
    g_action_map_add_action(G_ACTION_MAP(self), G_ACTION(action));
  }
}

static void
enable(LacWindow *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self), name);
  g_simple_action_set_enabled(G_SIMPLE_ACTION(action), enabled);
}

static void
set_state(LacWindow *self, const char *name, GVariant *value)
{
  GAction            *action = g_action_map_lookup_action(G_ACTION_MAP(self), name);
  g_autoptr(GVariant) sunk = g_variant_ref_sink(value);
  g_autoptr(GVariant) before = g_action_get_state(action);
  if (!g_variant_equal(before, sunk))
    g_simple_action_set_state(G_SIMPLE_ACTION(action), sunk);
}

void
lac_window_update_stalls(LacWindow *self)
{
  LacMainLoopTally tally = lac_main_loop_watch_get();
  set_state(self, "stalls", g_variant_new_uint64(tally.n_stalls));
  set_state(self, "longest-stall-ms", g_variant_new_uint64((guint64) (tally.longest_ns / 1000000)));
}

/* A process that has no folder yet is nothing to show. */
static const char *
word_of(const LacWindow *self)
{
  static const char *const words[] = {"setting-up", "running", "paused", "ended"};
  LacSession              *session = self->session;
  if (self->child != NULL && (session == NULL || !lac_session_is_own(session)))
    return words[LAC_RUN_SETTING_UP];
  return session == NULL ? "none" : words[lac_session_get_status(session)->state];
}

void
lac_window_update_actions(LacWindow *self)
{
  LacSession *session = self->session;
  gboolean    busy = lac_window_is_busy(self);
  const char *reason = lac_setup_page_get_reason(self->setup);
  gboolean    has_run = session != NULL && lac_session_get_status(session)->state >= LAC_RUN_PAUSED;
  enable(self, "launch", reason == NULL && !busy);
  enable(self, "queue-add", reason == NULL);
  lac_window_update_queue(self);
  enable(self, "build-sweep", lac_setup_page_get_experiment(self->setup) != NULL);
  enable(self, "place-sensors", lac_setup_page_can_place(self->setup));
  enable(self, "start", !busy);
  enable(self, "start-default", !busy);
  enable(self, "open", !busy);
  enable(self, "pause", busy && self->child == NULL);
  enable(self, "step", busy && self->child == NULL);
  enable(self, "stop", busy);
  enable(self, "checkpoint", busy && self->child == NULL);
  for (LacExportKind kind = LAC_EXPORT_FIGURE; kind <= LAC_EXPORT_TRACE; kind++) {
    const char      *name = lac_export_form(kind)->action;
    g_autofree char *twin = g_strconcat(name, "-to", NULL);
    enable(self, name, has_run);
    enable(self, twin, has_run);
  }
  gtk_widget_set_sensitive(GTK_WIDGET(self->export_menu), has_run);
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->export_menu),
                              has_run ? _("Export")
                              : busy  ? _("Export, once the run is paused or has ended")
                                      : _("Export, once there is a run"));
  lac_window_update_runs(self);
  set_state(self, "launch-reason", g_variant_new_string(reason == NULL ? "" : reason));
  set_state(self, "run-state", g_variant_new_string(word_of(self)));
  if (session == NULL)
    return;
  set_state(self, "run-step", g_variant_new_int64(lac_session_get_status(session)->step));
  set_state(self, "frames-shown", g_variant_new_uint64(lac_session_get_n_shown(session)));
  LacRecording *recording = lac_session_get_recording(session);
  set_state(self, "records", g_variant_new_uint64(lac_recording_get_n_records(recording)));
}
