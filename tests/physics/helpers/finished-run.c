/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Set-up, steps, and metrics of the last step. */
#include "finished-run.h"

#include "experiment/experiment.h"

#define MAX_METRICS 64

static LacDraft *
make_draft(const LacExperiment *experiment, const char *settings)
{
  g_auto(GStrv) pairs = g_strsplit(settings, " ", -1);
  LacDraft     *draft = lac_draft_new(&experiment->params);

  for (gsize i = 0; pairs[i]; i++) {
    g_auto(GStrv)     pair = g_strsplit(pairs[i], "=", 2);
    g_autoptr(GError) error = NULL;

    lac_draft_set(draft, pair[0], pair[1], &error);
    g_assert_no_error(error);
  }
  return draft;
}

static double
find(const LacOutline *outline, const double *metrics, const char *key)
{
  for (gsize i = 0; i < outline->n_metrics; i++)
    if (g_str_equal(outline->metrics[i].key, key))
      return metrics[i];
  g_assert_not_reached();
}

void
finished_run(const char *name, const char *settings, const char *const *keys, double *found)
{
  g_autoptr(GError)    error = NULL;
  const LacExperiment *experiment = lac_experiment_find(name, &error);
  g_autoptr(LacDraft)  draft = make_draft(experiment, settings);
  g_auto(LacOutline)   outline = lac_experiment_outline(experiment, lac_draft_get_values(draft));
  double               metrics[MAX_METRICS];
  LacContext           context = {.precision = "f64"};
  LacStepReport        report = {.metrics = metrics};
  gpointer             state;

  g_assert_cmpuint(outline.n_metrics, <=, MAX_METRICS);
  g_assert_true(experiment->check(experiment, lac_draft_get_values(draft), &error));
  lac_device_open(&context.device, "cpu", &error);
  g_assert_no_error(error);
  context.pool = lac_pool_new(0);
  state = experiment->create(experiment, lac_draft_get_values(draft), &context, &error);
  g_assert_no_error(error);
  while (report.outcome == LAC_OUTCOME_CONTINUE)
    g_assert_true(lac_experiment_step(experiment, state, &report, &error));
  g_assert_cmpint(report.outcome, ==, LAC_OUTCOME_FINISHED);
  for (gsize i = 0; keys[i]; i++)
    found[i] = find(&outline, metrics, keys[i]);
  experiment->destroy(state);
  lac_pool_free(context.pool);
  lac_device_close(&context.device);
}
