/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coverage and score of stated standard deviations, against their definitions. */
#include "base/rng.h"
#include "experiment/flow/calibration.h"

#include <math.h>

/* Errors drawn from the stated distribution fall into the bands as often as these say. */
static void
test_calibrated(void)
{
  LacCalibration calibration = {0};
  LacRng         rng = lac_rng(3, 1);
  const gsize    n = 40000;

  for (gsize i = 0; i < n; i++) {
    const double deviation = 0.1 + lac_rng_uniform(&rng);

    lac_calibration_add(&calibration, deviation * lac_rng_normal(&rng), deviation);
  }
  for (guint b = 0; b < LAC_N_BANDS; b++) {
    const double level = lac_band_get_level(b);

    g_assert_cmpfloat(fabs(lac_calibration_get_coverage(&calibration, b) - level), <,
                      4 * sqrt(level * (1 - level) / (double) n));
  }
  for (guint level = 0; level + 1 < LAC_CALIBRATION_LEVELS; level++) {
    const double claimed = (level + 1.0) / LAC_CALIBRATION_LEVELS;

    g_assert_cmpfloat(fabs(lac_calibration_get_share(&calibration, level) - claimed), <,
                      4 * sqrt(claimed * (1 - claimed) / (double) n));
  }
}

/* A claim of half the error covers 67 % instead of 95 %. */
static void
test_too_sure(void)
{
  LacCalibration calibration = {0};
  LacRng         rng = lac_rng(4, 1);

  for (gsize i = 0; i < 40000; i++)
    lac_calibration_add(&calibration, 2 * lac_rng_normal(&rng), 1);
  g_assert_cmpfloat_with_epsilon(lac_calibration_get_coverage(&calibration, LAC_BAND_95),
                                 erf(1.959963984540054 / 2 / G_SQRT2), 0.01);
}

/* The score is the integral of the squared difference between the normal distribution function and the step at the
 * truth. */
static void
test_score(void)
{
  const double error = 0.7, deviation = 0.4, step = 1e-4;
  double       integral = 0;

  for (double x = -5 + step / 2; x < 5; x += step) {
    const double below = (1 + erf((x - error) / deviation / G_SQRT2)) / 2;

    integral += step * pow(below - (x > 0), 2);
  }
  LacCalibration calibration = {0};
  lac_calibration_add(&calibration, error, deviation);
  g_assert_cmpfloat_with_epsilon(lac_calibration_get_score(&calibration), integral, 1e-6);
}

/* Errors without a claim are not counted. */
static void
test_none(void)
{
  LacCalibration calibration = {0};

  lac_calibration_add(&calibration, NAN, 1);
  lac_calibration_add(&calibration, 1, NAN);
  lac_calibration_add(&calibration, 1, 0);
  g_assert_true(isnan(lac_calibration_get_coverage(&calibration, LAC_BAND_50)));
  g_assert_true(isnan(lac_calibration_get_score(&calibration)));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/calibration/bands-hold-what-they-say", test_calibrated);
  g_test_add_func("/experiment/calibration/too-small-claims-show", test_too_sure);
  g_test_add_func("/experiment/calibration/score-is-its-integral", test_score);
  g_test_add_func("/experiment/calibration/errors-without-a-claim-do-not-count", test_none);
  return g_test_run();
}
