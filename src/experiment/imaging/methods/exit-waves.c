/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Base of the projection methods. The object nearest to many waves is their weighted mean where apertures cover the
 * spectrum; elsewhere its spectrum is unchanged, and the prior constraints fill it in. */
#include "experiment/imaging/methods/exit-waves.h"

#include "experiment/imaging/methods/k-space.h"

void
lac_wave_method_find_cost(gconstpointer values, const LacImagingSize *size, LacEstimate *result)
{
  const LacWaveParams *params = values;
  const double         n_pixels = (double) (size->n_positions * size->detector * size->detector);

  lac_imaging_estimate_find_cost(size, &(LacImagingWork){.detectors = 2, .wholes = 3}, result);
  result->memory_bytes += 16 * n_pixels + 8 * (double) (size->grid * size->grid);
  result->n_steps = params->iterations;
}

void
lac_wave_method_retune(gpointer data, gconstpointer params)
{
  ((LacWaveMethod *) data)->params.relaxation = ((const LacWaveParams *) params)->relaxation;
}

gpointer
lac_wave_method_create(gconstpointer values, const LacImagingProblem *problem, GError **error)
{
  LacWaveMethod      *self = lac_estimate_method_new(sizeof *self, problem, error);
  LacImagingEstimate *h;

  if (!self)
    return NULL;
  self->params = *(const LacWaveParams *) values;
  h = self->method.h;
  lac_imaging_estimate_check_data(h);
  h->k_space = lac_k_space_new(h,
                               &(LacKSpaceSettings){.kind = LAC_K_SPACE_EXIT_WAVES,
                                                    .within_noise = self->params.within_noise != 0},
                               error);
  if (h->k_space)
    lac_k_space_start_waves(h->k_space);
  if (!h->k_space || !lac_k_space_is_sound(h->k_space, error))
    g_clear_pointer(&self, lac_estimate_method_free);
  return self;
}

gint64
lac_wave_method_n_steps(gconstpointer data)
{
  return ((const LacWaveMethod *) data)->params.iterations;
}

gboolean
lac_wave_method_step(LacWaveMethod        *self,
                     const LacWaveFactors *factors,
                     LacMethodReport      *report,
                     GError              **error)
{
  LacKSpace *k_space = self->method.h->k_space;

  lac_k_space_iterate_waves(k_space, factors);
  lac_estimate_method_finish_step(&self->method, self->params.iterations, report);
  return lac_k_space_is_sound(k_space, error);
}

void
lac_wave_method_visit(gpointer method, LacVisit *visit)
{
  lac_estimate_method_visit(method, visit);
  lac_k_space_visit_waves(((LacWaveMethod *) method)->method.h->k_space, visit);
}
