/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of the library of runs. Without a name they mean what is chosen in the list. */
#include "app/owned-task.h"
#include "app/preferences.h"
#include "app/remedy-task.h"
#include "app/toast.h"
#include "app/window-private.h"
#include "report/compare/comparison.h"
#include "report/compare/sameness.h"
#include "run/library/library.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#define UNDO_S 30 /* as long a deletion can be undone: time to find the button by keys or by ear */

static GPtrArray *
get_chosen(LacWindow *self)
{
  return lac_runs_page_get_selection(self->runs);
}

/* Returns: (nullable): the one that is chosen; valid while the list is. */
static const LacRunHeadline *
get_one(GPtrArray *chosen)
{
  return chosen->len == 1 ? lac_run_item_get(chosen->pdata[0]) : NULL;
}

static gboolean
can_resume(const LacRunHeadline *run)
{
  return g_str_equal(run->outcome, "stopped") || g_str_equal(run->outcome, "interrupted");
}

/* ---- opening, resuming, running again ---- */

static void
on_open(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow            *self = window;
  g_autoptr(GPtrArray)  chosen = get_chosen(self);
  const LacRunHeadline *run = get_one(chosen);
  if (run != NULL)
    lac_window_open(self, run->path);
}

/* With as many threads as a run of the window has. */
static gboolean
launch_from(LacWindow *self, LacRunSettings settings)
{
  g_autoptr(LacDraft) launch = lac_preferences_new_launch(NULL, NULL);
  LacRunSettings      usual = {0};
  lac_launch_params_fill(launch, &usual);
  settings.threads = usual.threads;
  settings.detail = usual.detail;
  if (!lac_window_launch(self, &settings))
    return FALSE;
  lac_window_show_page(self, "live");
  return TRUE;
}

static void
on_resume(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow            *self = window;
  g_autoptr(GPtrArray)  chosen = get_chosen(self);
  const LacRunHeadline *run = get_one(chosen);
  if (run != NULL)
    launch_from(self, (LacRunSettings){.resume = run->path});
}

static void
on_again(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow            *self = window;
  g_autoptr(GPtrArray)  chosen = get_chosen(self);
  const LacRunHeadline *run = get_one(chosen);
  if (run == NULL)
    return;
  g_autofree char *model = g_strdup(run->path); /* the list may have another by then */
  if (!launch_from(self, (LacRunSettings){.again = model}))
    return;
  g_free(self->repeated);
  self->repeated = g_steal_pointer(&model);
}

/* What ended badly, with what is suggested in the place of what it had. */
static void
on_remedy(GObject *source, GAsyncResult *result, gpointer user_data)
{
  LacWindow           *self = LAC_WINDOW(source);
  g_autoptr(LacRemedy) remedy = lac_remedy_task_finish(result, self->session);
  if (remedy == NULL || remedy->row == NULL || lac_window_is_busy(self))
    return;
  launch_from(self, (LacRunSettings){.experiment = remedy->experiment,
                                     .draft = remedy->draft,
                                     .seed = remedy->seed,
                                     .backend = "auto",
                                     .precision = remedy->precision});
}

static void
on_retry(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow *self = window;
  if (self->session != NULL && !lac_window_is_busy(self))
    lac_remedy_task_start(self->session, self, on_remedy);
}

typedef struct {
  char *run, *model;
} Pair;

static void
pair_free(gpointer data)
{
  Pair *pair = data;
  g_free(pair->run);
  g_free(pair->model);
  g_free(pair);
}

static void
judge(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Pair           *pair = data;
  GError               *error = NULL;
  gboolean              is_same;
  g_autoptr(LacRunFile) run = lac_run_file_open(pair->run, &error);
  g_autoptr(LacRunFile) model = run != NULL ? lac_run_file_open(pair->model, &error) : NULL;
  char *text = model != NULL ? lac_sameness_judge(run, model, &is_same, &error) : NULL;
  if (text != NULL)
    g_task_return_pointer(task, text, g_free);
  else
    g_task_return_error(task, error);
}

static void
on_judged(GObject *source, GAsyncResult *result, gpointer user_data)
{
  LacWindow        *self = LAC_WINDOW(source);
  g_autoptr(GError) error = NULL;
  g_autofree char  *text = g_task_propagate_pointer(G_TASK(result), &error);
  GAction          *answer = g_action_map_lookup_action(G_ACTION_MAP(self), "runs-answer");
  const char       *sentence = text != NULL ? text : error->message;
  g_simple_action_set_state(G_SIMPLE_ACTION(answer), g_variant_new_string(sentence));
  lac_window_say(self, sentence);
}

void
lac_window_judge_repetition(LacWindow *self)
{
  if (self->repeated == NULL)
    return;
  Pair            *pair = g_new0(Pair, 1);
  g_autoptr(GTask) task = lac_owned_task_new(self, NULL, on_judged);
  pair->run = g_strdup(lac_session_get_folder(self->session));
  pair->model = g_steal_pointer(&self->repeated);
  g_task_set_task_data(task, pair, pair_free);
  g_task_run_in_thread(task, judge);
}

/* ---- a copy in the set-up ---- */

static void
on_duplicate(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow            *self = window;
  g_autoptr(GError)     error = NULL;
  g_autoptr(GPtrArray)  chosen = get_chosen(self);
  const LacRunHeadline *run = get_one(chosen);
  const LacExperiment  *experiment =
    run == NULL ? NULL : lac_experiment_find(run->experiment, &error);
  if (experiment == NULL) {
    if (error != NULL)
      lac_window_say(self, error->message);
    return;
  }
  g_autofree char *seed = g_strdup_printf("%" G_GUINT64_FORMAT, run->seed);
  lac_setup_page_set_experiment(self->setup, experiment);
  lac_setup_page_reset(self->setup);
  for (gsize i = 0; i < experiment->params.n_rows; i++) {
    const char      *key = experiment->params.rows[i].key;
    g_autofree char *text = lac_run_headline_dup_setting(run, key);
    if (text != NULL)
      lac_setup_page_enter(self->setup, key, text);
  }
  lac_setup_page_enter(self->setup, "seed", seed);
  lac_window_show_page(self, "setup");
}

/* ---- deleting ---- */

static void
delete_in_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GPtrArray *aside = data;
  for (guint i = 0; i < aside->len; i++) {
    g_autoptr(GError) kept = NULL;
    if (!lac_run_delete(g_ptr_array_index(aside, i), &kept))
      g_debug("%s", kept->message);
  }
  g_task_return_boolean(task, TRUE);
}

/* What was set aside before goes for good. */
static void
delete_aside(LacWindow *self)
{
  if (self->deleted.aside == NULL)
    return;
  g_autoptr(GTask) task = g_task_new(NULL, NULL, NULL, NULL);
  g_task_set_task_data(task, g_steal_pointer(&self->deleted.aside),
                       (GDestroyNotify) g_ptr_array_unref);
  g_task_run_in_thread(task, delete_in_thread);
}

static void
on_toast_gone(AdwToast *toast, LacWindow *self)
{
  if (self->deleted.toast != toast)
    return;
  self->deleted.toast = NULL;
  delete_aside(self);
  lac_window_update_runs(self);
}

static void
offer_undo(LacWindow *self)
{
  g_autofree char *sentence =
    g_strdup_printf(ngettext("%u run deleted", "%u runs deleted", self->deleted.aside->len),
                    self->deleted.aside->len);
  self->deleted.toast = lac_toast_new(sentence);
  adw_toast_set_button_label(self->deleted.toast, _("Undo"));
  adw_toast_set_action_name(self->deleted.toast, "win.runs-undo-delete");
  adw_toast_set_timeout(self->deleted.toast, UNDO_S);
  adw_toast_set_priority(self->deleted.toast, ADW_TOAST_PRIORITY_HIGH);
  lac_toast_show(self->toasts, self->deleted.toast);
  g_signal_connect_object(self->deleted.toast, "dismissed", G_CALLBACK(on_toast_gone), self, 0);
}

static void
on_delete(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow           *self = window;
  g_autoptr(GPtrArray) chosen = get_chosen(self);
  g_autoptr(GPtrArray) aside = g_ptr_array_new_with_free_func(g_free);
  g_autoptr(GError)    error = NULL;
  for (guint i = 0; i < chosen->len && error == NULL; i++) {
    char *path = lac_run_set_aside(lac_run_item_get(chosen->pdata[i])->path, &error);
    if (path != NULL)
      g_ptr_array_add(aside, path);
  }
  if (error != NULL)
    lac_window_say(self, error->message);
  if (aside->len == 0)
    return;
  self->deleted.toast = NULL;
  delete_aside(self);
  self->deleted.aside = g_steal_pointer(&aside);
  offer_undo(self);
  lac_run_store_refresh(self->run_store);
  lac_window_update_runs(self);
}

static void
on_undo_delete(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow *self = window;
  if (self->deleted.aside == NULL)
    return;
  g_autoptr(GPtrArray) aside = g_steal_pointer(&self->deleted.aside);
  g_autoptr(GError)    error = NULL;
  AdwToast            *toast = self->deleted.toast;
  self->deleted.toast = NULL;
  for (guint i = 0; i < aside->len && error == NULL; i++)
    g_free(lac_run_bring_back(g_ptr_array_index(aside, i), &error));
  if (error != NULL)
    lac_window_say(self, error->message);
  if (toast != NULL)
    lac_toast_dismiss(self->toasts, toast);
  lac_run_store_refresh(self->run_store);
  lac_window_update_runs(self);
}

/* ---- tags, notes, the baseline ---- */

static void
settle_notes(LacWindow *self, gboolean done, const GError *error)
{
  if (!done)
    lac_window_say(self, error->message);
  lac_run_store_refresh(self->run_store);
}

/* A run and its tags, or its note. */
static void
on_remark(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  g_autoptr(GError) error = NULL;
  const char       *path, *text;
  g_variant_get(parameter, "(&s&s)", &path, &text);
  gboolean done = g_str_equal(g_action_get_name(G_ACTION(action)), "runs-tag")
                    ? lac_run_set_tags(path, text, &error)
                    : lac_run_set_note(path, text, &error);
  settle_notes(window, done, error);
}

static void
on_pin(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow            *self = window;
  g_autoptr(GError)     error = NULL;
  g_autoptr(GPtrArray)  chosen = get_chosen(self);
  g_autoptr(GPtrArray)  all = lac_run_store_list(self->run_store);
  const LacRunHeadline *run = get_one(chosen);
  if (run != NULL)
    settle_notes(self, lac_run_set_baseline(run, all, !run->is_baseline, &error), error);
}

/* ---- searching, choosing, the folder ---- */

static void
on_search(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_runs_page_search(((LacWindow *) window)->runs, g_variant_get_string(parameter, NULL));
  lac_window_update_runs(window);
}

static void
on_select(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  g_autofree const char **names = g_variant_get_strv(parameter, NULL);
  lac_runs_page_select(((LacWindow *) window)->runs, names);
}

/* As it was the last time. */
static void
on_group(GSimpleAction *action, GVariant *value, gpointer window)
{
  GSettings *settings = lac_preferences_get();
  lac_runs_page_set_grouping(((LacWindow *) window)->runs, g_variant_get_string(value, NULL));
  g_simple_action_set_state(action, value);
  if (settings != NULL)
    g_settings_set_value(settings, "runs-group", value);
}

static void
on_fold(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_runs_page_expand(((LacWindow *) window)->runs,
                       g_str_equal(g_action_get_name(G_ACTION(action)), "runs-unfold"));
}

static void
on_show_folder(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow *self = window;
  g_action_group_activate_action(G_ACTION_GROUP(self), "open-folder",
                                 g_variant_new_string(lac_run_store_get_folder(self->run_store)));
}

static void
on_folder(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_set_runs_folder(window, g_variant_get_string(parameter, NULL));
}

static void
on_choose_folder(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_choose_runs_folder(window);
}

void
lac_window_set_runs_folder(LacWindow *self, const char *folder)
{
  lac_run_store_set_folder(self->run_store, folder);
  lac_runs_page_set_store(self->runs, self->run_store);
}

static const GActionEntry entries[] = {
  {"runs-open", on_open},
  {"runs-resume", on_resume},
  {"runs-again", on_again},
  {"retry", on_retry},
  {"runs-duplicate", on_duplicate},
  {"runs-delete", on_delete},
  {"runs-undo-delete", on_undo_delete},
  {"runs-tag", on_remark, "(ss)"},
  {"runs-note", on_remark, "(ss)"},
  {"runs-pin", on_pin},
  {"runs-search", on_search, "s"},
  {"runs-select", on_select, "as"},
  {"runs-group", NULL, "s", "'none'", on_group},
  {"runs-fold", on_fold},
  {"runs-unfold", on_fold},
  {"runs-show-folder", on_show_folder},
  {"runs-folder", on_folder, "s"},
  {"runs-choose-folder", on_choose_folder},
};

void
lac_window_add_run_actions(LacWindow *self)
{
  g_action_map_add_action_entries(G_ACTION_MAP(self), entries, G_N_ELEMENTS(entries), self);
  if (lac_preferences_get() != NULL)
    g_action_group_change_action_state(G_ACTION_GROUP(self), "runs-group",
                                       g_settings_get_value(lac_preferences_get(), "runs-group"));
}

static void
enable(LacWindow *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self), name);
  g_simple_action_set_enabled(G_SIMPLE_ACTION(action), enabled);
}

void
lac_window_update_runs(LacWindow *self)
{
  g_autoptr(GPtrArray)  chosen = get_chosen(self);
  const LacRunHeadline *run = get_one(chosen);
  gboolean              idle = !lac_window_is_busy(self);
  gboolean              is_whole = run != NULL && !g_str_equal(run->outcome, "unreadable");
  gboolean              has_ended = is_whole && !g_str_equal(run->outcome, "running");
  enable(self, "runs-open", is_whole && idle);
  enable(self, "runs-resume", is_whole && idle && can_resume(run));
  enable(self, "runs-again", has_ended && idle);
  enable(self, "runs-duplicate", is_whole);
  enable(self, "runs-pin", is_whole);
  enable(self, "runs-delete", chosen->len > 0);
  enable(self, "runs-compare", chosen->len >= 2 && chosen->len <= LAC_COMPARISON_MOST);
  enable(self, "runs-undo-delete", self->deleted.aside != NULL);
  GAction *shown = g_action_map_lookup_action(G_ACTION_MAP(self), "runs-shown");
  g_simple_action_set_state(G_SIMPLE_ACTION(shown),
                            g_variant_new_uint64(lac_runs_page_get_n_shown(self->runs)));
}
