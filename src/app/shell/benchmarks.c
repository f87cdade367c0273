/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of the benchmarks. No run starts while one is measured, and none is measured during a run. */
#include "app/benchmarks/bar.h"
#include "app/shell/features.h"
#include "app/toolkit/latest-job.h"
#include "app/toolkit/save-dialog.h"
#include "report/bench/names.h"
#include "report/document/report.h"

#include <glib/gi18n-lib.h>

typedef struct {
  LacWindow         *window;
  LacWorkbench      *workbench;
  LacBenchmarksPage *page;
  LacProgressList   *progress;
} Benchmarks;

/* ---- measuring ---- */

static gboolean
is_chosen(Benchmarks *self, const char *tier)
{
  g_autofree char    *name = g_strconcat("bench-", tier, NULL);
  g_autoptr(GVariant) state = g_action_group_get_action_state(G_ACTION_GROUP(self->window), name);

  return g_variant_get_boolean(state);
}

static void
on_run(GSimpleAction *action, GVariant *parameter, gpointer benchmarks)
{
  Benchmarks        *self = benchmarks;
  g_autoptr(GString) scales = g_string_new(NULL);

  for (const char *const *tier = lac_bench_tier_keys; *tier != NULL; tier++)
    if (is_chosen(self, *tier))
      g_string_append_printf(scales, "%s%s", scales->len > 0 ? "," : "", *tier);
  if (lac_workbench_holds_queue(self->workbench)) /* between two runs of a sweep */
    lac_workbench_show_message(self->workbench, _("A sweep is in progress. Stop it first."));
  else if (scales->len == 0 && lac_benchmarks_page_has_tiers(self->page))
    lac_workbench_show_message(self->workbench, _("Choose at least one tier to measure."));
  else
    lac_benchmarks_page_start(self->page, scales->str);
}

static void
on_stop(GSimpleAction *action, GVariant *parameter, gpointer benchmarks)
{
  lac_bench_runner_stop(lac_benchmarks_page_get_runner(((Benchmarks *) benchmarks)->page));
}

static void
on_laboratory(GSimpleAction *action, GVariant *state, gpointer benchmarks)
{
  const char *key = g_variant_get_string(state, NULL);

  if (*key != '\0' && !g_strv_contains(lac_bench_laboratory_keys, key))
    return;
  g_simple_action_set_state(action, state);
  lac_benchmarks_page_set_laboratory(((Benchmarks *) benchmarks)->page, *key != '\0' ? key : NULL);
}

static void
on_tab(GSimpleAction *action, GVariant *state, gpointer benchmarks)
{
  if (lac_benchmarks_page_show_table(((Benchmarks *) benchmarks)->page,
                                     g_variant_get_string(state, NULL)))
    g_simple_action_set_state(action, state);
}

static void
on_pin(GSimpleAction *action, GVariant *parameter, gpointer benchmarks)
{
  lac_benchmarks_page_pin(((Benchmarks *) benchmarks)->page);
}

/* ---- the report ---- */

/* The files are read again: the page may replace its results meanwhile. */
typedef struct {
  char *files[2], *names[2]; /* the second is NULL without a baseline */
  char *path;
} Job;

static void
job_free(gpointer data)
{
  Job *job = data;

  for (gsize i = 0; i < 2; i++) {
    g_free(job->files[i]);
    g_free(job->names[i]);
  }
  g_free(job->path);
  g_free(job);
}

static gpointer
write_report(gpointer data, GCancellable *cancellable, GError **error)
{
  const Job              *job = data;
  g_autoptr(LacBenchFile) first = lac_bench_file_read(job->files[0], error);
  g_autoptr(LacBenchFile) second =
    first != NULL && job->files[1] != NULL ? lac_bench_file_read(job->files[1], error) : NULL;

  if (first == NULL || (job->files[1] != NULL && second == NULL) ||
      !lac_report_write_bench(first, second, (const char *const *) job->names, job->path, error))
    return NULL;
  return g_strdup(job->path);
}

static void
add_file(Job *job, gsize i, const LacBenchResult *result)
{
  job->files[i] = g_strdup(result->path);
  job->names[i] = g_strdup(result->version);
}

static void
on_export_to(GSimpleAction *action, GVariant *parameter, gpointer benchmarks)
{
  Benchmarks           *self = benchmarks;
  const LacBenchResult *shown = lac_benchmarks_page_get_shown(self->page);
  const LacBenchResult *baseline = lac_benchmarks_page_get_baseline(self->page);
  Job                  *job = g_new0(Job, 1);

  job->path = g_strdup(g_variant_get_string(parameter, NULL));
  add_file(job, 0, baseline != NULL ? baseline : shown);
  if (baseline != NULL)
    add_file(job, 1, shown);
  lac_job_run(self->window, &(LacJobKind){write_report, lac_window_on_exported, job_free, g_free},
              job);
}

static void
export_report(GtkWindow *window, const char *path)
{
  g_action_group_activate_action(G_ACTION_GROUP(window), "bench-export-to",
                                 g_variant_new_string(path));
}

static void
on_export(GSimpleAction *action, GVariant *parameter, gpointer benchmarks)
{
  const LacExportForm *form = lac_export_form(LAC_EXPORT_REPORT);

  lac_save_dialog_show(
    GTK_WINDOW(((Benchmarks *) benchmarks)->window),
    &(LacSaveOffer){_("Export a Report"), "benchmarks.pdf", form->patterns, export_report});
}

static const LacActionRow rows[] = {
  {{"bench-run", on_run}, LAC_NEEDS_IDLE},
  {{"bench-stop", on_stop}, LAC_NEEDS_MEASURING},
  {{"bench-pin", on_pin}, LAC_NEEDS_MEASURED},
  {{"bench-export", on_export}, LAC_NEEDS_MEASURED},
  {{"bench-export-to", on_export_to, "s"}, LAC_NEEDS_MEASURED},
  {{"bench-tab", NULL, "s", "'tiers'", on_tab}},
  {{"bench-laboratory", NULL, "s", "''", on_laboratory}},
  {{"bench-small", NULL, NULL, "true", NULL}},
  {{"bench-medium", NULL, NULL, "false", NULL}},
  {{"bench-large", NULL, NULL, "false", NULL}},
};

/* ---- signals of the page ---- */

static void
on_progressed(Benchmarks *self)
{
  LacBenchRunner     *runner = lac_benchmarks_page_get_runner(self->page);
  const LacBenchPhase phase = lac_bench_runner_get_phase(runner);
  const gboolean      is_running = lac_bench_runner_is_running(runner);
  g_autofree char    *caption = lac_bench_phase_dup_caption(&phase);

  lac_progress_list_set_benchmark(self->progress, is_running ? _("Benchmarks") : NULL, caption,
                                  lac_bench_phase_get_fraction(&phase));
}

static void
on_changed(Benchmarks *self)
{
  const char *answer = lac_benchmarks_page_get_answer(self->page);

  lac_workbench_set_measuring(
    self->workbench, lac_bench_runner_is_running(lac_benchmarks_page_get_runner(self->page)));
  lac_window_set_state(self->window, "bench-answer",
                       g_variant_new_string(answer != NULL ? answer : ""));
  on_progressed(self);
}

static void
on_workbench(Benchmarks *self)
{
  lac_benchmarks_page_set_reason(self->page, lac_workbench_is_computing(self->workbench)
                                               ? _("Available when the run in progress has ended")
                                               : NULL);
}

static void
benchmarks_free(gpointer benchmarks)
{
  Benchmarks *self = benchmarks;

  g_signal_handlers_disconnect_by_data(self->page, self);
  g_signal_handlers_disconnect_by_data(self->page, self->workbench);
  g_signal_handlers_disconnect_by_data(self->workbench, self);
  g_free(self);
}

void
lac_window_add_benchmarks(LacWindow         *window,
                          LacWorkbench      *workbench,
                          LacBenchmarksPage *page,
                          LacSidebar        *sidebar)
{
  Benchmarks *self = g_new(Benchmarks, 1);

  *self = (Benchmarks){window, workbench, page, lac_sidebar_get_progress(sidebar)};
  lac_window_keep(window, self, benchmarks_free);
  lac_window_add_rows(window, rows, G_N_ELEMENTS(rows), self);
  g_signal_connect_swapped(page, "changed", G_CALLBACK(on_changed), self);
  g_signal_connect_swapped(page, "progressed", G_CALLBACK(on_progressed), self);
  g_signal_connect_swapped(page, "message", G_CALLBACK(lac_workbench_show_message), workbench);
  g_signal_connect_swapped(workbench, "changed", G_CALLBACK(on_workbench), self);
  on_workbench(self);
}
