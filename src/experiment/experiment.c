/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The experiments there are; the list is made by the build from the names in meson.build. */
#include "experiment/experiment.h"

#include "base/error.h"
#include "experiment/flow/laboratory.h"
#include "experiment/imaging/laboratory.h"
#include "experiment/quantum/laboratory.h"

#include <glib/gi18n-lib.h>

#define LAC_EXPERIMENT(id) extern const LacExperiment lac_experiment_##id;
#include "experiment/experiment-list.h"
#undef LAC_EXPERIMENT

static const LacExperiment *const single[] = {
#define LAC_EXPERIMENT(id) &lac_experiment_##id,
#include "experiment/experiment-list.h"
#undef LAC_EXPERIMENT
  NULL};

gboolean
lac_context_is_cancelled(const LacContext *context, GError **error)
{
  if (!context->cancelled || !context->cancelled(context->user_data))
    return FALSE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED, "the set-up was cancelled");
  return TRUE;
}

static gpointer
make_list(gpointer data G_GNUC_UNUSED)
{
  gsize                       n_flow, n_imaging, n_quantum;
  const LacExperiment *const *flow = lac_laboratory_experiments(&n_flow);
  const LacExperiment *const *imaging = lac_imaging_experiments(&n_imaging);
  const LacExperiment *const *quantum = lac_quantum_experiments(&n_quantum);
  GPtrArray                  *list = g_ptr_array_new();

  for (gsize i = 0; i < n_flow; i++)
    g_ptr_array_add(list, (gpointer) flow[i]);
  for (gsize i = 0; i < n_imaging; i++)
    g_ptr_array_add(list, (gpointer) imaging[i]);
  for (gsize i = 0; i < n_quantum; i++)
    g_ptr_array_add(list, (gpointer) quantum[i]);
  for (gsize i = 0; single[i]; i++)
    g_ptr_array_add(list, (gpointer) single[i]);
  return list;
}

const LacExperiment *const *
lac_experiments(gsize *n_experiments)
{
  static GOnce once = G_ONCE_INIT;
  GPtrArray   *list = g_once(&once, make_list, NULL);

  *n_experiments = list->len;
  return (const LacExperiment *const *) list->pdata;
}

LacOutline
lac_experiment_outline(const LacExperiment *self, gconstpointer params)
{
  LacOutline outline = {self->n_channels, self->n_metrics, NULL, NULL, NULL};

  if (self->outline) {
    self->outline(self, params, &outline);
    return outline;
  }
  outline.channels = g_memdup2(self->channels, self->n_channels * sizeof *self->channels);
  outline.metrics = g_memdup2(self->metrics, self->n_metrics * sizeof *self->metrics);
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
lac_experiment_dup_caution(const LacExperiment *self, gconstpointer params)
{
  const char      *always = self->caution ? g_dgettext(GETTEXT_PACKAGE, self->caution) : NULL;
  g_autofree char *now = self->warn ? self->warn(self, params) : NULL;

  if (always && now)
    return g_strdup_printf("%s %s", always, now);
  return always ? g_strdup(always) : g_steal_pointer(&now);
}

/* More threads help, and never quite in proportion: the part that does not split is taken as a fifth. */
double
lac_estimate_seconds(const LacEstimate *estimate, guint threads)
{
  double serial = 0.2;
  double share = serial + (1 - serial) / MAX(threads, 1);

  return estimate->seconds_setup + estimate->seconds_per_step * (double) estimate->n_steps * share;
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

const LacExperiment *
lac_experiment_find(const char *name, GError **error)
{
  g_autoptr(GString)          names = g_string_new(NULL);
  gsize                       n_experiments;
  const LacExperiment *const *experiments = lac_experiments(&n_experiments);
  const LacExperiment        *added = lac_laboratory_find_added(name);

  if (added)
    return added;
  for (gsize i = 0; i < n_experiments; i++) {
    if (g_str_equal(experiments[i]->name, name))
      return experiments[i];
    g_string_append_printf(names, "%s%s", i ? ", " : "", experiments[i]->name);
  }
  g_set_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY,
              "there is no experiment \"%s\"; there are %s", name, names->str);
  return NULL;
}
