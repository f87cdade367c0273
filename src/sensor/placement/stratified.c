/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stratified sampling: one random sensor in each cell of a regular grid. */
#include "sensor/cells.h"

#include <glib/gi18n-lib.h>

static gboolean
choose(const LacPlacementProblem *problem,
       LacRng                    *rng,
       gsize                     *places,
       gsize                      n_sensors,
       GError                   **error)
{
  g_auto(LacCandidates) candidates = {0};
  g_autofree gsize     *inside = g_new(gsize, MAX(problem->n_points, 1));
  LacCells              cells;

  if (!lac_candidates_init(&candidates, problem, places, n_sensors, error))
    return FALSE;
  lac_cells_init(&cells, &candidates);
  for (gsize k = 0; k < n_sensors; k++) {
    const LacCell cell = lac_cells_get(&cells, k);
    const gsize   n = lac_cells_find_inside(&candidates, &cell, inside);
    const gsize   point =
      n > 0 ? inside[lac_rng_below(rng, n)] : lac_cells_nearest(&candidates, &cell);

    if (!lac_candidates_take(&candidates, point, error))
      return FALSE;
  }
  return TRUE;
}

const LacPlacementMethod lac_placement_method_stratified = {
  .name = "stratified",
  .title = N_("Stratified random"),
  .formula = "one point, uniform in each of K cells in rows of nearly equal length",
  .source = "Cochran (1977), Sampling Techniques, chapter 5",
  .ignores_modes = TRUE,
  .choose = choose,
};
