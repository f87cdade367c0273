/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registry of sensor placement methods, each with its name, title, formula and source. All work on the same problem:
 * modes, prior, noise, and constraints. */
#pragma once

#include "base/pool.h"
#include "base/rng.h"

#include <glib.h>

G_BEGIN_DECLS

/* All pointers are borrowed. A sensor measures all components at its point. */
typedef struct {
  const double *modes; /* [n_modes][n_components * n_points], orthonormal rows */
  gsize         n_modes, n_components, n_points;
  const double
        *deviations; /* [n_modes]: prior standard deviations of the coefficients; NULL: unknown */
  double noise;      /* standard deviation of a measurement, in the unit of the deviations */
  const double
    *cost; /* [n_points], subtracted from the gain by methods with a largest_gain(); NULL: none */
  const guint8 *allowed;        /* [n_points], 0: no sensor allowed; NULL: allowed everywhere */
  const double (*positions)[2]; /* [n_points]; NULL: unknown */
  double   period[2];           /* period along each axis; 0: not periodic */
  double   minimum_distance;    /* between sensors; needs positions if above 0 */
  LacPool *pool; /* NULL: the calling thread only; the result does not depend on it */
  double
    *upper_bound; /* (out) (optional): upper bound of lac_placement_log_det() over all designs */
} LacPlacementProblem;

typedef struct {
  const char *name, *title; /* on the command line and in the window */
  const char *formula;
  const char *source;
  gboolean    ignores_modes; /* depends on the positions only */

  /* @rng: for randomised methods
   * @places: (out): [n_sensors] distinct points in order of choice
   *
   * Returns: %FALSE with an error if the constraints leave too few points or the modes are not finite. */
  gboolean (*choose)(const LacPlacementProblem *problem,
                     LacRng                    *rng,
                     gsize                     *places,
                     gsize                      n_sensors,
                     GError                   **error);

  /* (nullable): the largest gain of a first sensor without costs, as the unit of the problem's costs; NULL: the method
   * ignores costs */
  double (*largest_gain)(const LacPlacementProblem *problem);
} LacPlacementMethod;

const LacPlacementMethod *const *lac_placement_methods(gsize *n_methods);

/* Returns: %NULL with an error listing the valid names. */
const LacPlacementMethod *lac_placement_find(const char *name, GError **error);

/* Returns: log det(A_0 + sum over the sensors of Phi_i^t Phi_i / noise^2), A_0 = S^-2 with the problem's deviations;
 * without them A_0 is negligibly small and the noise is 1. -infinity if the determinant is not positive. */
double
lac_placement_log_det(const LacPlacementProblem *problem, const gsize *places, gsize n_sensors);

/* Exchange algorithm: moves one sensor at a time to the point that increases the log-determinant most, within the
 * constraints, until no move improves it. Source: Fedorov (1972), Theory of Optimal Experiments. @places:
 * [n_sensors], changed. Returns: the log-determinant, never less than before. */
double lac_placement_exchange(const LacPlacementProblem *problem, gsize *places, gsize n_sensors);

/* Chooses the pivots of method `qr` without prior or constraints. */
void lac_placement_qr(const double *modes,
                      gsize         n_modes,
                      gsize         n_components,
                      gsize         n_points,
                      gsize        *places,
                      gsize         n_sensors);

/* Draws distinct points uniformly. */
void lac_placement_random(LacRng *rng, gsize n_points, gsize *places, gsize n_sensors);

G_END_DECLS
