/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gappy POD: coefficients of the modes from sensor values, by least squares or as the Gaussian posterior
 *   a = (S^-2 + T^t N^-1 T)^-1 T^t N^-1 y,
 * with T the rows of the modes at the sensors and N diagonal: the variance of the measurement noise plus that of the
 * truncated modes, which act as noise at a sensor and often exceed its measurement noise.
 * Source: Everson and Sirovich (1995), J. Opt. Soc. Am. A 12, 1657. */
#pragma once

#include "base/pool.h"
#include "sensor/pod.h"

G_BEGIN_DECLS

typedef struct _LacGappy LacGappy;

#define LAC_STENCIL_SIZE 4

/* A measured value as a weighted sum of snapshot entries, for sensors between grid points. Unused entries have weight
 * 0. */
typedef struct {
  gsize  rows[LAC_STENCIL_SIZE];
  double weights[LAC_STENCIL_SIZE];
} LacStencil;

typedef enum {
  LAC_GAPPY_BAYES,        /* the posterior; works with fewer values than modes */
  LAC_GAPPY_LEAST_SQUARES /* minimum-norm solution, each value weighted by its noise */
} LacGappyMethod;

typedef struct {
  const LacPod     *pod;  /* borrowed */
  const gsize      *rows; /* [n_values] snapshot entries, one per value; NULL: @stencils are used */
  const LacStencil *stencils; /* [n_values]; used only where @rows is NULL */
  gsize             n_values;
  double            noise;  /* standard deviation of the measurement noise, > 0 */
  const double     *noises; /* [n_values], each > 0, replaces @noise; NULL: the same for all */
  LacGappyMethod    method;
} LacGappySettings;

/* The result is for one thread at a time. Returns: %NULL with an error if the system has no solution. */
LacGappy *lac_gappy_new_with(const LacGappySettings *settings, GError **error);

/* Makes the posterior for values that are snapshot entries with equal noise. Returns: %NULL if there is no solution. */
LacGappy *lac_gappy_new(const LacPod *pod, const gsize *rows, gsize n_values, double noise);
void      lac_gappy_free(LacGappy *gappy);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacGappy, lac_gappy_free)

/* @values in all functions below: [n_values] as measured, mean included. Non-finite values count as missing: each new
 * set of missing values requires a new map, which is cached. Otherwise nothing is allocated. */

/* @coefficients: [pod->n_modes]; the field is their sum of modes (sensor/expansion.h) and the mean */
void lac_gappy_get_coefficients(LacGappy *gappy, const double *values, double *coefficients);

/**
 * lac_gappy_get_deviation:
 * @values: (nullable): used only to find which values are missing; %NULL: none are missing
 * @pool: (nullable)
 * @deviation: (out): [pod->n]: standard deviation of each entry, sqrt(phi_i C phi_i^t + truncation_i^2), where C is
 *   the covariance of the coefficient error under the prior: for Bayes the posterior covariance, for least squares the
 *   propagated noise plus the component that no value observes
 */
void
lac_gappy_get_deviation(LacGappy *gappy, const double *values, LacPool *pool, double *deviation);

/* @errors: [n_values]: leave-one-out residuals, each value minus its prediction from the others, in closed form:
 * residual / (1 - H_kk). NaN if the value is missing or the others do not determine it. */
void lac_gappy_leave_one_out(LacGappy *gappy, const double *values, double *errors);

/* Adds to @sum the squares of the leave-one-out residuals over their variances by the model, and to @n their number: the
 * mean is 1 where prior and noise are right, and its root the factor by which deviations are too small where not. */
void lac_gappy_add_surprise(LacGappy *gappy, const double *values, double *sum, gsize *n);

/* Computes what lac_gappy_get_deviation() computes at its first call where no value is missing. @pool: (nullable) */
void lac_gappy_prepare_deviation(LacGappy *gappy, LacPool *pool);

typedef struct {
  double condition; /* condition number of T; infinite if modes or sensors coincide */
  double
    expected_error; /* RMS reconstruction error relative to the RMS fluctuation, under the prior */
} LacLayoutQuality;

/* Evaluates a sensor layout without measurements; fast enough for dragging sensors. Returns: %FALSE with an error as
 * lac_gappy_new_with(). */
gboolean
lac_gappy_evaluate(const LacGappySettings *settings, LacLayoutQuality *quality, GError **error);

G_END_DECLS
