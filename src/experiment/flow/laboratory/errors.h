/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors of an estimate against the truth, summed over observation times, and their combination into relative errors;
 * and how well stated standard deviations describe errors: the share of errors within the central bands of a normal
 * distribution, and the continuous ranked probability score.
 * Source: Gneiting, Raftery (2007), doi:10.1198/016214506000001437, eq. 21 (score of a normal distribution).
 * The only laboratory file that reads the observed truth, with score.c and baselines.c. */
#pragma once

#include "experiment/flow/case.h"

G_BEGIN_DECLS

typedef struct {
  const LacCase  *subject;
  const LacTruth *truth;
  const double   *mean;   /* [n]: of the training part: defines the fluctuation */
  const double   *window; /* (nullable): [n]: mean of the observed part */
} LacErrorNorm;

/* Sums of squares per field over the points of the domain. */
typedef struct {
  double error[LAC_TRUTH_MAX_FIELDS];
  double fluctuation[LAC_TRUTH_MAX_FIELDS]; /* of the truth about the mean of the training part */
  double window[LAC_TRUTH_MAX_FIELDS];      /* about that of the observed part */
  double whole[LAC_TRUTH_MAX_FIELDS];       /* of the truth itself */
} LacErrorSums;

/* Adds the errors of @field, [n_fields][ny][nx], at observation @k. Fields with a gauge are compared up to a constant.
 * The truth must be known. */
void lac_error_sums_add(LacErrorSums *sums, const LacErrorNorm *norm, gsize k, const double *field);
/* Adds @other. */
void lac_error_sums_add_sums(LacErrorSums *sums, const LacErrorSums *other);

/* Returns the relative error of the fields without a gauge, or of all fields if each has one. @squares: one of the
 * sums of the truth. */
double
lac_error_sums_combine(const LacErrorSums *sums, const LacErrorNorm *norm, const double *squares);

/* Returns the mean of the training part, [n], or without one the mean value of each field: (transfer full). */
double *lac_errors_new_mean(const LacTruth *truth);
/* Returns the mean of the observed part in time, [n]: (transfer full). */
double *lac_errors_new_window_mean(const LacTruth *truth);

/* ---- calibration ---- */

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
