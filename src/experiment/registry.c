/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registry of experiments; the build generates the list from the names in meson.build. */
#include "base/error.h"
#include "experiment/experiment.h"
#include "experiment/flow/laboratory/laboratory.h"
#include "experiment/imaging/laboratory/laboratory.h"
#include "experiment/quantum/laboratory/laboratory.h"

#define LAC_EXPERIMENT(id) extern const LacExperiment lac_experiment_##id;
#include "experiment/experiment-list.h"
#undef LAC_EXPERIMENT

static const LacExperiment *const single[] = {
#define LAC_EXPERIMENT(id) &lac_experiment_##id,
#include "experiment/experiment-list.h"
#undef LAC_EXPERIMENT
  NULL};

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

const LacExperiment *
lac_experiment_find(const char *name, GError **error)
{
  gsize                       n_experiments;
  const LacExperiment *const *experiments = lac_experiments(&n_experiments);
  const LacExperiment        *added = lac_laboratory_find_added(name);

  if (added)
    return added;
  for (gsize i = 0; i < n_experiments; i++)
    if (g_str_equal(experiments[i]->name, name))
      return experiments[i];
  g_autoptr(GString) names = g_string_new(NULL);
  for (gsize i = 0; i < n_experiments; i++)
    g_string_append_printf(names, "%s%s", i ? ", " : "", experiments[i]->name);
  g_set_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY,
              "there is no experiment \"%s\"; available are %s", name, names->str);
  return NULL;
}

char *
lac_experiment_dup_shown(const char *name, const char *key, const char *text)
{
  g_return_val_if_fail(key && text, NULL);
  const LacExperiment *experiment = name ? lac_experiment_find(name, NULL) : NULL;
  const LacParam      *row = experiment ? lac_param_find(&experiment->params, key) : NULL;

  return row ? lac_param_dup_shown(row, text) : g_strdup(text);
}
