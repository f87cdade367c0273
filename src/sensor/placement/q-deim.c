/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Q-DEIM: the interpolation points of as many leading modes as there are sensors. */
#include "sensor/pivot.h"

#include <glib/gi18n-lib.h>

static gboolean
choose(const LacPlacementProblem *problem,
       LacRng                    *rng,
       gsize                     *places,
       gsize                      n_sensors,
       GError                   **error)
{
  LacPlacementProblem leading = *problem;

  (void) rng;
  leading.n_modes = MIN(problem->n_modes, n_sensors * problem->n_components);
  return lac_pivot_choose(&leading, places, n_sensors, error);
}

const LacPlacementMethod lac_placement_method_q_deim = {
  .name = "q-deim",
  .title = N_("Interpolation points (Q-DEIM)"),
  .formula = "pivots of Φ_mᵀ with m = K × components, at most all modes",
  .source = "Drmač and Gugercin (2016), doi:10.1137/15M1019271",
  .choose = choose,
};
