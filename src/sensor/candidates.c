/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Available points: closed one by one when sensors take them, and in discs if there is a minimum distance. */
#include "sensor/candidates.h"

#include "base/error.h"

#include <math.h>

static gboolean
check_distance(const LacPlacementProblem *problem, GError **error)
{
  if (!(problem->minimum_distance > 0) || problem->positions)
    return TRUE;
  g_set_error(
    error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
    "a minimum distance between sensors needs the positions of the points, which are not given");
  return FALSE;
}

gboolean
lac_candidates_init(LacCandidates             *candidates,
                    const LacPlacementProblem *problem,
                    gsize                     *places,
                    gsize                      n_sensors,
                    GError                   **error)
{
  const gsize n = problem->n_points;

  *candidates =
    (LacCandidates){.problem = problem, .n_open = 0, .places = places, .n_sensors = n_sensors};
  if (!check_distance(problem, error))
    return FALSE;
  candidates->open = g_new(guint8, MAX(n, 1));
  for (gsize i = 0; i < n; i++) {
    candidates->open[i] = !problem->allowed || problem->allowed[i];
    candidates->n_open += candidates->open[i];
  }
  if (n_sensors <= candidates->n_open)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "%" G_GSIZE_FORMAT " sensors do not fit on the %" G_GSIZE_FORMAT
              " allowed points; use fewer sensors or allow more points",
              n_sensors, candidates->n_open);
  lac_candidates_clear(candidates);
  return FALSE;
}

void
lac_candidates_clear(LacCandidates *candidates)
{
  g_clear_pointer(&candidates->open, g_free);
}

double
lac_placement_position(const LacPlacementProblem *problem, gsize i, int axis)
{
  if (problem->positions)
    return problem->positions[i][axis];
  return axis == 0 ? (double) i : 0;
}

double
lac_placement_distance2(const LacPlacementProblem *problem, gsize a, gsize b)
{
  double sum = 0;

  for (int axis = 0; axis < 2; axis++) {
    double apart =
      fabs(lac_placement_position(problem, a, axis) - lac_placement_position(problem, b, axis));

    if (problem->period[axis] > 0)
      apart = fabs(remainder(apart, problem->period[axis]));
    sum += apart * apart;
  }
  return sum;
}

static void
close_point(LacCandidates *candidates, gsize point)
{
  candidates->n_open -= candidates->open[point];
  candidates->open[point] = FALSE;
}

void
lac_candidates_close(LacCandidates *candidates, gsize point)
{
  const LacPlacementProblem *problem = candidates->problem;
  const double               limit = problem->minimum_distance * problem->minimum_distance;

  close_point(candidates, point);
  if (problem->minimum_distance > 0)
    for (gsize i = 0; i < problem->n_points; i++)
      if (lac_placement_distance2(problem, point, i) < limit)
        close_point(candidates, i);
}

gsize
lac_candidates_find_best(const LacCandidates *candidates, const double *scores)
{
  gsize  best = candidates->problem->n_points;
  double most = -(double) INFINITY;

  for (gsize i = 0; i < candidates->problem->n_points; i++)
    if (candidates->open[i] && lac_candidates_is_better(scores[i], most)) {
      most = scores[i];
      best = i;
    }
  return best;
}

gboolean
lac_candidates_take(LacCandidates *candidates, gsize point, GError **error)
{
  if (point >= candidates->problem->n_points) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "the points cannot be compared because the modes or the costs contain NaN");
    return FALSE;
  }
  g_assert(candidates->open[point] && candidates->n_taken < candidates->n_sensors);
  candidates->places[candidates->n_taken++] = point;
  lac_candidates_close(candidates, point);
  if (candidates->n_open > 0 || candidates->n_taken == candidates->n_sensors)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "only %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
              " sensors fit at this minimum distance; lower it or use fewer sensors",
              candidates->n_taken, candidates->n_sensors);
  return FALSE;
}

double
lac_placement_largest_norm2(const LacPlacementProblem *problem)
{
  const gsize n = problem->n_points, n_rows = problem->n_components * n;
  double      largest = 0;

  for (gsize i = 0; i < n; i++) {
    double sum = 0;

    for (gsize m = 0; m < problem->n_modes; m++)
      for (gsize j = i; j < n_rows; j += n)
        sum += problem->modes[m * n_rows + j] * problem->modes[m * n_rows + j];
    largest = MAX(largest, sum);
  }
  return largest;
}
