/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A-optimal: greedy steps of the mean squared error of the field, the trace of the coefficient covariance. */
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
         lac_greedy_choose(&candidates, problem->deviations, LAC_CRITERION_TRACE, error);
}

static double
largest_gain(const LacPlacementProblem *problem)
{
  return lac_information_largest_gain(problem, problem->deviations, LAC_CRITERION_TRACE);
}

const LacPlacementMethod lac_placement_method_a_optimal = {
  .name = "a-optimal",
  .title = N_("A-optimal (mean error), greedy"),
  .formula = "γ = argmax tr A⁻¹ − tr (A + Φ_iᵀΦ_i/η²)⁻¹ − cost_i, A = S⁻² + Σ Φ_iᵀΦ_i/η²",
  .source = "Nakai et al. (2021), doi:10.1109/ACCESS.2021.3067712",
  .choose = choose,
  .largest_gain = largest_gain,
};
