/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Information matrix of a set of sensors, A = A_0 + sum Phi_i^t Phi_i / eta^2, and the gain of each further point. */
#pragma once

#include "sensor/candidates.h"

G_BEGIN_DECLS

#define LAC_PLACEMENT_MAX_COMPONENTS 8

typedef struct {
  const LacPlacementProblem *problem;
  double                    *matrix;   /* A: [n_modes][n_modes] */
  double                     variance; /* eta^2 */
} LacInformation;

/* @deviations: A_0 = S^-2, and eta^2 is the squared noise of the problem, but at least 1e-12 of the points' largest
 * prior variance; NULL: eta = 1 and A_0 = 1e-8 of the largest squared norm of a point's rows, so that layouts with
 * few sensors can be compared too. */
void lac_information_init(LacInformation            *information,
                          const LacPlacementProblem *problem,
                          const double              *deviations);
void lac_information_clear(LacInformation *information);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacInformation, lac_information_clear)

/* Adds a sensor with weight @share at @point. */
void lac_information_add(LacInformation *information, gsize point, double share);

/* @root: (out): [n_modes][n_modes], lower triangular, A = root root^t. Returns: %FALSE if A is not positive
 * definite. */
gboolean lac_information_factor(const LacInformation *information, double *root);

/* Returns: log det A; -infinity if A is not positive definite. */
double lac_information_log_det(const LacInformation *information);

typedef enum {
  LAC_CRITERION_LOG_DET, /* increase of log det A */
  LAC_CRITERION_TRACE,   /* decrease of the trace of A^-1 */
  LAC_CRITERION_GRADIENT /* derivative of log det A with respect to the sensor's weight: trace of A^-1 Phi_i^t Phi_i / eta^2 */
} LacCriterion;

/* Computes the gain of a sensor at each point. @gains: (out): [n_points]; all NaN if A is not positive definite. */
void
lac_information_gains(const LacInformation *information, LacCriterion criterion, double *gains);

/* Returns: the largest gain of a first sensor; 0 if A is not positive definite. */
double lac_information_largest_gain(const LacPlacementProblem *problem,
                                    const double              *deviations,
                                    LacCriterion               criterion);

/* Places the remaining sensors of @candidates greedily: each at the point with the largest gain minus cost, the first
 * of equal ones. */
gboolean lac_greedy_choose(LacCandidates *candidates,
                           const double  *deviations,
                           LacCriterion   criterion,
                           GError       **error);

G_END_DECLS
