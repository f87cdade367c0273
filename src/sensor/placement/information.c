/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bayesian D-optimal: greedy steps of the information gain, the decrease of the coefficients' entropy from a known
 * prior. */
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
         lac_greedy_choose(&candidates, problem->deviations, LAC_CRITERION_LOG_DET, error);
}

const LacPlacementMethod lac_placement_method_information = {
  .name = "information",
  .title = N_("Information gain, greedy"),
  .formula = "γ = argmax log det(1 + Φ_i A⁻¹ Φ_iᵀ/η²) − cost_i, A = S⁻² + Σ Φ_iᵀΦ_i/η²",
  .source = "Krause, Singh, Guestrin (2008), J. Mach. Learn. Res. 9, 235",
  .choose = choose,
};
