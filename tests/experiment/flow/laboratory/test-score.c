/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scores on the way: a filter has no error at an observation that it has not reached, and no method has a mean before
 * all have reached the scored observations. */
#include "experiment/experiment.h"

#include <math.h>

#define OBSERVATIONS 12
#define FIRST_SCORED 8 /* two thirds of them are left out */

static void
apply(LacDraft *draft)
{
  /* the solver takes more steps than there are observations, so that the filter waits in most of them */
  static const char *const settings[][2] = {
    {"engines", "enkf,solver"},
    {"grid", "16"},
    {"observations", "12"},
    {"snapshots", "20"},
    {"spin_up", "2"},
    {"sensors", "6"},
    {"members", "8"},
    {"iterations", "15"},
    {"window", "6"},
    {"judge", "1"},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(settings); i++) {
    g_autoptr(GError) error = NULL;

    lac_draft_set(draft, settings[i][0], settings[i][1], &error);
    g_assert_no_error(error);
  }
}

static gsize
find(const LacOutline *outline, const char *key)
{
  for (gsize i = 0; i < outline->n_metrics; i++)
    if (g_str_equal(outline->metrics[i].key, key))
      return i;
  g_assert_not_reached();
}

typedef struct {
  LacContext           context;
  LacDraft            *draft;
  const LacExperiment *experiment;
  LacOutline           outline;
  gpointer             state;
} Run;

static void
set_up(Run *run, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;

  *run =
    (Run){.context = {.precision = "f64"}, .experiment = lac_experiment_find("kolmogorov", &error)};
  run->draft = lac_draft_new(&run->experiment->params);
  apply(run->draft);
  lac_device_open(&run->context.device, "cpu", &error);
  g_assert_no_error(error);
  run->context.pool = lac_pool_new(1);
  run->outline = lac_experiment_outline(run->experiment, lac_draft_get_values(run->draft));
  run->state = run->experiment->create(run->experiment, lac_draft_get_values(run->draft),
                                       &run->context, &error);
  g_assert_no_error(error);
}

static void
tear_down(Run *run, gconstpointer data G_GNUC_UNUSED)
{
  run->experiment->destroy(run->state);
  lac_outline_clear(&run->outline);
  lac_pool_free(run->context.pool);
  lac_device_close(&run->context.device);
  lac_draft_free(run->draft);
}

static void
test_on_the_way(Run *run, gconstpointer data G_GNUC_UNUSED)
{
  const gsize        now = find(&run->outline, "enkf.error");
  const gsize        means[] = {find(&run->outline, "enkf.fluctuation_relative_l2"),
                                find(&run->outline, "solver.fluctuation_relative_l2"), 0};
  const gint64       n_steps = run->experiment->n_steps(run->state);
  g_autofree double *metrics = g_new(double, run->outline.n_metrics);
  LacStepReport      report = {.metrics = metrics};
  guint              n_now = 0, n_means = 0;

  g_assert_cmpint(n_steps, >, OBSERVATIONS);
  for (gint64 step = 1; report.outcome == LAC_OUTCOME_CONTINUE; step++) {
    const gint64      reached = step * OBSERVATIONS / n_steps;
    g_autoptr(GError) error = NULL;

    for (gsize m = 0; m < run->outline.n_metrics; m++)
      metrics[m] = NAN;
    g_assert_true(lac_experiment_step(run->experiment, run->state, &report, &error));
    g_assert_no_error(error);
    n_now += isfinite(metrics[now]);
    if (isfinite(metrics[now])) /* 1 is the error of the mean that stands for no estimate */
      g_assert_cmpfloat(fabs(metrics[now] - 1), >, 1e-9);
    for (gsize i = 0; i < G_N_ELEMENTS(means); i++) {
      g_assert_cmpint(isfinite(metrics[means[i]]), ==, reached > FIRST_SCORED);
      n_means += isfinite(metrics[means[i]]);
    }
  }
  g_assert_cmpuint(n_now, ==, OBSERVATIONS);
  g_assert_cmpuint(n_means, >, G_N_ELEMENTS(means));
}

/* The declared window is the one that is scored, counted from 1. */
static void
test_window(Run *run, gconstpointer data G_GNUC_UNUSED)
{
  const LacMetricPlacing *placing =
    &run->outline.metrics[find(&run->outline, "enkf.fluctuation_relative_l2")].placing;

  g_assert_cmpint(placing->column, ==, LAC_COLUMN_MEAN);
  g_assert_cmpuint(placing->window_first, ==, FIRST_SCORED + 1);
  g_assert_cmpuint(placing->window_last, ==, OBSERVATIONS);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add("/experiment/flow/score/only-what-is-reached", Run, NULL, set_up, test_on_the_way,
             tear_down);
  g_test_add("/experiment/flow/score/the-window-is-declared", Run, NULL, set_up, test_window,
             tear_down);
  return g_test_run();
}
