/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Relaxed averaged alternating reflections: psi <- beta (psi + O(2 M psi - psi) - M psi) + (1 - beta) M psi, with M
 * the projection on the measured amplitudes and O on waves of a single object. Source: Luke (2005),
 * doi:10.1088/0266-5611/21/1/004 */
#include "experiment/imaging/methods/exit-waves.h"

#include <glib/gi18n-lib.h>

#include <string.h>

/* clang-format off */
static const LacParam rows[] = {
  {"raar_iterations", G_STRUCT_OFFSET(LacWaveParams, iterations), LAC_PARAM_INTEGER, "1", 1, 100000, 100, N_("Iterations"), N_("RAAR"), N_("Number of iterations, each over all exposures")},
  {"raar_relaxation", G_STRUCT_OFFSET(LacWaveParams, relaxation), LAC_PARAM_REAL, "1", 0.05, 0.99, 0.9, N_("Relaxation"), N_("RAAR"), N_("Near 1: wide search; near 0: close to the measured amplitudes"), LAC_PARAM_LIVE},
  {"raar_within_noise", G_STRUCT_OFFSET(LacWaveParams, within_noise), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Noise tolerance"), N_("RAAR"), N_("Leave amplitudes unchanged when they match the measured ones within the noise"), LAC_PARAM_ADVANCED},
};
/* clang-format on */

/* Prepares 2 M psi - psi for O. */
static void
prepare(LacExitWaves         *waves,
        gsize                 position,
        LacImagingScratch    *bench,
        double complex *other G_GNUC_UNUSED)
{
  const gsize           n = waves->h->n_along * waves->h->d * waves->h->d;
  const double complex *psi = lac_exit_waves_get(waves, position);

  lac_exit_waves_measure(waves, position, bench);
  for (gsize i = 0; i < n; i++)
    bench->fields[i] = 2 * bench->fields[i] - psi[i];
}

static void
move(LacExitWaves *waves, gsize position, LacImagingScratch *bench, double complex *other)
{
  const gsize     n = waves->h->n_along * waves->h->d * waves->h->d;
  const double    beta = waves->relaxation;
  double complex *psi = lac_exit_waves_get(waves, position);

  memcpy(other, bench->fields, n * sizeof *other);
  memcpy(bench->fields, psi, n * sizeof *psi);
  lac_exit_waves_measure(waves, position, bench);
  for (gsize i = 0; i < n; i++)
    psi[i] = beta * (psi[i] + other[i]) + (1 - 2 * beta) * bench->fields[i];
}

static gboolean
step(gpointer data, LacMethodReport *report, GError **error G_GNUC_UNUSED)
{
  LacWaveMethod *method = data;

  lac_exit_waves_step(method->waves, prepare, move);
  lac_estimate_method_finish_step(&method->method, method->params.iterations, report);
  return TRUE;
}

const LacImagingMethod lac_imaging_method_raar = {
  .name = "raar",
  .title = N_("RAAR"),
  .source = "Luke (2005), doi:10.1088/0266-5611/21/1/004",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(LacWaveParams)},
  .estimate = lac_wave_method_find_cost,
  .curves = lac_estimate_method_curves,
  .create = lac_wave_method_create,
  .destroy = lac_wave_method_destroy,
  .n_steps = lac_wave_method_n_steps,
  .step = step,
  .object = lac_estimate_method_object,
  .residual = lac_estimate_method_residual,
  .predict = lac_estimate_method_predict,
  .aberrations = lac_estimate_method_aberrations,
  .positions = lac_estimate_method_positions,
  .leaves_out = lac_estimate_method_leaves_out,
  .visit = lac_wave_method_visit,
  .retune = lac_wave_method_retune,
};
