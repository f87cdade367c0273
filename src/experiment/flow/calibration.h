/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well stated standard deviations describe errors: the share of errors within the central bands of a normal
 * distribution, and the continuous ranked probability score.
 * Source: Gneiting, Raftery (2007), doi:10.1198/016214506000001437, eq. 21 (score of a normal distribution). */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum { LAC_BAND_50, LAC_BAND_90, LAC_BAND_95, LAC_N_BANDS } LacBand;

/* Intervals of probability of the reliability diagram. */
#define LAC_CALIBRATION_LEVELS 20

/* Sums over errors; starts at 0. */
typedef struct {
  gsize  n, within[LAC_N_BANDS];
  gsize  at[LAC_CALIBRATION_LEVELS]; /* by the probability of a smaller error */
  double score;
} LacCalibration;

/* Returns the share of errors that a band is to hold: 0.5, 0.9, 0.95. */
double lac_band_get_level(LacBand band);

/* Counts one error of an estimate that has standard deviation @deviation; ignores it unless both are finite and
 * @deviation > 0. */
void lac_calibration_add(LacCalibration *calibration, double error, double deviation);

/* Returns the share of errors within the band; NaN without errors. */
double lac_calibration_get_coverage(const LacCalibration *calibration, LacBand band);

/* Returns the share of errors within the central interval that is to hold (@level + 1) / LAC_CALIBRATION_LEVELS of them;
 * NaN without errors. */
double lac_calibration_get_share(const LacCalibration *calibration, guint level);

/* Returns the mean score, in the unit of the errors: smaller is better, and 0 only for exact estimates that say so.
 * NaN without errors. */
double lac_calibration_get_score(const LacCalibration *calibration);

G_END_DECLS
