/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outline, defaults, cautions and device use of any experiment. */
#include "experiment/experiment.h"

#include "base/error.h"

#include <glib/gi18n-lib.h>

gboolean
lac_context_is_cancelled(const LacContext *context, GError **error)
{
  if (!context->cancelled || !context->cancelled(context->user_data))
    return FALSE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED, "the set-up was cancelled");
  return TRUE;
}

static gsize
find_headline(const LacOutline *outline)
{
  for (gsize i = 0; i < outline->n_metrics; i++)
    if (outline->metrics[i].is_result)
      return i;
  return 0;
}

LacOutline
lac_experiment_outline(const LacExperiment *self, gconstpointer params)
{
  LacOutline outline = {.n_channels = self->n_channels, .n_metrics = self->n_metrics};

  if (self->outline) {
    self->outline(self, params, &outline);
  } else {
    outline.channels = g_memdup2(self->channels, self->n_channels * sizeof *self->channels);
    outline.metrics = g_memdup2(self->metrics, self->n_metrics * sizeof *self->metrics);
  }
  outline.headline = find_headline(&outline);
  return outline;
}

void
lac_experiment_show_defaults(LacExperiment *experiment)
{
  g_autoptr(LacDraft) draft = lac_draft_new(&experiment->params);
  LacOutline          outline = lac_experiment_outline(experiment, lac_draft_get_values(draft));

  experiment->channels = outline.channels;
  experiment->n_channels = outline.n_channels;
  experiment->metrics = outline.metrics;
  experiment->n_metrics = outline.n_metrics;
  lac_molecule_unref(outline.molecule);
}

char *
lac_experiment_dup_caution(const LacExperiment *self, gconstpointer params, gboolean of_run)
{
  const char      *always = self->caution ? g_dgettext(GETTEXT_PACKAGE, self->caution) : NULL;
  g_autofree char *now = self->warn ? self->warn(self, params) : NULL;
  g_autofree char *given = of_run && self->dup_given ? self->dup_given(self, params) : NULL;
  const char      *parts[4] = {NULL};
  gsize            n = 0;

  if (always)
    parts[n++] = always;
  if (now)
    parts[n++] = now;
  if (given)
    parts[n++] = given;
  return n ? g_strjoinv(" ", (char **) parts) : NULL;
}

char *
lac_experiment_dup_source(const LacExperiment *self, gconstpointer params)
{
  const char      *source = self->source ? self->source : "";
  g_autofree char *given = self->dup_given ? self->dup_given(self, params) : NULL;

  return given ? g_strdup_printf("%s\n%s", given, source) : g_strdup(source);
}

/* Threads scale sublinearly: the serial fraction is taken as a fifth. */
double
lac_estimate_seconds(const LacEstimate *estimate, guint threads)
{
  double serial = 0.2;
  double share = serial + (1 - serial) / MAX(threads, 1);

  return estimate->seconds_setup + estimate->seconds_per_step * (double) estimate->n_steps * share;
}

gboolean
lac_experiment_step(const LacExperiment *self,
                    gpointer             state,
                    LacStepReport       *report,
                    GError             **error)
{
  return self->step(state, report, error) && lac_pending_finish(&report->pending, report, error);
}

const char *
lac_experiment_find_precision(const LacExperiment *self, gconstpointer params, const char *asked)
{
  const gboolean is_double =
    self->is_double ? self->is_double(self, params)
                    : self->uses_device && !lac_experiment_uses_device(self, params, NULL);

  if (is_double)
    return "f64";
  return asked && !g_str_equal(asked, "auto") ? asked : self->precision;
}

gboolean
lac_experiment_uses_device(const LacExperiment *self, gconstpointer params, GString *apart)
{
  g_autoptr(GString) own = g_string_new(NULL);

  return self->uses_device && self->uses_device(self, params, apart ? apart : own);
}

void
lac_experiment_add_apart(GString *apart, const char *name)
{
  g_string_append_printf(apart, "%s%s", apart->len ? ", " : "", name);
}

void
lac_outline_clear(LacOutline *outline)
{
  g_clear_pointer(&outline->channels, g_free);
  g_clear_pointer(&outline->metrics, g_free);
  g_clear_pointer(&outline->molecule, lac_molecule_unref);
}
