/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of the comparison. */
#include "app/field/view-controls.h"
#include "app/shell/features.h"
#include "app/toolkit/save-dialog.h"
#include "report/compare/comparison.h"
#include "report/document/report.h"

#include <glib/gi18n-lib.h>

typedef struct {
  LacWindow      *window;
  LacComparePage *page;
  LacComposed    *composed;
} Compare;

/* ---- runs ---- */

static void
on_compare_chosen(GSimpleAction *action, GVariant *parameter, gpointer compare)
{
  LacWindow           *window = ((Compare *) compare)->window;
  g_autoptr(GPtrArray) chosen = lac_window_dup_chosen(window);
  lac_window_compare(window, chosen);
}

static void
on_compare_paths(GSimpleAction *action, GVariant *parameter, gpointer compare)
{
  g_autofree const char **texts = g_variant_get_strv(parameter, NULL);
  lac_compare_page_set_runs(((Compare *) compare)->page, texts);
  lac_window_show_page(((Compare *) compare)->window, "compare");
}

static void
on_swap(GSimpleAction *action, GVariant *parameter, gpointer compare)
{
  lac_compare_page_swap(((Compare *) compare)->page);
}

/* ---- view ---- */

static void
on_view(GSimpleAction *action, GVariant *state, gpointer compare)
{
  LacViewMode mode;
  if (!lac_view_mode_find(g_variant_get_string(state, NULL), &mode))
    return;
  g_simple_action_set_state(action, state);
  lac_compare_page_set_mode(((Compare *) compare)->page, mode);
}

static void
on_link(GSimpleAction *action, GVariant *state, gpointer compare)
{
  gboolean by_time = g_str_equal(g_variant_get_string(state, NULL), "time");
  g_simple_action_set_state(action, g_variant_new_string(by_time ? "time" : "step"));
  lac_compare_page_set_link(((Compare *) compare)->page, by_time ? LAC_LINK_TIME : LAC_LINK_STEP);
}

static void
on_axis(GSimpleAction *action, GVariant *state, gpointer compare)
{
  gboolean seconds = g_str_equal(g_variant_get_string(state, NULL), "seconds");
  g_simple_action_set_state(action, g_variant_new_string(seconds ? "seconds" : "step"));
  lac_compare_page_set_seconds(((Compare *) compare)->page, seconds);
}

/* ---- the chart below the fields ---- */

static const char *const choices[LAC_N_COMPARE_CHOICES] = {
  [LAC_COMPARE_METRIC] = "compare-metric",
  [LAC_COMPARE_OPERATION] = "compare-operation",
  [LAC_COMPARE_BELOW] = "compare-tab",
};

static void
show_chosen(Compare *self, LacCompareChoice choice)
{
  lac_window_set_state(self->window, choices[choice],
                       g_variant_new_string(lac_compare_page_get_chosen(self->page, choice)));
}

static void
on_choice(GSimpleAction *action, GVariant *state, gpointer compare)
{
  Compare         *self = compare;
  LacCompareChoice choice = 0;
  while (!g_str_equal(choices[choice], g_action_get_name(G_ACTION(action))))
    choice++;
  lac_compare_page_choose(self->page, choice, g_variant_get_string(state, NULL));
  show_chosen(self, choice);
}

static void
on_next(GSimpleAction *action, GVariant *parameter, gpointer compare)
{
  Compare *self = compare;
  gboolean metric = g_str_equal(g_action_get_name(G_ACTION(action)), "compare-next-metric");
  g_action_group_change_action_state(G_ACTION_GROUP(self->window), choices[LAC_COMPARE_BELOW],
                                     g_variant_new_string(metric ? "curves" : "durations"));
  lac_compare_page_choose_next(self->page, metric ? LAC_COMPARE_METRIC : LAC_COMPARE_OPERATION);
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

static gpointer
write_report(gpointer data, GCancellable *cancellable, GError **error)
{
  const Job           *job = data;
  g_autoptr(GPtrArray) runs = g_ptr_array_new_with_free_func((GDestroyNotify) lac_run_file_unref);
  for (char **path = job->runs; *path != NULL; path++) {
    LacRunFile *run = lac_run_file_open(*path, error);
    if (run == NULL)
      return NULL;
    g_ptr_array_add(runs, run);
  }
  return lac_report_write((LacRunFile *const *) runs->pdata, runs->len, job->path, error)
           ? g_strdup(job->path)
           : NULL;
}

void
lac_window_write_report(LacWindow *window, const char *const *paths, const char *path)
{
  Job *job = g_new0(Job, 1);
  job->runs = g_strdupv((GStrv) paths);
  job->path = g_strdup(path);
  lac_job_run(window, &(LacJobKind){write_report, lac_window_on_exported, job_free, g_free}, job);
}

static void
on_export_to(GSimpleAction *action, GVariant *parameter, gpointer compare)
{
  Compare      *self = compare;
  g_auto(GStrv) runs = lac_compare_page_dup_paths(self->page);
  if (runs[0] != NULL)
    lac_window_write_report(self->window, (const char *const *) runs,
                            g_variant_get_string(parameter, NULL));
}

static void
export_comparison(GtkWindow *window, const char *path)
{
  g_action_group_activate_action(G_ACTION_GROUP(window), "compare-export-to",
                                 g_variant_new_string(path));
}

static void
on_export(GSimpleAction *action, GVariant *parameter, gpointer compare)
{
  const LacExportForm *form = lac_export_form(LAC_EXPORT_REPORT);
  lac_save_dialog_show(
    GTK_WINDOW(((Compare *) compare)->window),
    &(LacSaveOffer){_("Export a Report"), "comparison.pdf", form->patterns, export_comparison});
}

static void
on_figure(GSimpleAction *action, GVariant *parameter, gpointer compare)
{
  lac_window_show_page(((Compare *) compare)->window, "compare");
  lac_composed_make_figure(((Compare *) compare)->composed);
}

static const LacActionRow rows[] = {
  {{"runs-compare", on_compare_chosen}, LAC_NEEDS_SEVERAL},
  {{"compare-runs", on_compare_paths, "as"}},
  {{"compare-swap", on_swap}, LAC_NEEDS_COMPARED},
  {{"compare-view", NULL, "s", "'fields'", on_view}},
  {{"compare-link", NULL, "s", "'step'", on_link}},
  {{"compare-axis", NULL, "s", "'step'", on_axis}},
  {{"compare-tab", NULL, "s", "'curves'", on_choice}},
  {{"compare-metric", NULL, "s", "''", on_choice}},
  {{"compare-operation", NULL, "s", "''", on_choice}},
  {{"compare-next-metric", on_next}},
  {{"compare-next-operation", on_next}},
  {{"compare-figure", on_figure}, LAC_NEEDS_COMPARED},
  {{"compare-export", on_export}, LAC_NEEDS_COMPARED},
  {{"compare-export-to", on_export_to, "s"}},
};

static void
on_changed(Compare *self)
{
  const char *verdict = lac_compare_page_get_verdict(self->page);
  for (LacCompareChoice choice = 0; choice < LAC_N_COMPARE_CHOICES; choice++)
    show_chosen(self, choice);
  lac_window_set_state(self->window, "compare-verdict",
                       g_variant_new_string(verdict != NULL ? verdict : ""));
}

static void
compare_free(gpointer compare)
{
  Compare *self = compare;
  g_signal_handlers_disconnect_by_data(self->page, self);
  g_free(self);
}

void
lac_window_add_compare(LacWindow *window, LacComparePage *compare, LacComposed *composed)
{
  Compare *self = g_new(Compare, 1);
  *self = (Compare){window, compare, composed};
  lac_window_keep(window, self, compare_free);
  lac_window_add_rows(window, rows, G_N_ELEMENTS(rows), self);
  g_signal_connect_swapped(compare, "changed", G_CALLBACK(on_changed), self);
  on_changed(self);
}
