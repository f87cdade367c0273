/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of the library of runs. Without a name they apply to the selection in the list. */
#include "app/session/remedy-task.h"
#include "app/shell/features.h"
#include "app/toolkit/preferences.h"
#include "app/toolkit/toast.h"
#include "io/runfile/folder.h"
#include "run/library/library.h"
#include "run/plan/equation.h"
#include "run/plan/launch-options.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#define KEPT "lac-runs" /* data of the workbench, during the life of this feature */
#define UNDO_S \
  30 /* a deletion can be undone for as long: time to find the button by keys or screen reader */

typedef struct {
  LacWindow     *window;
  LacWorkbench  *workbench;
  LacFolderPage *page;
  LacSetupPage  *setup;
  AdwToast      *toast; /* (nullable), weak: offers to undo a deletion */
} Runs;

static GPtrArray *
get_chosen(Runs *self)
{
  return lac_window_dup_chosen(self->window);
}

/* Returns: (nullable): the single selected run; valid while the list is unchanged. */
static const LacRunHeadline *
get_one(GPtrArray *chosen)
{
  return chosen->len == 1 ? lac_run_item_get(chosen->pdata[0]) : NULL;
}

/* ---- opening, resuming, running again ---- */

static void
on_open(GSimpleAction *action, GVariant *parameter, gpointer runs)
{
  Runs                 *self = runs;
  g_autoptr(GPtrArray)  chosen = get_chosen(self);
  const LacRunHeadline *run = get_one(chosen);
  if (run != NULL)
    lac_window_open(self->window, run->path);
}

/* Uses the default number of threads of the window. */
static gboolean
launch_from(Runs *self, LacRunSettings settings)
{
  g_autoptr(LacDraft) launch = lac_preferences_new_launch(NULL, NULL);
  LacRunSettings      usual = {0};
  lac_launch_params_fill(launch, &usual);
  settings.threads = usual.threads;
  settings.detail = usual.detail;
  if (!lac_workbench_launch(self->workbench, &settings))
    return FALSE;
  lac_window_show_run(self->window);
  return TRUE;
}

static void
on_resume(GSimpleAction *action, GVariant *parameter, gpointer runs)
{
  Runs                 *self = runs;
  g_autoptr(GPtrArray)  chosen = get_chosen(self);
  const LacRunHeadline *run = get_one(chosen);
  if (run != NULL && lac_workbench_resume(self->workbench, run->path))
    lac_window_show_page(self->window, "live");
}

/* @parameter: the folder of an interrupted run. */
static void
on_resume_run(GSimpleAction *action, GVariant *parameter, gpointer runs)
{
  launch_from(runs, (LacRunSettings){.resume = g_variant_get_string(parameter, NULL)});
}

static void
on_again(GSimpleAction *action, GVariant *parameter, gpointer runs)
{
  Runs                 *self = runs;
  g_autoptr(GPtrArray)  chosen = get_chosen(self);
  const LacRunHeadline *run = get_one(chosen);
  if (run == NULL)
    return;
  g_autofree char *model = g_strdup(run->path); /* the list may be replaced meanwhile */
  if (launch_from(self, (LacRunSettings){.again = model}))
    lac_workbench_set_repeated(self->workbench, model);
}

/* Repeats a failed run with the suggested setting. */
static void
on_remedy(gpointer workbench, gpointer folder, gpointer result, const GError *error)
{
  g_autoptr(LacRemedy) remedy = result;
  Runs                *self = g_object_get_data(workbench, KEPT);
  if (remedy == NULL || remedy->row == NULL || self == NULL || lac_workbench_is_busy(workbench) ||
      !lac_remedy_task_is_of(folder, lac_workbench_get_session(workbench)))
    return;
  launch_from(self, (LacRunSettings){.experiment = remedy->experiment,
                                     .draft = remedy->draft,
                                     .seed = remedy->seed,
                                     .backend = "auto",
                                     .precision = remedy->precision});
}

static void
on_retry(GSimpleAction *action, GVariant *parameter, gpointer runs)
{
  LacWorkbench *workbench = ((Runs *) runs)->workbench;
  LacSession   *session = lac_workbench_get_session(workbench);
  if (session != NULL && !lac_workbench_is_busy(workbench))
    lac_remedy_task_start(session, workbench, on_remedy);
}

/* ---- a copy in the set-up ---- */

/* Fills the set-up with the settings of the run in @folder. Returns: FALSE after a message. */
static gboolean
copy_settings(Runs *self, const char *folder)
{
  g_autoptr(GError)       error = NULL;
  g_autoptr(LacRunOrigin) origin = lac_run_origin_read(folder, &error);
  const LacExperiment    *experiment = origin == NULL || !lac_equation_learn(folder, &error)
                                         ? NULL
                                         : lac_experiment_find(origin->experiment, &error);
  if (experiment == NULL) {
    lac_workbench_show_message(self->workbench, error->message);
    return FALSE;
  }
  g_autofree char *seed = g_strdup_printf("%" G_GUINT64_FORMAT, origin->seed);
  lac_setup_page_set_experiment(self->setup, experiment);
  lac_setup_page_reset(self->setup);
  for (char **setting = origin->settings; setting[0] != NULL; setting += 2)
    lac_setup_page_enter(self->setup, setting[0], setting[1]);
  lac_setup_page_enter(self->setup, "seed", seed);
  return TRUE;
}

static void
on_duplicate(GSimpleAction *action, GVariant *parameter, gpointer runs)
{
  Runs                 *self = runs;
  g_autoptr(GPtrArray)  chosen = get_chosen(self);
  const LacRunHeadline *run = get_one(chosen);
  if (run != NULL && copy_settings(self, run->path))
    lac_window_show_draft(self->window);
}

/* Opens the set-up with the settings of the run on display and one change. @parameter: key and value */
static void
on_apply_setting(GSimpleAction *action, GVariant *parameter, gpointer runs)
{
  Runs       *self = runs;
  LacSession *session = lac_workbench_get_session(self->workbench);
  const char *key, *value;
  g_variant_get(parameter, "(&s&s)", &key, &value);
  if (session == NULL || !copy_settings(self, lac_session_get_folder(session)))
    return;
  lac_setup_page_enter(self->setup, key, value);
  lac_window_show_draft(self->window);
}

/* ---- deleting ---- */

static void
forget_toast(Runs *self)
{
  if (self->toast != NULL)
    g_signal_handlers_disconnect_by_data(self->toast, self);
  g_clear_weak_pointer(&self->toast);
}

static void
on_toast_gone(Runs *self)
{
  forget_toast(self);
  lac_workbench_forget_deleted(self->workbench);
}

static void
offer_undo(Runs *self, guint n)
{
  g_autofree char *sentence = g_strdup_printf(ngettext("%u run deleted", "%u runs deleted", n), n);
  g_set_weak_pointer(&self->toast, lac_toast_new(sentence));
  adw_toast_set_button_label(self->toast, _("Undo"));
  adw_toast_set_action_name(self->toast, "win.runs-undo-delete");
  adw_toast_set_timeout(self->toast, UNDO_S);
  adw_toast_set_priority(self->toast, ADW_TOAST_PRIORITY_HIGH);
  lac_window_show_toast(self->window, self->toast);
  g_signal_connect_swapped(self->toast, "dismissed", G_CALLBACK(on_toast_gone), self);
}

static void
on_delete(GSimpleAction *action, GVariant *parameter, gpointer runs)
{
  Runs                *self = runs;
  g_autoptr(GPtrArray) chosen = get_chosen(self);
  g_autoptr(GPtrArray) paths = g_ptr_array_new();
  for (guint i = 0; i < chosen->len; i++)
    g_ptr_array_add(paths, (gpointer) lac_run_item_get(chosen->pdata[i])->path);
  guint n = lac_workbench_delete_runs(self->workbench, paths);
  if (n == 0)
    return;
  forget_toast(self);
  offer_undo(self, n);
}

static void
on_undo_delete(GSimpleAction *action, GVariant *parameter, gpointer runs)
{
  Runs     *self = runs;
  AdwToast *toast = self->toast;
  if (!lac_workbench_has_deleted(self->workbench))
    return;
  forget_toast(self);
  lac_workbench_undo_delete(self->workbench);
  if (toast != NULL)
    lac_window_dismiss_toast(self->window, toast);
}

/* ---- tags, notes, the baseline ---- */

static void
settle_notes(Runs *self, gboolean done, const GError *error)
{
  if (!done)
    lac_workbench_show_message(self->workbench, error->message);
  lac_run_store_refresh(lac_workbench_get_run_store(self->workbench));
}

/* @parameter: a run and its tags, or its note. */
static void
on_remark(GSimpleAction *action, GVariant *parameter, gpointer runs)
{
  g_autoptr(GError) error = NULL;
  const char       *path, *text;
  g_variant_get(parameter, "(&s&s)", &path, &text);
  gboolean done = g_str_equal(g_action_get_name(G_ACTION(action)), "runs-tag")
                    ? lac_run_set_tags(path, text, &error)
                    : lac_run_set_note(path, text, &error);
  settle_notes(runs, done, error);
}

static void
on_pin(GSimpleAction *action, GVariant *parameter, gpointer runs)
{
  Runs                 *self = runs;
  g_autoptr(GError)     error = NULL;
  g_autoptr(GPtrArray)  chosen = get_chosen(self);
  g_autoptr(GPtrArray)  all = lac_run_store_list(lac_workbench_get_run_store(self->workbench));
  const LacRunHeadline *run = get_one(chosen);
  if (run != NULL)
    settle_notes(self, lac_run_set_baseline(run, all, !run->is_baseline, &error), error);
}

/* ---- search, selection, folder ---- */

static void
on_search(GSimpleAction *action, GVariant *parameter, gpointer runs)
{
  lac_folder_page_search(((Runs *) runs)->page, g_variant_get_string(parameter, NULL));
}

static void
on_select(GSimpleAction *action, GVariant *parameter, gpointer runs)
{
  g_autofree const char **names = g_variant_get_strv(parameter, NULL);
  lac_folder_page_select(((Runs *) runs)->page, names);
}

/* Restores the last grouping. */
static void
on_group(GSimpleAction *action, GVariant *value, gpointer runs)
{
  GSettings *settings = lac_preferences_get();
  lac_folder_page_set_grouping(((Runs *) runs)->page, g_variant_get_string(value, NULL));
  g_simple_action_set_state(action, value);
  if (settings != NULL)
    g_settings_set_value(settings, "runs-group", value);
}

static void
on_fold(GSimpleAction *action, GVariant *parameter, gpointer runs)
{
  lac_folder_page_expand(((Runs *) runs)->page,
                         g_str_equal(g_action_get_name(G_ACTION(action)), "runs-unfold"));
}

static void
on_show_folder(GSimpleAction *action, GVariant *parameter, gpointer runs)
{
  Runs *self = runs;
  g_action_group_activate_action(
    G_ACTION_GROUP(self->window), "open-folder",
    g_variant_new_string(lac_run_store_get_folder(lac_workbench_get_run_store(self->workbench))));
}

static void
on_folder(GSimpleAction *action, GVariant *parameter, gpointer runs)
{
  lac_run_store_set_folder(lac_workbench_get_run_store(((Runs *) runs)->workbench),
                           g_variant_get_string(parameter, NULL));
}

static void
on_choose_folder(GSimpleAction *action, GVariant *parameter, gpointer runs)
{
  lac_window_choose_runs_folder(((Runs *) runs)->window,
                                lac_workbench_get_run_store(((Runs *) runs)->workbench));
}

static const LacActionRow rows[] = {
  {{"runs-open", on_open}, LAC_NEEDS_ONE},
  {{"runs-resume", on_resume}, LAC_NEEDS_ONE | LAC_NEEDS_CUT_SHORT | LAC_NEEDS_IDLE},
  {{"resume-run", on_resume_run, "s"}, LAC_NEEDS_IDLE},
  {{"runs-again", on_again}, LAC_NEEDS_ONE | LAC_NEEDS_ENDED | LAC_NEEDS_IDLE},
  {{"retry", on_retry}},
  {{"runs-duplicate", on_duplicate}, LAC_NEEDS_ONE},
  {{"apply-setting", on_apply_setting, "(ss)"}},
  {{"runs-delete", on_delete}, LAC_NEEDS_CHOICE},
  {{"runs-undo-delete", on_undo_delete}, LAC_NEEDS_DELETED},
  {{"runs-tag", on_remark, "(ss)"}},
  {{"runs-note", on_remark, "(ss)"}},
  {{"runs-pin", on_pin}, LAC_NEEDS_ONE},
  {{"runs-search", on_search, "s"}},
  {{"runs-select", on_select, "as"}},
  {{"runs-group", NULL, "s", "'none'", on_group}},
  {{"runs-fold", on_fold}},
  {{"runs-unfold", on_fold}},
  {{"runs-show-folder", on_show_folder}},
  {{"runs-folder", on_folder, "s"}},
  {{"runs-choose-folder", on_choose_folder}},
};

static void
show_count(Runs *self)
{
  lac_window_set_state(self->window, "runs-shown",
                       g_variant_new_uint64(lac_folder_page_get_n_shown(self->page)));
}

static void
on_answered(Runs *self, const char *sentence)
{
  lac_window_set_state(self->window, "runs-answer", g_variant_new_string(sentence));
  lac_workbench_show_message(self->workbench, sentence);
}

static void
show_preferred_folder(Runs *self)
{
  g_autofree char *folder = lac_preferences_dup_run_folder();
  lac_run_store_set_folder(lac_workbench_get_run_store(self->workbench), folder);
}

static void
runs_free(gpointer runs)
{
  Runs *self = runs;
  forget_toast(self);
  g_object_set_data(G_OBJECT(self->workbench), KEPT, NULL);
  g_signal_handlers_disconnect_by_data(self->workbench, self);
  g_signal_handlers_disconnect_by_data(self->page, self);
  g_signal_handlers_disconnect_by_data(lac_workbench_get_run_store(self->workbench), self);
  if (lac_preferences_get() != NULL)
    g_signal_handlers_disconnect_by_data(lac_preferences_get(), self);
  g_free(self);
}

void
lac_window_add_runs(LacWindow     *window,
                    LacWorkbench  *workbench,
                    LacFolderPage *page,
                    LacSetupPage  *setup)
{
  Runs        *self = g_new(Runs, 1);
  LacRunStore *store = lac_workbench_get_run_store(workbench);
  *self = (Runs){window, workbench, page, setup, NULL};
  g_object_set_data(G_OBJECT(workbench), KEPT, self);
  lac_window_keep(window, self, runs_free);
  lac_window_add_rows(window, rows, G_N_ELEMENTS(rows), self);
  lac_folder_page_set_store(page, store);
  g_signal_connect_swapped(workbench, "answered", G_CALLBACK(on_answered), self);
  g_signal_connect_swapped(page, "selection-changed", G_CALLBACK(show_count), self);
  g_signal_connect_swapped(store, "changed", G_CALLBACK(show_count), self);
  show_preferred_folder(self);
  if (lac_preferences_get() == NULL)
    return;
  g_signal_connect_swapped(lac_preferences_get(), "changed::run-folder",
                           G_CALLBACK(show_preferred_folder), self);
  g_action_group_change_action_state(G_ACTION_GROUP(window), "runs-group",
                                     g_settings_get_value(lac_preferences_get(), "runs-group"));
}
