/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The experiments there are; the list is made by the build from the names in meson.build. */
#include "experiment/experiment.h"

#include "base/error.h"

#define LAC_EXPERIMENT(id) extern const LacExperiment lac_experiment_##id;
#include "experiment/experiment-list.h"
#undef LAC_EXPERIMENT

static const LacExperiment *const experiments[] = {
#define LAC_EXPERIMENT(id) &lac_experiment_##id,
#include "experiment/experiment-list.h"
#undef LAC_EXPERIMENT
};

const LacExperiment *const *
lac_experiments(gsize *n_experiments)
{
  *n_experiments = G_N_ELEMENTS(experiments);
  return experiments;
}

LacOutline
lac_experiment_outline(const LacExperiment *self, gconstpointer params)
{
  LacOutline outline = {self->n_channels, self->n_metrics, NULL, NULL};

  if (self->outline) {
    self->outline(self, params, &outline);
    return outline;
  }
  outline.channels = g_memdup2(self->channels, self->n_channels * sizeof *self->channels);
  outline.metrics = g_memdup2(self->metrics, self->n_metrics * sizeof *self->metrics);
  return outline;
}

void
lac_outline_clear(LacOutline *outline)
{
  g_clear_pointer(&outline->channels, g_free);
  g_clear_pointer(&outline->metrics, g_free);
}

const LacExperiment *
lac_experiment_find(const char *name, GError **error)
{
  g_autoptr(GString) names = g_string_new(NULL);

  for (gsize i = 0; i < G_N_ELEMENTS(experiments); i++) {
    if (g_str_equal(experiments[i]->name, name))
      return experiments[i];
    g_string_append_printf(names, "%s%s", i ? ", " : "", experiments[i]->name);
  }
  g_set_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY,
              "there is no experiment \"%s\"; there are %s", name, names->str);
  return NULL;
}
