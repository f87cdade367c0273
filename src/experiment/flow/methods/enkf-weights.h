/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The weights with which an ensemble Kalman analysis combines its members: with the anomalies H X' at the sensors,
 * their tapered covariance S = L o HPH + R and the innovation d of the mean,
 *   X <- X + (L o X' (H X')^T) / (N - 1) W.
 * Three kinds of W, [m][N]:
 *   stochastic   S^-1 (d + eps_e - H x'_e), perturbed observations (Burgers, van Leeuwen, Evensen 1998,
 *                doi:10.1175/1520-0493(1998)126<1719:ASITEK>2.0.CO;2);
 *   square root  S^-1 d - R^-1/2 T^-1/2 (T^1/2 + 1)^-1 R^-1/2 H x'_e with T = R^-1/2 S R^-1/2: without a taper the
 *                covariance is exactly Kalman's (Andrews 1968, doi:10.2514/3.4640; Whitaker, Hamill 2002,
 *                doi:10.1175/1520-0493(2002)130<1913:EDAWPO>2.0.CO;2, eq. 10);
 *   DEnKF        S^-1 (d - H x'_e / 2), its approximation for small corrections (Sakov, Oke 2008,
 *                doi:10.1111/j.1600-0870.2007.00299.x).
 * The local analysis (LETKF) has one transform of the members per point instead, X' -> X' T, from the values near the
 * point with their precisions tapered (Hunt, Kostelich, Szunyogh 2007, doi:10.1016/j.physd.2006.11.008). */
#pragma once

#include "base/rng.h"

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LAC_ENKF_STOCHASTIC,
  LAC_ENKF_SQUARE_ROOT,
  LAC_ENKF_DETERMINISTIC,
  LAC_ENKF_LOCAL, /* weights: those of the square root */
} LacEnkfKind;

typedef struct {
  gsize         m, n_members;
  const double *anomalies;  /* [n_members][m]: H X' */
  const double *values;     /* [m]: measured */
  const double *mean;       /* [m]: of the members at the sensors; d = values - mean */
  const double *deviations; /* [m], > 0: R^1/2 */
  double       *covariance; /* [m][m]: S; destroyed */
} LacEnkfInput;

/* @work: [LAC_ENKF_WEIGHTS_WORK(m)] */
#define LAC_ENKF_WEIGHTS_WORK(m) (3 * (m) * (m) + 11 * (m) + 3)

/* Computes @weights, [m][n_members]. Stochastic: draws one normal number per member and value, member by member; the
 * others draw none. Does not allocate. Returns: FALSE when S is not positive definite. */
gboolean lac_enkf_find_weights(LacEnkfKind         kind,
                               const LacEnkfInput *input,
                               LacRng             *rng,
                               double             *work,
                               double             *weights);

/* The transform of one point, with S = R^-1/2 H X' / sqrt(N - 1) of tapered precisions: T = (1 + S^T S)^-1/2 among the
 * members, or among the values where these are fewer. Lies in the work of lac_enkf_find_transform(). */
typedef struct {
  gsize         n_members, m, rank; /* rank: that of the matrix, n_members or m */
  const double *scaled;             /* [n_members][m]: S^T */
  const double *matrix;             /* [rank][rank] */
  const double *mean;               /* [rank]: correction of the mean */
  double       *product;            /* [rank]: scratch */
} LacEnkfTransform;

/* @work: [LAC_ENKF_TRANSFORM_WORK(m, n_members)] */
#define LAC_ENKF_TRANSFORM_WORK(m, n_members) \
  ((m) * (n_members) + 4 * (m) * (m) + 13 * (m) + (n_members) + 3)

/* @taper: [m], 0 ... 1: factors of the values' precisions; those of 0 are not used. @input: without covariance. Does not
 * allocate. Returns: FALSE when a value is not finite. */
gboolean lac_enkf_find_transform(const LacEnkfInput *input,
                                 const double       *taper,
                                 double             *work,
                                 LacEnkfTransform   *transform);

/* Transforms the anomalies of one value of the state, [n_members] spaced @stride apart. Returns: the correction of its
 * mean. */
double lac_enkf_apply_transform(const LacEnkfTransform *transform, double *anomalies, gsize stride);

/* Computes @mean, [m]: the mean of @weights over the members, which corrects the mean of the ensemble. */
void lac_enkf_average_weights(const double *weights, gsize m, gsize n_members, double *mean);

G_END_DECLS
