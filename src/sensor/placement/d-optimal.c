/* SPDX-License-Identifier: GPL-3.0-or-later */
/* D-optimal: greedy steps of the determinant, without a prior of the coefficients. */
#include "sensor/information.h"

#include <glib/gi18n-lib.h>

static gboolean
choose(const LacPlacementProblem *problem,
       LacRng                    *rng,
       gsize                     *places,
       gsize                      n_sensors,
       GError                   **error)
{
  g_auto(LacCandidates) candidates = {0};

  (void) rng;
  return lac_candidates_init(&candidates, problem, places, n_sensors, error) &&
         lac_greedy_choose(&candidates, NULL, LAC_CRITERION_LOG_DET, error);
}

static double
largest_gain(const LacPlacementProblem *problem)
{
  return lac_information_largest_gain(problem, NULL, LAC_CRITERION_LOG_DET);
}

const LacPlacementMethod lac_placement_method_d_optimal = {
  .name = "d-optimal",
  .title = N_("D-optimal (determinant), greedy"),
  .formula = "γ = argmax log det(1 + Φ_i A⁻¹ Φ_iᵀ) − cost_i, A = ε + Σ Φ_iᵀΦ_i",
  .source = "Saito et al. (2021), doi:10.1109/ACCESS.2021.3067712",
  .choose = choose,
  .largest_gain = largest_gain,
};
