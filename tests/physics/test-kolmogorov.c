/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A chaotic flow from a dozen sensors on a small grid: the filter's final error over the whole field is smaller than
 * the error of a sensor at its own position; that of the static reconstruction from the same values is not. */
#include "experiment/experiment.h"

#include <glib.h>

#define NOISE 0.01 /* of a measurement, relative to the fluctuation: the default */

static void
apply(LacDraft *draft)
{
  static const char *const settings[][2] = {
    {"grid", "32"},         {"reynolds", "40"}, {"snapshots", "250"},
    {"observations", "90"}, {"members", "32"},  {"spin_up", "30"},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(settings); i++) {
    g_autoptr(GError) error = NULL;

    lac_draft_set(draft, settings[i][0], settings[i][1], &error);
    g_assert_no_error(error);
  }
}

/* Returns a metric of the last step. */
static double
metric(const LacExperiment *experiment, const double *metrics, const char *key)
{
  for (gsize i = 0; i < experiment->n_metrics; i++)
    if (g_str_equal(experiment->metrics[i].key, key))
      return metrics[i];
  g_assert_not_reached();
}

static const LacExperiment *
run(guint64 seed, double *metrics)
{
  g_autoptr(GError)    error = NULL;
  const LacExperiment *experiment = lac_experiment_find("kolmogorov", &error);
  g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
  LacContext           context = {.seed = seed, .precision = "auto"};
  LacStepReport        report = {.metrics = metrics};
  gpointer             state;

  apply(draft);
  g_assert_true(experiment->check(experiment, lac_draft_get_values(draft), &error));
  lac_device_open(&context.device, "cpu", &error);
  g_assert_no_error(error);
  context.pool = lac_pool_new(0);
  state = experiment->create(experiment, lac_draft_get_values(draft), &context, &error);
  g_assert_no_error(error);
  while (report.outcome == LAC_OUTCOME_CONTINUE)
    g_assert_true(lac_experiment_step(experiment, state, &report, &error));
  g_assert_cmpint(report.outcome, ==, LAC_OUTCOME_FINISHED);
  experiment->destroy(state);
  lac_pool_free(context.pool);
  lac_device_close(&context.device);
  return experiment;
}

static void
test_filter(void)
{
  for (guint64 seed = 0; seed < 2; seed++) {
    double               metrics[64];
    const LacExperiment *experiment = run(seed, metrics);
    const double         filter = metric(experiment, metrics, "enkf.fluctuation_relative_l2");
    const double         fixed = metric(experiment, metrics, "pod.fluctuation_relative_l2");

    g_test_message("filter %g, static %g", filter, fixed);
    g_assert_cmpfloat(metrics[0], ==, filter);
    g_assert_cmpfloat(filter, <, NOISE);
    g_assert_cmpfloat(fixed, >, 10 * NOISE);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/physics/kolmogorov/the-filter-knows-more-than-its-sensors", test_filter);
  return g_test_run();
}
