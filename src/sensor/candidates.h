/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The points that may still get a sensor: what is allowed, not taken, and far enough from those that are. */
#pragma once

#include "sensor/placement.h"

G_BEGIN_DECLS

typedef struct {
  const LacPlacementProblem *problem;
  guint8                    *open; /* [n_points] */
  gsize                      n_open;
  gsize                     *places; /* [n_sensors] borrowed; the first n_taken are filled */
  gsize                      n_taken, n_sensors;
} LacCandidates;

/* Returns: %FALSE with an error where there are fewer open points than sensors; then there is nothing to clear. */
gboolean lac_candidates_init(LacCandidates             *candidates,
                             const LacPlacementProblem *problem,
                             gsize                     *places,
                             gsize                      n_sensors,
                             GError                   **error);
void     lac_candidates_clear(LacCandidates *candidates);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacCandidates, lac_candidates_clear)

/* Gives @point, which is open, a sensor. @point == n_points: a method found none that compares, an error.
 * Returns: %FALSE with an error also where more sensors are wanted and no open point is left. */
gboolean lac_candidates_take(LacCandidates *candidates, gsize point, GError **error);

/* Closes @point and all within the minimum distance; it may be closed already. */
void lac_candidates_close(LacCandidates *candidates, gsize point);

/* Returns: the open point of the largest @scores[i], of equal ones the first; n_points where none is a number. */
gsize lac_candidates_find_best(const LacCandidates *candidates, const double *scores);

/* Where point @i is along @axis: where nothing is known, its index on the first. */
double lac_placement_position(const LacPlacementProblem *problem, gsize i, int axis);

/* Squared, around the period. */
double lac_placement_distance2(const LacPlacementProblem *problem, gsize a, gsize b);

G_END_DECLS
