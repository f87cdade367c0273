/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a set of sensors knows of the coefficients: the matrix A = A_0 + sum Phi_i^t Phi_i / eta^2 of a placement problem, and
 * what each further point would add to it. */
#pragma once

#include "sensor/candidates.h"

G_BEGIN_DECLS

#define LAC_PLACEMENT_MAX_COMPONENTS 8

typedef struct {
  const LacPlacementProblem *problem;
  double                    *matrix;   /* A: [n_modes][n_modes] */
  double                     variance; /* eta^2 */
} LacInformation;

/* @deviations: A_0 = S^-2, and eta^2 the square of the problem's noise, at least 1e-12 of the largest prior variance of a
 * point; NULL: eta = 1 and A_0 = 1e-8 of the largest squared norm of a point's rows, so that few sensors compare too. */
void lac_information_init(LacInformation            *information,
                          const LacPlacementProblem *problem,
                          const double              *deviations);
void lac_information_clear(LacInformation *information);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacInformation, lac_information_clear)

/* Adds @share of a sensor at @point. */
void lac_information_add(LacInformation *information, gsize point, double share);

/* @root: (out): [n_modes][n_modes], lower triangular, A = root root^t. Returns: %FALSE where A is not positive definite. */
gboolean lac_information_factor(const LacInformation *information, double *root);

/* Returns: log det A; -infinity where it is not positive definite. */
double lac_information_log_det(const LacInformation *information);

typedef enum {
  LAC_CRITERION_LOG_DET, /* growth of log det A */
  LAC_CRITERION_TRACE,   /* fall of the trace of the inverse */
  LAC_CRITERION_GRADIENT /* trace of A^-1 Phi_i^t Phi_i / eta^2: growth of log det A for the first little share */
} LacCriterion;

/* What a sensor at each point would bring. @gains: (out): [n_points]; all NaN where A is not positive definite. */
void
lac_information_gains(const LacInformation *information, LacCriterion criterion, double *gains);

/* Greedy steps from what @candidates has taken to all of its sensors: the point of the largest gain less its cost, of equal
 * ones the first. */
gboolean lac_greedy_choose(LacCandidates *candidates,
                           const double  *deviations,
                           LacCriterion   criterion,
                           GError       **error);

G_END_DECLS
