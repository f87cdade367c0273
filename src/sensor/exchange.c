/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exchange polish: each sensor in turn is lifted and put where the others gain most by it. */
#include "sensor/information.h"

#include <math.h>

#define MAX_SWEEPS 20
#define LEAST      1e-10 /* of log-determinant: a smaller gain is not worth a move */

/* Returns: the best place for sensor @k while the others stay; n_points where there is none. */
static gsize
find_better(const LacPlacementProblem *problem, const gsize *places, gsize n_sensors, gsize k)
{
  g_autofree double     *gains = g_new(double, problem->n_points);
  g_auto(LacInformation) information = {0};
  g_auto(LacCandidates)  candidates = {0};
  gsize                  better = problem->n_points;

  if (!lac_candidates_init(&candidates, problem, NULL, 0, NULL))
    return better;
  lac_information_init(&information, problem, problem->deviations);
  for (gsize l = 0; l < n_sensors; l++)
    if (l != k) {
      lac_information_add(&information, places[l], 1);
      lac_candidates_close(&candidates, places[l]);
    }
  lac_information_gains(&information, LAC_CRITERION_LOG_DET, gains);
  return lac_candidates_find_best(&candidates, gains);
}

double
lac_placement_exchange(const LacPlacementProblem *problem, gsize *places, gsize n_sensors)
{
  double   log_det = lac_placement_log_det(problem, places, n_sensors);
  gboolean moved = TRUE;

  for (int sweep = 0; sweep < MAX_SWEEPS && moved; sweep++) {
    moved = FALSE;
    for (gsize k = 0; k < n_sensors; k++) {
      const gsize before = places[k], better = find_better(problem, places, n_sensors, k);
      double      after;

      if (better == problem->n_points || better == before)
        continue;
      places[k] = better;
      after = lac_placement_log_det(problem, places, n_sensors);
      if (after > log_det + LEAST) {
        log_det = after;
        moved = TRUE;
      } else {
        places[k] = before;
      }
    }
  }
  return log_det;
}
