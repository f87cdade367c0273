/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A grid as regular as the number of sensors allows, moved to the nearest allowed points. */
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
  LacCells              cells;

  (void) rng;
  if (!lac_candidates_init(&candidates, problem, places, n_sensors, error))
    return FALSE;
  lac_cells_init(&cells, &candidates);
  for (gsize k = 0; k < n_sensors; k++) {
    const LacCell cell = lac_cells_get(&cells, k);

    if (!lac_candidates_take(&candidates, lac_cells_nearest(&candidates, &cell), error))
      return FALSE;
  }
  return TRUE;
}

const LacPlacementMethod lac_placement_method_uniform = {
  .name = "uniform",
  .title = N_("Regular grid"),
  .formula = "centres of K cells in rows of nearly equal length",
  .source = "baseline",
  .ignores_modes = TRUE,
  .choose = choose,
};
