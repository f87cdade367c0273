/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gappy POD: coefficients of the modes from values at the sensors, by least squares or as the Gaussian posterior
 *   a = (S^-2 + T^t N^-1 T)^-1 T^t N^-1 y,  T: rows of the modes at the sensors, N: diagonal, the variance of the noise and
 * of what the modes leave there: to a sensor the truncated modes are noise, often more of it than its own.
 * Source: Everson and Sirovich (1995), J. Opt. Soc. Am. A 12, 1657. */
#pragma once

#include "base/pool.h"
#include "sensor/pod.h"

G_BEGIN_DECLS

typedef struct _LacGappy LacGappy;

#define LAC_STENCIL_SIZE 4

/* A measured number as a weighted sum of entries of a snapshot: a sensor between grid points. Unused: weight 0. */
typedef struct {
  gsize  rows[LAC_STENCIL_SIZE];
  double weights[LAC_STENCIL_SIZE];
} LacStencil;

typedef enum {
  LAC_GAPPY_BAYES,        /* the posterior; fewer values than modes are welcome */
  LAC_GAPPY_LEAST_SQUARES /* of minimum norm, each value weighted with its noise */
} LacGappyMethod;

typedef struct {
  const LacPod     *pod;  /* borrowed */
  const gsize      *rows; /* [n_values] entries of a snapshot, one a measured number, or NULL and */
  const LacStencil *stencils; /* [n_values] */
  gsize             n_values;
  double            noise;  /* standard deviation of a measured number, > 0 */
  const double     *noises; /* [n_values], each > 0, in its place; NULL: the same for all */
  LacGappyMethod    method;
} LacGappySettings;

/* One thread at a time. Returns: %NULL with an error where the numbers do not allow a solution. */
LacGappy *lac_gappy_new_with(const LacGappySettings *settings, GError **error);

/* The posterior from entries of a snapshot with equal noise. Returns: %NULL where there is no solution. */
LacGappy *lac_gappy_new(const LacPod *pod, const gsize *rows, gsize n_values, double noise);
void      lac_gappy_free(LacGappy *gappy);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacGappy, lac_gappy_free)

/* In all below: @values: [n_values] as measured, mean included. A value that is not finite is left out as if its sensor were
 * not there: the first time for a set of missing ones the map is made anew, then remembered. Otherwise nothing is allocated. */

/* @field: [pod->n] */
void lac_gappy_reconstruct(LacGappy *gappy, const double *values, double *field);

/* @coefficients: [pod->n_modes] */
void lac_gappy_get_coefficients(LacGappy *gappy, const double *values, double *coefficients);

/**
 * lac_gappy_get_deviation:
 * @values: (nullable): only which are missing matters; %NULL: none
 * @pool: (nullable)
 * @deviation: (out): [pod->n]: standard deviation of each entry, sqrt(phi_i C phi_i^t + truncation_i^2) with C the covariance
 *   of the coefficients' error under the prior: the posterior's for Bayes, and for least squares the noise that comes
 *   through together with what no value sees
 */
void
lac_gappy_get_deviation(LacGappy *gappy, const double *values, LacPool *pool, double *deviation);

/* @errors: [n_values]: each value less what the others say of it, without solving again: residual / (1 - H_kk).
 * NaN where the value is missing or the others say nothing. */
void lac_gappy_leave_one_out(LacGappy *gappy, const double *values, double *errors);

typedef struct {
  double
    condition; /* of T: largest over smallest singular value; infinite where modes or sensors coincide */
  double
    expected_error; /* rms of the reconstruction's error over that of the fluctuation, under the prior */
} LacLayoutQuality;

/* How good a layout is, without a measurement. Fast: for while sensors are being dragged. Returns: %FALSE with an error as
 * lac_gappy_new_with(). */
gboolean
lac_gappy_evaluate(const LacGappySettings *settings, LacLayoutQuality *quality, GError **error);

G_END_DECLS
