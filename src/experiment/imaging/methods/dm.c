/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The difference map: every exit wave moves by the difference of two projections, psi <- psi + M(2 O psi - psi) - O
 * psi, and is stationary where both agree. Source: Elser (2003), doi:10.1364/JOSAA.20.000040; Thibault et al. (2009),
 * doi:10.1016/j.ultramic.2008.12.011; measured amplitudes only to within the noise: Giewekemeyer et al. (2010),
 * doi:10.1073/pnas.0905846107 */
#include "experiment/imaging/methods/exit-waves.h"

#include <glib/gi18n-lib.h>

/* clang-format off */
static const LacParam rows[] = {
  {"dm_iterations", G_STRUCT_OFFSET(LacWaveParams, iterations), LAC_PARAM_INTEGER, "1", 1, 100000, 100, N_("Iterations"), N_("Difference map"), N_("Number of iterations, each over all exposures")},
  {"dm_within_noise", G_STRUCT_OFFSET(LacWaveParams, within_noise), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Noise tolerance"), N_("Difference map"), N_("Leave amplitudes unchanged when they match the measured ones within the noise"), LAC_PARAM_ADVANCED},
};
/* clang-format on */

static gboolean
step(gpointer data, LacMethodReport *report, GError **error)
{
  return lac_wave_method_step(data,
                              &(LacWaveFactors){.wave = 1,
                                                .of_wave = 1,
                                                .of_object = -1,
                                                .of_measured = 1,
                                                .from_object = 2,
                                                .from_wave = -1},
                              report, error);
}

const LacImagingMethod lac_imaging_method_dm = {
  .name = "dm",
  .title = N_("Difference map"),
  .source = "Thibault et al. (2009), doi:10.1016/j.ultramic.2008.12.011",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(LacWaveParams)},
  .estimate = lac_wave_method_find_cost,
  .curves = lac_estimate_method_curves,
  .create = lac_wave_method_create,
  .destroy = lac_estimate_method_free,
  .n_steps = lac_wave_method_n_steps,
  .step = step,
  LAC_ESTIMATE_METHOD_RESULTS,
  .visit = lac_wave_method_visit,
};
