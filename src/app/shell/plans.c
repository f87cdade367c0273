/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The set-up as text: YAML files that are opened and written, and presets. */
#include "app/shell/features.h"
#include "app/toolkit/recent-files.h"
#include "app/toolkit/save-dialog.h"
#include "app/toolkit/toast.h"
#include "run/plan/preset.h"
#include "run/plan/yaml-write.h"

#include <glib/gi18n-lib.h>

#define UNDO_S 10 /* a deletion can be undone for as long from its message */

typedef struct {
  LacWindow    *window;
  LacWorkbench *workbench;
  LacSetupPage *setup;
} Plans;

/* ---- conversion between form and plan ---- */

static void
enter(LacSetupPage *setup, const char *key, char *text)
{
  lac_setup_page_enter(setup, key, text);
  g_free(text);
}

static void
fill_form(LacSetupPage *setup, const LacRunPlan *plan)
{
  const LacParamTable *table = &plan->experiment->params;
  lac_setup_page_set_experiment(setup, plan->experiment);
  lac_setup_page_reset(setup);
  for (gsize i = 0; i < table->n_rows; i++)
    if (!lac_draft_is_default(plan->draft, &table->rows[i]))
      enter(setup, table->rows[i].key, lac_draft_dup_text(plan->draft, &table->rows[i]));
  for (guint i = 0; i < LAC_N_LAUNCH; i++)
    if (plan->launch.stated[i] != NULL)
      lac_setup_page_enter(setup, lac_launch_row((LacLaunchKey) i)->param.key,
                           plan->launch.stated[i]);
}

gboolean
lac_setup_page_open_plan(LacSetupPage *setup, LacWorkbench *workbench, const char *path)
{
  g_return_val_if_fail(LAC_IS_SETUP_PAGE(setup) && path != NULL, FALSE);
  g_autoptr(GError) error = NULL;
  g_autofree char  *text = NULL;
  LacRunPlan       *plan = NULL;
  if (g_file_get_contents(path, &text, NULL, &error))
    plan = lac_yaml_read_text(text, path, &error);
  if (plan == NULL) {
    lac_workbench_show_message(workbench, error->message);
    return FALSE;
  }
  fill_form(setup, plan);
  lac_workbench_set_source(workbench, plan, g_steal_pointer(&text));
  return TRUE;
}

char *
lac_setup_page_dup_plan(LacSetupPage *setup, LacWorkbench *workbench)
{
  g_return_val_if_fail(LAC_IS_SETUP_PAGE(setup), NULL);
  g_autoptr(GError) error = NULL;
  LacRunSettings    settings;
  const char       *reason = lac_setup_page_get_reason(setup);
  if (reason != NULL) {
    lac_workbench_show_message(workbench, reason);
    return NULL;
  }
  lac_setup_page_fill(setup, &settings);
  char *text =
    lac_workbench_dup_plan(workbench, &settings, lac_setup_page_get_sweep(setup), &error);
  if (text == NULL)
    lac_workbench_show_message(workbench, error->message);
  return text;
}

/* ---- files ---- */

static const char *
experiment_of(Plans *self)
{
  return lac_setup_page_get_experiment(self->setup)->name;
}

static void
write_plan(GtkWindow *window, const char *path)
{
  g_action_group_activate_action(G_ACTION_GROUP(window), "export-plan-to",
                                 g_variant_new_string(path));
}

static void
on_import(GSimpleAction *action, GVariant *parameter, gpointer plans)
{
  lac_window_choose_plan(((Plans *) plans)->window);
}

static void
on_export(GSimpleAction *action, GVariant *parameter, gpointer plans)
{
  Plans           *self = plans;
  g_autofree char *name = g_strconcat(experiment_of(self), ".yaml", NULL);
  lac_save_dialog_show(GTK_WINDOW(self->window),
                       &(LacSaveOffer){_("Export the Set-up"), name, "yaml yml", write_plan});
}

static void
on_export_to(GSimpleAction *action, GVariant *parameter, gpointer plans)
{
  Plans            *self = plans;
  const char       *path = g_variant_get_string(parameter, NULL);
  g_autoptr(GError) error = NULL;
  g_autofree char  *text = lac_setup_page_dup_plan(self->setup, self->workbench);
  if (text == NULL)
    return;
  if (!lac_yaml_save(text, path, &error)) {
    lac_workbench_show_message(self->workbench, error->message);
    return;
  }
  lac_recent_files_add(path);
  lac_window_show_saved(self->window, path);
}

/* ---- presets ---- */

static void
settle(Plans *self, gboolean done, const GError *error)
{
  if (!done)
    lac_workbench_show_message(self->workbench, error->message);
}

static void
on_show_presets(GSimpleAction *action, GVariant *parameter, gpointer plans)
{
  Plans *self = plans;
  lac_window_show_draft(self->window);
  lac_setup_page_show_presets(self->setup);
}

static void
on_apply(GSimpleAction *action, GVariant *parameter, gpointer plans)
{
  Plans               *self = plans;
  g_autoptr(GError)    error = NULL;
  const char          *name = g_variant_get_string(parameter, NULL);
  g_autoptr(LacPreset) preset = lac_preset_find(experiment_of(self), name, &error);
  g_autofree char     *sentence = NULL;
  if (preset == NULL) {
    lac_workbench_show_message(self->workbench, error->message);
  } else if (lac_setup_page_open_plan(self->setup, self->workbench, preset->path)) {
    lac_window_show_draft(self->window);
    sentence = g_strdup_printf(_("Applied preset “%s”"),
                               preset->is_own ? name : g_dgettext(GETTEXT_PACKAGE, preset->name));
    lac_workbench_show_message(self->workbench, sentence);
  }
}

static void
on_save(GSimpleAction *action, GVariant *parameter, gpointer plans)
{
  Plans            *self = plans;
  g_autoptr(GError) error = NULL;
  const char       *name = g_variant_get_string(parameter, NULL);
  g_autofree char  *text = lac_setup_page_dup_plan(self->setup, self->workbench);
  if (text == NULL)
    return;
  g_autofree char *sentence = g_strdup_printf(_("Saved preset “%s”"), name);
  if (lac_preset_save(experiment_of(self), name, text, &error))
    lac_workbench_show_message(self->workbench, sentence);
  else
    lac_workbench_show_message(self->workbench, error->message);
}

static void
on_rename(GSimpleAction *action, GVariant *parameter, gpointer plans)
{
  g_autoptr(GError) error = NULL;
  const char       *from, *to;
  g_variant_get(parameter, "(&s&s)", &from, &to);
  settle(plans, lac_preset_rename(experiment_of(plans), from, to, &error), error);
}

static void
on_delete(GSimpleAction *action, GVariant *parameter, gpointer plans)
{
  Plans            *self = plans;
  g_autoptr(GError) error = NULL;
  const char       *name = g_variant_get_string(parameter, NULL);
  g_autofree char  *text = lac_preset_delete(experiment_of(self), name, &error);
  if (text == NULL) {
    lac_workbench_show_message(self->workbench, error->message);
    return;
  }
  g_autofree char *sentence = g_strdup_printf(_("Deleted preset “%s”"), name);
  AdwToast        *toast = lac_toast_new(sentence);
  adw_toast_set_button_label(toast, _("Undo"));
  adw_toast_set_action_name(toast, "win.preset-undo-delete");
  adw_toast_set_action_target(toast, "(sss)", experiment_of(self), name, text);
  adw_toast_set_timeout(toast, UNDO_S);
  lac_window_show_toast(self->window, toast);
}

/* The message holds the deleted preset. */
static void
on_undo_delete(GSimpleAction *action, GVariant *parameter, gpointer plans)
{
  g_autoptr(GError) error = NULL;
  const char       *experiment, *name, *text;
  g_variant_get(parameter, "(&s&s&s)", &experiment, &name, &text);
  settle(plans, lac_preset_save(experiment, name, text, &error), error);
}

static const LacActionRow rows[] = {
  {{"import-plan", on_import}},
  {{"export-plan", on_export}},
  {{"export-plan-to", on_export_to, "s"}},
  {{"show-presets", on_show_presets}},
  {{"preset-apply", on_apply, "s"}},
  {{"preset-save", on_save, "s"}},
  {{"preset-rename", on_rename, "(ss)"}},
  {{"preset-delete", on_delete, "s"}},
  {{"preset-undo-delete", on_undo_delete, "(sss)"}},
};

void
lac_window_add_plans(LacWindow *window, LacWorkbench *workbench, LacSetupPage *setup)
{
  Plans *self = g_new(Plans, 1);
  *self = (Plans){window, workbench, setup};
  lac_window_keep(window, self, g_free);
  lac_window_add_rows(window, rows, G_N_ELEMENTS(rows), self);
}
