/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings of a run that has ended, in a form that cannot be edited. */
#include "app/setup/page-private.h"
#include "app/toolkit/format.h"
#include "run/plan/launch-options.h"

#include <glib/gi18n-lib.h>

void
lac_setup_page_forget_run(LacSetupPage *self)
{
  if (self->run == NULL)
    return;
  lac_setup_form_set(self->frozen, NULL, NULL, NULL);
  g_clear_pointer(&self->run_draft, lac_draft_free);
  g_clear_pointer(&self->run_launch, lac_draft_free);
  g_clear_pointer(&self->run, lac_run_file_unref);
}

static void
set(LacDraft *draft, LacLaunchKey key, const char *text)
{
  lac_draft_set(draft, lac_launch_row(key)->param.key, text, NULL);
}

/* Takes the settings of the run; a key of another version is left at its default. */
static void
take_settings(LacSetupPage *self, const LacExperiment *experiment)
{
  const LacRunFile *run = self->run;
  g_autofree char  *seed = g_strdup_printf("%" G_GUINT64_FORMAT, run->seed);
  g_autofree char  *threads = g_strdup_printf("%u", run->threads);
  self->run_draft = lac_draft_new(&experiment->params);
  self->run_launch = lac_draft_new(lac_launch_params());
  for (gsize i = 0; i < run->n_settings; i++)
    lac_draft_set(self->run_draft, run->settings[i].key, run->settings[i].text, NULL);
  set(self->run_launch, LAC_LAUNCH_SEED, seed);
  set(self->run_launch, LAC_LAUNCH_THREADS, threads);
  set(self->run_launch, LAC_LAUNCH_BACKEND, run->backend);
  set(self->run_launch, LAC_LAUNCH_PRECISION, run->precision);
}

static void
show_place(LacSetupPage *self)
{
  const LacRunFile *run = self->run;
  g_autofree char  *time = lac_format_duration(run->setup_seconds + run->seconds);
  /* Translators: threads, backend, precision, time. */
  g_autofree char *words =
    g_strdup_printf(ngettext("%u thread · %s · %s · %s", "%u threads · %s · %s · %s", run->threads),
                    run->threads, run->backend, run->precision, time);
  g_autofree char *escaped = g_markup_escape_text(words, -1);
  adw_action_row_set_subtitle(self->ran, escaped);
}

void
lac_setup_page_show_run(LacSetupPage *self)
{
  const LacExperiment *experiment = lac_experiment_find(self->run->experiment, NULL);
  if (experiment != NULL) {
    take_settings(self, experiment);
    lac_setup_form_set(self->frozen, experiment, self->run_draft, self->run_launch);
    lac_setup_form_update(self->frozen, self->run->threads);
  }
  show_place(self);
}
