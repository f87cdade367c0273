/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Max-min distance: each sensor as far as possible from all others, starting at the centre. */
#include "sensor/cells.h"

#include <glib/gi18n-lib.h>

static gboolean
choose(const LacPlacementProblem *problem,
       LacRng                    *rng,
       gsize                     *places,
       gsize                      n_sensors,
       GError                   **error)
{
  const gsize           n = problem->n_points;
  g_auto(LacCandidates) candidates = {0};
  g_autofree double    *apart = g_new(double, MAX(n, 1));
  LacCells              cells;
  LacCell               whole;

  (void) rng;
  if (!lac_candidates_init(&candidates, problem, places, n_sensors, error) || n_sensors == 0)
    return n_sensors == 0;
  lac_cells_init(&cells, &candidates);
  whole = cells.whole;
  if (!lac_candidates_take(&candidates, lac_cells_nearest(&candidates, &whole), error))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    apart[i] = lac_placement_distance2(problem, i, places[0]);
  while (candidates.n_taken < n_sensors) {
    const gsize best = lac_candidates_find_best(&candidates, apart);

    if (!lac_candidates_take(&candidates, best, error))
      return FALSE;
    for (gsize i = 0; i < n; i++)
      apart[i] = MIN(apart[i], lac_placement_distance2(problem, i, best));
  }
  return TRUE;
}

const LacPlacementMethod lac_placement_method_max_min = {
  .name = "max-min",
  .title = N_("Maximin distance"),
  .formula = "γ = argmax over i of the distance from i to the nearest sensor",
  .source = "Gonzalez (1985), doi:10.1016/0304-3975(85)90224-5",
  .ignores_modes = TRUE,
  .choose = choose,
};
