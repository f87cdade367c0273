/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Relaxed averaged alternating reflections: psi <- beta (psi + O(2 M psi - psi) - M psi) + (1 - beta) M psi, with M
 * the projection on the measured amplitudes and O on waves of a single object. Source: Luke (2005),
 * doi:10.1088/0266-5611/21/1/004 */
#include "experiment/imaging/methods/exit-waves.h"

#include <glib/gi18n-lib.h>

/* clang-format off */
static const LacParam rows[] = {
  {"raar_iterations", G_STRUCT_OFFSET(LacWaveParams, iterations), LAC_PARAM_INTEGER, "1", 1, 100000, 100, N_("Iterations"), N_("RAAR"), N_("Number of iterations, each over all exposures")},
  {"raar_relaxation", G_STRUCT_OFFSET(LacWaveParams, relaxation), LAC_PARAM_REAL, "1", 0.05, 0.99, 0.9, N_("Relaxation"), N_("RAAR"), N_("Near 1: wide search; near 0: close to the measured amplitudes"), LAC_PARAM_LIVE},
  {"raar_within_noise", G_STRUCT_OFFSET(LacWaveParams, within_noise), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Noise tolerance"), N_("RAAR"), N_("Leave amplitudes unchanged when they match the measured ones within the noise"), LAC_PARAM_ADVANCED},
};
/* clang-format on */

static gboolean
step(gpointer data, LacMethodReport *report, GError **error)
{
  LacWaveMethod *method = data;
  const double   beta = method->params.relaxation;

  return lac_wave_method_step(method,
                              &(LacWaveFactors){.measured = 2,
                                                .wave = -1,
                                                .of_wave = beta,
                                                .of_object = beta,
                                                .of_measured = 1 - 2 * beta,
                                                .from_wave = 1},
                              report, error);
}

const LacImagingMethod lac_imaging_method_raar = {
  .name = "raar",
  .title = N_("RAAR"),
  .source = "Luke (2005), doi:10.1088/0266-5611/21/1/004",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(LacWaveParams)},
  .estimate = lac_wave_method_find_cost,
  .curves = lac_estimate_method_curves,
  .create = lac_wave_method_create,
  .destroy = lac_estimate_method_free,
  .n_steps = lac_wave_method_n_steps,
  .step = step,
  LAC_ESTIMATE_METHOD_RESULTS,
  .visit = lac_wave_method_visit,
  .retune = lac_wave_method_retune,
};
