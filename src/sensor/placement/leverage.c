/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Leverage scores: the points with the largest mode norms, independent of each other. */
#include "sensor/candidates.h"

#include <glib/gi18n-lib.h>

static gboolean
choose(const LacPlacementProblem *problem,
       LacRng                    *rng,
       gsize                     *places,
       gsize                      n_sensors,
       GError                   **error)
{
  const gsize           n = problem->n_points, n_rows = problem->n_components * n;
  g_auto(LacCandidates) candidates = {0};
  g_autofree double    *scores = g_new0(double, MAX(n, 1));

  (void) rng;
  if (!lac_candidates_init(&candidates, problem, places, n_sensors, error))
    return FALSE;
  for (gsize r = 0; r < problem->n_modes; r++)
    for (gsize j = 0; j < n_rows; j++)
      scores[j % n] += problem->modes[r * n_rows + j] * problem->modes[r * n_rows + j];
  for (gsize i = 0; problem->cost && i < n; i++)
    scores[i] -= problem->cost[i];
  while (candidates.n_taken < n_sensors)
    if (!lac_candidates_take(&candidates, lac_candidates_find_best(&candidates, scores), error))
      return FALSE;
  return TRUE;
}

static double
largest_gain(const LacPlacementProblem *problem)
{
  return lac_placement_largest_norm2(problem);
}

const LacPlacementMethod lac_placement_method_leverage = {
  .name = "leverage",
  .title = N_("Leverage scores"),
  .formula = "γ = the largest ‖Φ_i‖² − cost_i",
  .source = "Drineas, Mahoney, Muthukrishnan (2008), doi:10.1137/07070471X",
  .choose = choose,
  .largest_gain = largest_gain,
};
