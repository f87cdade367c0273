/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pivoted QR of the transposed modes; sensors beyond the number of modes are greedy steps of the determinant. */
#include "sensor/candidates.h"
#include "sensor/pivot.h"

#include <glib/gi18n-lib.h>

#include <math.h>

static gboolean
choose(const LacPlacementProblem *problem,
       LacRng                    *rng,
       gsize                     *places,
       gsize                      n_sensors,
       GError                   **error)
{
  (void) rng;
  return lac_pivot_choose(problem, places, n_sensors, error);
}

static double
largest_gain(const LacPlacementProblem *problem)
{
  return sqrt(lac_placement_largest_norm2(problem));
}

const LacPlacementMethod lac_placement_method_qr = {
  .name = "qr",
  .title = N_("Pivoted QR"),
  .formula =
    "γ = argmax ‖c_j‖ − cost_j over the columns c of Φᵀ, each choice projected out of the rest",
  .source = "Manohar, Brunton, Kutz, Brunton (2018), doi:10.1109/MCS.2018.2810460",
  .choose = choose,
  .largest_gain = largest_gain,
};
