/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Baselines of a truth made by hand, against their definitions. */
#include "experiment/flow/laboratory/baselines.h"

#include <glib.h>

#include <math.h>
#include <string.h>

enum { CELLS = 6, TRAINING = 4, TIMES = 5 };

/* u = 1 + a(k) in a pattern; the training part has mean 1 and ends at a = -2. */
static LacTruth *
make_truth(void)
{
  static const char *const fields[] = {"u"};
  static const double      training[TRAINING] = {2, -1, 1, -2}, observed[TIMES] = {-2, -3, 0, 1, 4};
  LacTruth                *truth = lac_truth_new(1, fields, CELLS, 1, TRAINING, TIMES);

  for (gsize i = 0; i < CELLS; i++) {
    const double pattern = sin(1.0 + (double) i);

    for (gsize k = 0; k < TRAINING; k++)
      truth->training[k * CELLS + i] = 1 + training[k] * pattern;
    for (gsize k = 0; k < TIMES; k++)
      truth->observed[k * CELLS + i] = 1 + observed[k] * pattern;
  }
  return truth;
}

static void
test_definitions(void)
{
  g_autoptr(LacTruth)        truth = make_truth();
  g_autoptr(GError)          error = NULL;
  g_autofree double         *mean = lac_errors_new_mean(truth);
  g_autofree double         *window = lac_errors_new_window_mean(truth);
  const LacCase              subject = {0};
  const LacContext           context = {.seed = 1};
  const LacErrorNorm         norm = {&subject, truth, mean, window};
  g_autoptr(LacObservations) none = lac_observations_new(0, 0, TIMES);
  const LacProblem           problem = {
              .context = &context, .subject = &subject, .grid = truth, .observations = none};
  LacBaselines baselines;

  g_assert_true(lac_baselines_find(&problem, &norm, 0, &baselines, &error));
  g_assert_no_error(error);
  g_assert_true(isnan(baselines.errors[LAC_BASELINE_FORECAST])); /* no solver */
  g_assert_cmpfloat_with_epsilon(baselines.errors[LAC_BASELINE_CLIMATOLOGY], 1, 1e-12);
  /* without sensors the static reconstruction is the mean */
  g_assert_cmpfloat_with_epsilon(baselines.errors[LAC_BASELINE_STATIC_POD], 1, 1e-12);
  /* apart from a = -2: 0, 1, 2, 3, 6; fluctuation: 2, 3, 0, 1, 4 */
  g_assert_cmpfloat_with_epsilon(baselines.errors[LAC_BASELINE_PERSISTENCE], sqrt(50.0 / 30),
                                 1e-12);
  g_assert_cmpfloat_with_epsilon(lac_baselines_get_skill(&baselines, 0.25), 0.75, 1e-12);
  /* noise of the size of the fluctuation adds its square */
  g_assert_true(lac_baselines_find(&problem, &norm, 1e3, &baselines, &error));
  g_assert_cmpfloat(fabs(log10(baselines.errors[LAC_BASELINE_PERSISTENCE] / 1e3)), <, 0.4);
  /* the window's own mean is at a = 0: as far from the training part's mean as the fields are */
  LacErrorSums sums = {{0}};
  for (gsize k = 0; k < TIMES; k++)
    lac_error_sums_add(&sums, &norm, k, window);
  g_assert_cmpfloat_with_epsilon(lac_error_sums_combine(&sums, &norm, sums.window), 1, 1e-12);
}

/* A pressure is compared up to a constant, and alone it counts. */
static void
test_gauge(void)
{
  g_autoptr(LacTruth) truth = make_truth();
  g_autofree double  *mean = lac_errors_new_mean(truth);
  const LacCase       subject = {.gauged = 1};
  const LacErrorNorm  norm = {&subject, truth, mean, NULL};
  double              shifted[CELLS];
  LacErrorSums        sums = {{0}};

  for (gsize i = 0; i < CELLS; i++)
    shifted[i] = truth->observed[CELLS + i] + 17;
  lac_error_sums_add(&sums, &norm, 1, shifted);
  g_assert_cmpfloat(lac_error_sums_combine(&sums, &norm, sums.fluctuation), <, 1e-12);
}

static void
give_nothing(const LacCase *subject G_GNUC_UNUSED, double *state G_GNUC_UNUSED)
{
}

static void
test_offers(void)
{
  LacCase known = {.initial = give_nothing};
  LacCase sought = known, family = {.simulation = {.n_family = 3}};

  sought.sought = 1;
  g_assert_true(lac_baselines_have(&known, LAC_BASELINE_PERSISTENCE));
  g_assert_false(lac_baselines_have(&known, LAC_BASELINE_FORECAST));
  g_assert_false(lac_baselines_have(&sought, LAC_BASELINE_PERSISTENCE));
  g_assert_false(lac_baselines_have(&family, LAC_BASELINE_PERSISTENCE));
  g_assert_true(lac_baselines_have(&family, LAC_BASELINE_CLIMATOLOGY));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/baselines/follow-their-definitions", test_definitions);
  g_test_add_func("/experiment/errors/a-gauge-does-not-count", test_gauge);
  g_test_add_func("/experiment/baselines/need-a-state-that-is-known", test_offers);
  return g_test_run();
}
