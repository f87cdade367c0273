/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of a sweep in the page of a folder: chart, report, further values. */
#include "app/runs/add-values.h"
#include "app/shell/features.h"
#include "app/toolkit/preferences.h"
#include "app/toolkit/save-dialog.h"
#include "experiment/experiment.h"
#include "report/compare/comparison.h"
#include "run/plan/launch-options.h"

#include <glib/gi18n-lib.h>

typedef struct {
  LacWindow     *window;
  LacWorkbench  *workbench;
  LacFolderPage *page;
} Folder;

/* @parameter: grouping and name of a group; "none" and "": all runs. */
static void
on_show(GSimpleAction *action, GVariant *parameter, gpointer folder)
{
  Folder     *self = folder;
  const char *key, *name;
  g_variant_get(parameter, "(&s&s)", &key, &name);
  lac_folder_page_set_folder(self->page, key, name);
  lac_window_show_page(self->window, "runs");
}

/* ---- the chart and the report ---- */

static void
save_chart(GtkWindow *window, const char *path)
{
  g_action_group_activate_action(G_ACTION_GROUP(window), "folder-figure-to",
                                 g_variant_new_string(path));
}

static void
on_figure(GSimpleAction *action, GVariant *parameter, gpointer folder)
{
  lac_save_dialog_show(
    GTK_WINDOW(((Folder *) folder)->window),
    &(LacSaveOffer){_("Save the Chart"), "sweep.pdf", "pdf svg png", save_chart});
}

static void
on_figure_to(GSimpleAction *action, GVariant *parameter, gpointer folder)
{
  Folder           *self = folder;
  g_autoptr(GError) error = NULL;
  const char       *path = g_variant_get_string(parameter, NULL);
  LacSweepView     *sweep = lac_folder_page_get_sweep(self->page);
  if (sweep == NULL)
    return;
  gboolean done = lac_sweep_chart_write(lac_sweep_view_get_chart(sweep), path, &error);
  lac_window_on_exported(g_object_ref(self->window), NULL, done ? g_strdup(path) : NULL, error);
}

static void
save_report(GtkWindow *window, const char *path)
{
  g_action_group_activate_action(G_ACTION_GROUP(window), "folder-export-to",
                                 g_variant_new_string(path));
}

static void
on_export(GSimpleAction *action, GVariant *parameter, gpointer folder)
{
  const LacExportForm *form = lac_export_form(LAC_EXPORT_REPORT);
  lac_save_dialog_show(
    GTK_WINDOW(((Folder *) folder)->window),
    &(LacSaveOffer){_("Export a Report"), "sweep.pdf", form->patterns, save_report});
}

/* A report compares a limited number of runs; the first ones are taken. */
static void
on_export_to(GSimpleAction *action, GVariant *parameter, gpointer folder)
{
  Folder       *self = folder;
  g_auto(GStrv) paths = lac_folder_page_dup_paths(self->page);
  for (guint i = LAC_COMPARISON_MOST; i < g_strv_length(paths); i++)
    g_clear_pointer(&paths[i], g_free);
  if (paths[0] != NULL)
    lac_window_write_report(self->window, (const char *const *) paths,
                            g_variant_get_string(parameter, NULL));
}

/* ---- further values ---- */

/* Returns: (nullable): a run of the sweep shown. */
static const LacRunHeadline *
find_model(Folder *self)
{
  const LacSweepRuns *results = lac_folder_page_get_results(self->page);
  for (guint i = 0; results != NULL && i < results->points->len; i++)
    if (lac_sweep_runs_get_point(results, i)->item != NULL)
      return lac_run_item_get(lac_sweep_runs_get_point(results, i)->item);
  return NULL;
}

static void
on_add(GSimpleAction *action, GVariant *parameter, gpointer folder)
{
  Folder               *self = folder;
  const LacRunHeadline *model = find_model(self);
  const LacSweepRuns   *results = lac_folder_page_get_results(self->page);
  if (model != NULL && results->keys[0] != NULL)
    lac_add_values_show(GTK_WINDOW(self->window), results, model->experiment);
}

/* Returns: (transfer full): the settings of a run as a draft. */
static LacDraft *
make_draft(const LacRunHeadline *run, const LacExperiment *experiment)
{
  LacDraft *draft = lac_draft_new(&experiment->params);
  for (gsize i = 0; i < experiment->params.n_rows; i++) {
    const char      *key = experiment->params.rows[i].key;
    g_autofree char *text = lac_run_headline_dup_setting(run, key);
    if (text != NULL)
      lac_draft_set(draft, key, text, NULL); /* a value of an older version: the default */
  }
  return draft;
}

/* @parameter: the sweep. Its runs are recorded as parts of the sweep shown. */
static void
on_add_values(GSimpleAction *action, GVariant *parameter, gpointer folder)
{
  Folder               *self = folder;
  const LacRunHeadline *model = find_model(self);
  const LacExperiment  *experiment =
    model != NULL ? lac_experiment_find(model->experiment, NULL) : NULL;
  if (experiment == NULL || lac_workbench_is_busy(self->workbench))
    return;
  g_autoptr(LacDraft) draft = make_draft(model, experiment);
  g_autoptr(LacDraft) launch = lac_preferences_new_launch(NULL, NULL);
  LacRunSettings      settings = {0};
  lac_launch_params_fill(launch, &settings);
  settings.experiment = experiment;
  settings.draft = draft;
  settings.seed = model->seed;
  settings.backend = "auto";
  settings.precision = g_intern_string(model->precision);
  settings.sweep = *model->sweep != '\0' ? model->sweep : NULL;
  lac_workbench_launch_sweep(self->workbench, &settings, g_variant_get_string(parameter, NULL));
}

static const LacActionRow rows[] = {
  {{"show-folder", on_show, "(ss)"}},
  {{"folder-figure", on_figure}, LAC_NEEDS_SWEEP},
  {{"folder-figure-to", on_figure_to, "s"}},
  {{"folder-export", on_export}, LAC_NEEDS_SWEEP},
  {{"folder-export-to", on_export_to, "s"}},
  {{"folder-add", on_add}, LAC_NEEDS_SWEEP | LAC_NEEDS_IDLE},
  {{"folder-add-values", on_add_values, "s"}},
};

void
lac_window_add_folder(LacWindow *window, LacWorkbench *workbench, LacFolderPage *page)
{
  Folder *self = g_new(Folder, 1);
  *self = (Folder){window, workbench, page};
  lac_window_keep(window, self, g_free);
  lac_window_add_rows(window, rows, G_N_ELEMENTS(rows), self);
}
