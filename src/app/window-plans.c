/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is set up, as a text: files of YAML that are opened and written, and presets. */
#include "app/recent-files.h"
#include "app/toast.h"
#include "app/window-private.h"
#include "run/plan/preset.h"
#include "run/plan/yaml-write.h"

#include <glib/gi18n-lib.h>

#define UNDO_S 10 /* as long a deletion can be undone from its message */

/* ---- between the form and a plan ---- */

void
lac_plan_source_clear(LacPlanSource *source)
{
  g_clear_pointer(&source->text, g_free);
  g_clear_pointer(&source->plan, lac_run_plan_free);
}

static void
enter(LacWindow *self, const char *key, char *text)
{
  lac_setup_page_enter(self->setup, key, text);
  g_free(text);
}

void
lac_window_take_plan(LacWindow *self, LacRunPlan *plan, char *text)
{
  const LacParamTable *table = &plan->experiment->params;
  lac_setup_page_set_experiment(self->setup, plan->experiment);
  lac_setup_page_reset(self->setup);
  for (gsize i = 0; i < table->n_rows; i++)
    if (!lac_draft_is_default(plan->draft, &table->rows[i]))
      enter(self, table->rows[i].key, lac_draft_dup_text(plan->draft, &table->rows[i]));
  for (guint i = 0; i < LAC_N_LAUNCH; i++)
    if (plan->launch.stated[i] != NULL)
      lac_setup_page_enter(self->setup, lac_launch_row((LacLaunchKey) i)->param.key,
                           plan->launch.stated[i]);
  lac_plan_source_clear(&self->source);
  self->source = (LacPlanSource){text, plan};
}

gboolean
lac_window_open_plan(LacWindow *self, const char *path)
{
  g_autoptr(GError) error = NULL;
  g_autofree char  *text = NULL;
  if (!g_file_get_contents(path, &text, NULL, &error)) {
    lac_window_say(self, error->message);
    return FALSE;
  }
  LacRunPlan *plan = lac_yaml_read_text(text, path, &error);
  if (plan == NULL) {
    lac_window_say(self, error->message);
    return FALSE;
  }
  lac_window_take_plan(self, plan, g_steal_pointer(&text));
  lac_window_show_page(self, "setup");
  return TRUE;
}

/* Leaves out what the text does not state where it is the default, or the threads of this machine. A plan without a text has its
 * seed. */
char *
lac_window_dup_plan(LacWindow            *self,
                    const LacRunSettings *settings,
                    const char           *sweep,
                    GError              **error)
{
  gboolean is_source =
    self->source.plan != NULL && self->source.plan->experiment == settings->experiment;
  const LacRunPlan *source = is_source ? self->source.plan : NULL;
  LacRunPlan plan = {.experiment = settings->experiment, .draft = (LacDraft *) settings->draft};
  lac_launch_take(&plan.launch, settings, sweep);
  for (guint i = 0; i < LAC_N_LAUNCH; i++) {
    const gboolean is_stated =
      source != NULL ? source->launch.stated[i] != NULL : i == LAC_LAUNCH_SEED;
    if (!is_stated &&
        (i == LAC_LAUNCH_THREADS || lac_launch_is_usual(&plan.launch, (LacLaunchKey) i)))
      g_clear_pointer(&plan.launch.stated[i], g_free);
  }
  char *text = lac_yaml_write(&plan, is_source ? self->source.text : NULL, error);
  lac_launch_clear(&plan.launch);
  return text;
}

char *
lac_window_dup_form(LacWindow *self)
{
  g_autoptr(GError) error = NULL;
  LacRunSettings    settings;
  const char       *reason = lac_setup_page_get_reason(self->setup);
  if (reason != NULL) {
    lac_window_say(self, reason);
    return NULL;
  }
  lac_setup_page_fill(self->setup, &settings);
  char *text = lac_window_dup_plan(self, &settings, lac_setup_page_get_sweep(self->setup), &error);
  if (text == NULL)
    lac_window_say(self, error->message);
  return text;
}

/* ---- files ---- */

static void
on_import(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_choose_plan(window);
}

static void
on_export(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_choose_plan_file(window);
}

void
lac_window_write_plan(LacWindow *self, const char *path)
{
  g_autoptr(GError) error = NULL;
  g_autofree char  *text = lac_window_dup_form(self);
  if (text == NULL)
    return;
  if (!lac_yaml_save(text, path, &error)) {
    lac_window_say(self, error->message);
    return;
  }
  lac_recent_files_add(path);
  lac_window_say_saved(self, path);
}

static void
on_export_to(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_write_plan(window, g_variant_get_string(parameter, NULL));
}

/* ---- presets ---- */

static const char *
experiment_of(LacWindow *self)
{
  return lac_setup_page_get_experiment(self->setup)->name;
}

static void
settle(LacWindow *self, gboolean done, const GError *error)
{
  if (!done)
    lac_window_say(self, error->message);
}

static void
on_show_presets(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_window_show_page(window, "setup");
  lac_setup_page_show_presets(((LacWindow *) window)->setup);
}

static void
on_apply(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow           *self = window;
  g_autoptr(GError)    error = NULL;
  const char          *name = g_variant_get_string(parameter, NULL);
  g_autoptr(LacPreset) preset = lac_preset_find(experiment_of(self), name, &error);
  g_autofree char     *sentence = NULL;
  if (preset == NULL) {
    lac_window_say(self, error->message);
  } else if (lac_window_open_plan(self, preset->path)) {
    sentence = g_strdup_printf(_("Set up as “%s”"),
                               preset->is_own ? name : g_dgettext(GETTEXT_PACKAGE, preset->name));
    lac_window_say(self, sentence);
  }
}

static void
on_save(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow        *self = window;
  g_autoptr(GError) error = NULL;
  const char       *name = g_variant_get_string(parameter, NULL);
  g_autofree char  *text = lac_window_dup_form(self);
  if (text == NULL)
    return;
  g_autofree char *sentence = g_strdup_printf(_("Kept as “%s”"), name);
  if (lac_preset_save(experiment_of(self), name, text, &error))
    lac_window_say(self, sentence);
  else
    lac_window_say(self, error->message);
}

static void
on_rename(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  g_autoptr(GError) error = NULL;
  const char       *from, *to;
  g_variant_get(parameter, "(&s&s)", &from, &to);
  settle(window, lac_preset_rename(experiment_of(window), from, to, &error), error);
}

static void
on_delete(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow        *self = window;
  g_autoptr(GError) error = NULL;
  const char       *name = g_variant_get_string(parameter, NULL);
  g_autofree char  *text = lac_preset_delete(experiment_of(self), name, &error);
  if (text == NULL) {
    lac_window_say(self, error->message);
    return;
  }
  g_autofree char *sentence = g_strdup_printf(_("Preset “%s” deleted"), name);
  AdwToast        *toast = lac_toast_new(sentence);
  adw_toast_set_button_label(toast, _("Undo"));
  adw_toast_set_action_name(toast, "win.preset-undo-delete");
  adw_toast_set_action_target(toast, "(sss)", experiment_of(self), name, text);
  adw_toast_set_timeout(toast, UNDO_S);
  lac_toast_show(self->toasts, toast);
}

/* The message holds what is brought back. */
static void
on_undo_delete(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  g_autoptr(GError) error = NULL;
  const char       *experiment, *name, *text;
  g_variant_get(parameter, "(&s&s&s)", &experiment, &name, &text);
  settle(window, lac_preset_save(experiment, name, text, &error), error);
}

static const GActionEntry entries[] = {
  {"import-plan", on_import},
  {"export-plan", on_export},
  {"export-plan-to", on_export_to, "s"},
  {"show-presets", on_show_presets},
  {"preset-apply", on_apply, "s"},
  {"preset-save", on_save, "s"},
  {"preset-rename", on_rename, "(ss)"},
  {"preset-delete", on_delete, "s"},
  {"preset-undo-delete", on_undo_delete, "(sss)"},
};

void
lac_window_add_plan_actions(LacWindow *self)
{
  g_action_map_add_action_entries(G_ACTION_MAP(self), entries, G_N_ELEMENTS(entries), self);
}
