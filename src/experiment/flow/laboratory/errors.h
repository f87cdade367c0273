/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors of an estimate against the truth, summed over observation times, and their combination into relative errors.
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

G_END_DECLS
