/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points still available for a sensor: allowed, not taken, and at least the minimum distance from taken ones. */
#pragma once

#include "sensor/placement.h"

G_BEGIN_DECLS

typedef struct {
  const LacPlacementProblem *problem;
  guint8                    *open; /* [n_points]: non-zero for points still available */
  gsize                      n_open;
  gsize                     *places; /* [n_sensors], borrowed; the first n_taken are filled */
  gsize                      n_taken, n_sensors;
} LacCandidates;

/* Returns: %FALSE with an error if there are fewer open points than sensors; then there is nothing to clear. */
gboolean lac_candidates_init(LacCandidates             *candidates,
                             const LacPlacementProblem *problem,
                             gsize                     *places,
                             gsize                      n_sensors,
                             GError                   **error);
void     lac_candidates_clear(LacCandidates *candidates);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacCandidates, lac_candidates_clear)

/* Places a sensor at @point, which must be open. It is an error to pass n_points, which a search returns when all
 * scores are NaN. Returns: %FALSE with an error, also if more sensors are needed and no open point is left. */
gboolean lac_candidates_take(LacCandidates *candidates, gsize point, GError **error);

/* Closes @point and all points within the minimum distance; it may already be closed. */
void lac_candidates_close(LacCandidates *candidates, gsize point);

/* Relative difference below which scores are equal and the first point is taken: those of mirrored points of a symmetric
 * field differ by rounding, which is another on every machine. */
#define LAC_CANDIDATES_EQUAL 1e-9

/* Returns TRUE when @score is above @best, by more than rounding. */
static inline gboolean
lac_candidates_is_better(double score, double best)
{
  return score > best && !(score <= best + LAC_CANDIDATES_EQUAL * ABS(best)); /* -infinity, too */
}

/* Returns: the open point with the largest @scores[i], the first of equal ones; n_points if all are NaN. */
gsize lac_candidates_find_best(const LacCandidates *candidates, const double *scores);

/* Returns: the largest squared norm of a point's rows of the modes. */
double lac_placement_largest_norm2(const LacPlacementProblem *problem);

/* Returns the coordinate of point @i along @axis; without positions, its index on the first axis. */
double lac_placement_position(const LacPlacementProblem *problem, gsize i, int axis);

/* Returns the squared distance between points @a and @b, periodic axes wrapped. */
double lac_placement_distance2(const LacPlacementProblem *problem, gsize a, gsize b);

G_END_DECLS
