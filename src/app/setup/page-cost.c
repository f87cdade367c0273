/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cost and place of the run: the bottom bar, the places, the warnings. */
#include "app/setup/page-private.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "app/toolkit/preferences.h"

#include <glib/gi18n-lib.h>

/* ---- the bar ---- */

static GtkWidget *
add_action(LacSetupPage *self, const char *label, const char *action, const char *tip)
{
  GtkWidget *button = gtk_button_new_with_label(label);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action);
  gtk_widget_set_tooltip_text(button, tip);
  lac_accessible_name(button, label);
  lac_bottom_bar_add_action(LAC_BOTTOM_BAR(self->bar), button);
  return button;
}

void
lac_setup_page_make_bar(LacSetupPage *self)
{
  self->bar = g_object_ref_sink(lac_bottom_bar_new());
  self->build = add_action(self, _("Sweep…"), "win.build-sweep",
                           _("Start one run per parameter value, with one table and one chart"));
  self->queue = add_action(self, _("Add to Queue"), "win.queue-add",
                           _("Start after the queued runs, or immediately if no run is active"));
  self->duplicate = add_action(self, _("Set Up a Copy"), "win.runs-duplicate",
                               _("Set up a new run with these settings"));
  self->start = add_action(self, _("Start"), "win.launch", _("Start this run"));
  gtk_widget_add_css_class(self->start, "suggested-action");
}

static void
show_actions(LacSetupPage *self)
{
  gboolean is_draft = self->run == NULL;
  gtk_widget_set_visible(self->build, is_draft);
  gtk_widget_set_visible(self->queue, is_draft);
  gtk_widget_set_visible(self->start, is_draft);
  gtk_widget_set_visible(self->duplicate, !is_draft);
  gtk_widget_set_tooltip_text(self->start, self->why == NULL ? _("Start this run") : self->why);
}

static char *
dup_title(const LacRunSettings *settings, const LacCost *cost)
{
  g_autofree char *duration = lac_format_duration(cost->seconds);
  if (g_str_has_prefix(settings->backend, "cuda"))
    return cost->n_runs > 1 ? g_strdup_printf(_("%zu runs on the GPU"), cost->n_runs)
                            : g_strdup(_("On the GPU of this machine"));
  if (cost->n_runs > 1)
    return g_strdup_printf(_("About %s for %zu runs on this machine"), duration, cost->n_runs);
  return g_strdup_printf(_("About %s on this machine"), duration);
}

static char *
dup_caption(const LacCost *cost)
{
  g_autofree char *count = lac_format_count((guint64) cost->n_steps);
  g_autofree char *steps =
    g_strdup_printf(ngettext("%s step", "%s steps", (gulong) cost->n_steps), count);
  g_autofree char *memory = lac_format_bytes(cost->memory_bytes);
  g_autofree char *disk = lac_format_bytes(cost->disk_bytes);
  /* Translators: number of steps, memory, disk space. */
  return g_strdup_printf(_("%s · %s memory · at most %s disk"), steps, memory, disk);
}

static void
show_bar(LacSetupPage *self, const LacRunSettings *settings, const LacCost *cost)
{
  LacBottomBar *bar = LAC_BOTTOM_BAR(self->bar);
  lac_bottom_bar_set_refused(bar, self->why != NULL);
  if (self->why != NULL) {
    lac_bottom_bar_set_words(bar, self->why, NULL);
    return;
  }
  g_autofree char *title = dup_title(settings, cost);
  g_autofree char *caption = dup_caption(cost);
  lac_bottom_bar_set_words(bar, title, caption);
}

static void
show_bar_of_run(LacSetupPage *self)
{
  LacBottomBar *bar = LAC_BOTTOM_BAR(self->bar);
  lac_bottom_bar_set_refused(bar, self->run_draft == NULL);
  lac_bottom_bar_set_words(
    bar,
    self->run_draft != NULL ? _("Settings of this run")
                            : _("This version cannot show the settings of this run"),
    self->run_draft != NULL ? _("They cannot be changed; set up a copy to try others")
                            : self->run->experiment);
}

/* ---- the device, and memory shortage ---- */

static LacDeviceSetting
get_wanted(LacSetupPage *self, const LacRunSettings *settings)
{
  return (LacDeviceSetting){self->experiment, self->draft, settings->backend, settings->precision,
                            settings->threads};
}

static void
show_device(LacSetupPage *self, const LacRunSettings *settings)
{
  LacDeviceSetting setting = get_wanted(self, settings);
  g_autofree char *choice = lac_device_note_dup_choice(self->device, &setting);
  LacParamRow     *backend = lac_setup_form_find_built_row(self->form, "backend");
  if (backend != NULL)
    lac_param_row_set_note(backend, choice);
}

/* Returns a warning if the device has too little free memory. */
static char *
dup_shortage(LacSetupPage *self, const LacRunSettings *settings)
{
  LacDeviceSetting      setting = get_wanted(self, settings);
  const LacDeviceFacts *facts = lac_device_note_get_facts(self->device, &setting);
  if (facts == NULL || self->memory_bytes <= (double) facts->memory_free)
    return NULL;
  g_autofree char *wanted = lac_format_bytes(self->memory_bytes);
  g_autofree char *available = lac_format_bytes((double) facts->memory_free);
  return g_strdup_printf(_("The run may need %s, but the device has only %s free. If memory runs "
                           "out, it continues on the processor."),
                         wanted, available);
}

static void
show_caution(LacSetupPage *self, const LacRunSettings *settings)
{
  g_autofree char *source =
    lac_experiment_dup_source(self->experiment, lac_draft_get_values(self->draft));
  g_autofree char *caution =
    lac_experiment_dup_caution(self->experiment, lac_draft_get_values(self->draft), FALSE);
  g_autofree char *shortage = dup_shortage(self, settings);
  g_autofree char *both = caution != NULL && shortage != NULL
                            ? g_strdup_printf("%s\n%s", caution, shortage)
                            : g_strdup(caution != NULL ? caution : shortage);
  gtk_widget_set_visible(self->warning, both != NULL);
  gtk_label_set_text(self->caution, both != NULL ? both : "");
  gtk_label_set_text(self->source, source);
}

/* ---- all of it ---- */

/* Returns: FALSE while the form is invalid. */
static gboolean
add_up(LacSetupPage *self, const LacRunSettings *settings, const LacSweep *sweep, LacCost *cost)
{
  const LacDeviceSetting setting = get_wanted(self, settings);
  LacRunSettings         counted = *settings;
  counted.disk_budget_bytes = lac_preferences_get_disk_budget();
  self->memory_bytes = 0;
  if (self->why != NULL)
    return FALSE;
  lac_cost_add_up(&counted, sweep, cost);
  self->memory_bytes = cost->memory_bytes;
  if (lac_device_note_get_facts(self->device, &setting) != NULL)
    self->memory_bytes += cost->device_bytes;
  return TRUE;
}

void
lac_setup_page_show_cost(LacSetupPage *self)
{
  LacRunSettings settings;
  LacCost        cost = {0};
  if (self->experiment == NULL)
    return;
  const char *text = lac_setup_page_get_sweep(self);
  lac_setup_page_fill(self, &settings);
  lac_sweep_builder_set_text(self->sweep, text);
  g_autoptr(LacSweep) sweep =
    text != NULL ? lac_sweep_parse(&self->experiment->params, text, NULL) : NULL;
  gboolean is_known = add_up(self, &settings, sweep, &cost);
  lac_setup_form_show_sweep(self->form, sweep);
  lac_sweep_builder_show_cost(self->sweep, is_known ? &cost : NULL, self->why);
  lac_place_list_show(self->places,
                      &(LacPlaceQuestion){&settings, is_known ? &cost : NULL, self->device});
  if (self->run != NULL)
    show_bar_of_run(self);
  else
    show_bar(self, &settings, &cost);
  show_actions(self);
  show_device(self, &settings);
  show_caution(self, &settings);
}
