/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment/flow/calibration.h"

#include <math.h>

static const struct {
  double level, half_width; /* in standard deviations */
} bands[LAC_N_BANDS] = {
  [LAC_BAND_50] = {0.50, 0.674489750196082},
  [LAC_BAND_90] = {0.90, 1.644853626951473},
  [LAC_BAND_95] = {0.95, 1.959963984540054},
};

double
lac_band_get_level(LacBand band)
{
  return bands[band].level;
}

void
lac_calibration_add(LacCalibration *calibration, double error, double deviation)
{
  const double z = fabs(error) / deviation;

  if (!isfinite(error) || !isfinite(deviation) || deviation <= 0)
    return;
  calibration->n++;
  for (guint b = 0; b < LAC_N_BANDS; b++)
    calibration->within[b] += z <= bands[b].half_width;
  calibration
    ->at[(guint) fmin(LAC_CALIBRATION_LEVELS - 1, LAC_CALIBRATION_LEVELS * erf(z / G_SQRT2))]++;
  calibration->score +=
    deviation * (z * erf(z / G_SQRT2) + (sqrt(2) * exp(-z * z / 2) - 1) / sqrt(G_PI));
}

double
lac_calibration_get_coverage(const LacCalibration *calibration, LacBand band)
{
  return calibration->n ? (double) calibration->within[band] / (double) calibration->n
                        : (double) NAN;
}

double
lac_calibration_get_share(const LacCalibration *calibration, guint level)
{
  gsize n = 0;

  for (guint i = 0; i <= level; i++)
    n += calibration->at[i];
  return calibration->n ? (double) n / (double) calibration->n : (double) NAN;
}

double
lac_calibration_get_score(const LacCalibration *calibration)
{
  return calibration->n ? calibration->score / (double) calibration->n : (double) NAN;
}
