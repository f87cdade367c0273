/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where to measure: the registry of placement methods, each a row with its name, title, formula and source. All choose from
 * one description of the problem: modes, prior, noise, and what is allowed. */
#pragma once

#include "base/pool.h"
#include "base/rng.h"

#include <glib.h>

G_BEGIN_DECLS

/* All pointers are borrowed. A sensor at a point sees all components there. */
typedef struct {
  const double *modes; /* [n_modes][n_components * n_points], orthonormal rows */
  gsize         n_modes, n_components, n_points;
  const double
    *deviations; /* [n_modes]: prior standard deviations of the coefficients; NULL: nothing known */
  double        noise; /* standard deviation of a measured number, in the unit of the deviations */
  const double *cost;  /* [n_points], subtracted from what a greedy method gains; NULL: none */
  const guint8 *allowed;        /* [n_points], 0: no sensor here; NULL: everywhere */
  const double (*positions)[2]; /* [n_points]; NULL: unknown */
  double   period[2];           /* of the positions along each axis; 0: not periodic */
  double   minimum_distance;    /* between sensors; above 0 it needs positions */
  LacPool *pool;                /* NULL: the calling thread alone; the places do not depend on it */
  double *
    upper_bound; /* (out) (optional): of lac_placement_log_det() over all designs, by a method that has one */
} LacPlacementProblem;

typedef struct {
  const char *name, *title; /* as the command line and as the window say it */
  const char *formula;
  const char *source;
  gboolean    ignores_modes; /* chooses by place alone */

  /* @rng: for the methods that draw, ignored by the others
   * @places: (out): [n_sensors] distinct points in order of choice
   *
   * Returns: %FALSE with an error where the constraints leave too few points or the modes are not numbers. */
  gboolean (*choose)(const LacPlacementProblem *problem,
                     LacRng                    *rng,
                     gsize                     *places,
                     gsize                      n_sensors,
                     GError                   **error);
} LacPlacementMethod;

const LacPlacementMethod *const *lac_placement_methods(gsize *n_methods);

/* Returns: %NULL with an error that lists the names where there is none such. */
const LacPlacementMethod *lac_placement_find(const char *name, GError **error);

/* Returns: log det(A_0 + sum over the places of Phi_i^t Phi_i / noise^2): with the problem's deviations A_0 = S^-2, without
 * them next to nothing and noise 1. -infinity where there is no determinant. */
double
lac_placement_log_det(const LacPlacementProblem *problem, const gsize *places, gsize n_sensors);

/* Moves one sensor at a time to where it adds most to the log-determinant, within the constraints, until none gains by moving:
 * Fedorov (1972), Theory of Optimal Experiments. @places: [n_sensors], changed. Returns: the log-determinant, never less than
 * before. */
double lac_placement_exchange(const LacPlacementProblem *problem, gsize *places, gsize n_sensors);

/* The pivots of the method `qr` without prior or constraint. */
void lac_placement_qr(const double *modes,
                      gsize         n_modes,
                      gsize         n_components,
                      gsize         n_points,
                      gsize        *places,
                      gsize         n_sensors);

/* Distinct places, uniformly. */
void lac_placement_random(LacRng *rng, gsize n_points, gsize *places, gsize n_sensors);

G_END_DECLS
