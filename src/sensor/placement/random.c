/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random positions: the baseline for all other methods. */
#include "sensor/candidates.h"

#include <glib/gi18n-lib.h>

static gboolean
choose(const LacPlacementProblem *problem,
       LacRng                    *rng,
       gsize                     *places,
       gsize                      n_sensors,
       GError                   **error)
{
  g_auto(LacCandidates) candidates = {0};
  g_autofree gsize     *order = NULL;
  gsize                 n = 0;

  if (!lac_candidates_init(&candidates, problem, places, n_sensors, error))
    return FALSE;
  order = g_new(gsize, MAX(candidates.n_open, 1));
  for (gsize i = 0; i < problem->n_points; i++)
    if (candidates.open[i])
      order[n++] = i;
  lac_rng_shuffle(rng, order, n);
  for (gsize i = 0; i < n && candidates.n_taken < n_sensors; i++)
    if (candidates.open[order[i]] && !lac_candidates_take(&candidates, order[i], error))
      return FALSE;
  return TRUE;
}

const LacPlacementMethod lac_placement_method_random = {
  .name = "random",
  .title = N_("Random"),
  .formula = "γ uniform among the allowed points, without repetition",
  .source = "baseline",
  .ignores_modes = TRUE,
  .choose = choose,
};
