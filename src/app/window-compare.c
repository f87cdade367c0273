/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of the comparison. */
#include "app/view-controls.h"
#include "app/window-private.h"
#include "report/compare/comparison.h"
#include "report/document/report.h"

#include <glib/gi18n-lib.h>

/* ---- which runs ---- */

static void
show(LacWindow *self, GPtrArray *paths)
{
  g_ptr_array_add(paths, NULL);
  lac_window_show_page(self, "compare");
  lac_compare_page_show(self->compare, (const char *const *) paths->pdata);
}

/* What is chosen in the list of runs, the one begun first before the others. */
static int
compare_begun(gconstpointer a, gconstpointer b)
{
  return lac_run_headline_compare(lac_run_item_get(*(LacRunItem *const *) a),
                                  lac_run_item_get(*(LacRunItem *const *) b), LAC_RUNS_BY_STARTED);
}

static void
on_compare_chosen(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow           *self = window;
  g_autoptr(GPtrArray) chosen = lac_runs_page_get_selection(self->runs);
  g_autoptr(GPtrArray) paths = g_ptr_array_new();
  g_ptr_array_sort(chosen, compare_begun);
  for (guint i = 0; i < chosen->len && i < LAC_COMPARISON_MOST; i++) {
    const LacRunHeadline *run = lac_run_item_get(chosen->pdata[i]);
    g_ptr_array_insert(paths, run->is_baseline ? 0 : -1, run->path);
  }
  if (paths->len >= 2)
    show(self, paths);
}

static void
on_compare_paths(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  g_autofree const char **texts = g_variant_get_strv(parameter, NULL);
  lac_window_show_page(window, "compare");
  lac_compare_page_show(((LacWindow *) window)->compare, texts);
}

static void
on_swap(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_compare_page_swap(((LacWindow *) window)->compare);
}

/* ---- how they are shown ---- */

static void
on_view(GSimpleAction *action, GVariant *state, gpointer window)
{
  LacViewMode mode;
  if (!lac_view_mode_find(g_variant_get_string(state, NULL), &mode))
    return;
  g_simple_action_set_state(action, state);
  lac_compare_page_set_mode(((LacWindow *) window)->compare, mode);
}

static void
on_link(GSimpleAction *action, GVariant *state, gpointer window)
{
  gboolean by_time = g_str_equal(g_variant_get_string(state, NULL), "time");
  g_simple_action_set_state(action, g_variant_new_string(by_time ? "time" : "step"));
  lac_compare_page_set_link(((LacWindow *) window)->compare,
                            by_time ? LAC_LINK_TIME : LAC_LINK_STEP);
}

static void
on_axis(GSimpleAction *action, GVariant *state, gpointer window)
{
  gboolean seconds = g_str_equal(g_variant_get_string(state, NULL), "seconds");
  g_simple_action_set_state(action, g_variant_new_string(seconds ? "seconds" : "step"));
  lac_compare_page_set_seconds(((LacWindow *) window)->compare, seconds);
}

/* ---- what is drawn below the fields ---- */

static const char *const choices[LAC_N_COMPARE_CHOICES] = {
  [LAC_COMPARE_METRIC] = "compare-metric",
  [LAC_COMPARE_OPERATION] = "compare-operation",
  [LAC_COMPARE_BELOW] = "compare-tab",
};

static void
show_chosen(LacWindow *self, LacCompareChoice choice)
{
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self), choices[choice]);
  g_simple_action_set_state(
    G_SIMPLE_ACTION(action),
    g_variant_new_string(lac_compare_page_get_chosen(self->compare, choice)));
}

static void
on_choice(GSimpleAction *action, GVariant *state, gpointer window)
{
  LacWindow       *self = window;
  LacCompareChoice choice = 0;
  while (!g_str_equal(choices[choice], g_action_get_name(G_ACTION(action))))
    choice++;
  lac_compare_page_choose(self->compare, choice, g_variant_get_string(state, NULL));
  show_chosen(self, choice);
}

static void
on_next(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow *self = window;
  gboolean   metric = g_str_equal(g_action_get_name(G_ACTION(action)), "compare-next-metric");
  g_action_group_change_action_state(G_ACTION_GROUP(self), choices[LAC_COMPARE_BELOW],
                                     g_variant_new_string(metric ? "curves" : "durations"));
  lac_compare_page_choose_next(self->compare, metric ? LAC_COMPARE_METRIC : LAC_COMPARE_OPERATION);
}

/* ---- the report ---- */

typedef struct {
  GStrv runs;
  char *path;
} Job;

static void
job_free(gpointer data)
{
  Job *job = data;
  g_strfreev(job->runs);
  g_free(job->path);
  g_free(job);
}

static void
write_report(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job           *job = data;
  GError              *error = NULL;
  g_autoptr(GPtrArray) runs = g_ptr_array_new_with_free_func((GDestroyNotify) lac_run_file_unref);
  for (char **path = job->runs; *path != NULL && error == NULL; path++) {
    LacRunFile *run = lac_run_file_open(*path, &error);
    if (run != NULL)
      g_ptr_array_add(runs, run);
  }
  if (error == NULL)
    lac_report_write((LacRunFile *const *) runs->pdata, runs->len, job->path, &error);
  if (error != NULL)
    g_task_return_error(task, error);
  else
    g_task_return_pointer(task, g_strdup(job->path), g_free);
}

void
lac_window_export_comparison(LacWindow *self, const char *path)
{
  GStrv runs = lac_compare_page_dup_paths(self->compare);
  if (runs[0] == NULL) {
    g_strfreev(runs);
    return;
  }
  Job             *job = g_new0(Job, 1);
  g_autoptr(GTask) task = g_task_new(NULL, NULL, lac_window_on_exported, g_object_ref(self));
  job->runs = runs;
  job->path = g_strdup(path);
  g_task_set_task_data(task, job, job_free);
  g_task_run_in_thread(task, write_report);
}

static void
on_export(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_choose_comparison(window);
}

static void
on_export_to(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_export_comparison(window, g_variant_get_string(parameter, NULL));
}

static void
on_figure(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_show_page(window, "compare");
  lac_window_make_figure(window);
}

static const GActionEntry entries[] = {
  {"runs-compare", on_compare_chosen},
  {"compare-runs", on_compare_paths, "as"},
  {"compare-swap", on_swap},
  {"compare-view", NULL, "s", "'fields'", on_view},
  {"compare-link", NULL, "s", "'step'", on_link},
  {"compare-axis", NULL, "s", "'step'", on_axis},
  {"compare-tab", NULL, "s", "'curves'", on_choice},
  {"compare-metric", NULL, "s", "''", on_choice},
  {"compare-operation", NULL, "s", "''", on_choice},
  {"compare-next-metric", on_next},
  {"compare-next-operation", on_next},
  {"compare-figure", on_figure},
  {"compare-export", on_export},
  {"compare-export-to", on_export_to, "s"},
};

void
lac_window_add_compare_actions(LacWindow *self)
{
  g_action_map_add_action_entries(G_ACTION_MAP(self), entries, G_N_ELEMENTS(entries), self);
}

void
lac_window_update_comparison(LacWindow *self)
{
  const char *verdict = lac_compare_page_get_verdict(self->compare);
  GAction    *said = g_action_map_lookup_action(G_ACTION_MAP(self), "compare-verdict");
  GAction *export = g_action_map_lookup_action(G_ACTION_MAP(self), "compare-export");
  GAction *figure = g_action_map_lookup_action(G_ACTION_MAP(self), "compare-figure");
  GAction *swap = g_action_map_lookup_action(G_ACTION_MAP(self), "compare-swap");
  for (LacCompareChoice choice = 0; choice < LAC_N_COMPARE_CHOICES; choice++)
    show_chosen(self, choice);
  g_simple_action_set_state(G_SIMPLE_ACTION(said),
                            g_variant_new_string(verdict != NULL ? verdict : ""));
  g_simple_action_set_enabled(G_SIMPLE_ACTION(export), verdict != NULL);
  g_simple_action_set_enabled(G_SIMPLE_ACTION(figure), verdict != NULL);
  g_simple_action_set_enabled(G_SIMPLE_ACTION(swap), verdict != NULL);
}
