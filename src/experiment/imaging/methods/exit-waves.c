/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Base of the projection methods. The object nearest to many waves is their weighted mean where apertures cover the
 * spectrum; elsewhere its spectrum is unchanged, and the prior constraints fill it in. */
#include "experiment/imaging/methods/exit-waves.h"

#include "experiment/imaging/methods/k-space-private.h"

#include <string.h>

static void
enqueue_collect(LacKSpace *k)
{
  lac_k_space_note(k, k->device.table->waves->collect(k->device.self, &k->waves));
}

static void
enqueue_average(LacKSpace *k)
{
  lac_k_space_note(k, k->device.table->waves->average(k->device.self, &k->waves));
}

static void
enqueue_relax(LacKSpace *k)
{
  lac_k_space_note(k, k->device.table->waves->relax(k->device.self, &k->waves));
}

static void
start_waves(LacKSpace *k)
{
  const LacWaveSweep waves = k->waves;
  const LacSpan      span = lac_imaging_estimate_begin_phase(k->h, k->h->names.forward);

  lac_k_space_refresh(k);
  lac_k_space_begin_pass(k);
  lac_k_space_order_slots(k);
  const guint64 begin = lac_call_sums_begin(k->h->sums);
  k->waves.within_noise = FALSE;
  k->waves.factors = (LacWaveFactors){.of_measured = 1, .from_object = 1};
  enqueue_relax(k);
  k->waves = waves;
  if (k->memory.is_plain)
    lac_call_sums_lap(k->h->sums, 0, LAC_IMAGING_PROJECT, begin);
  lac_imaging_estimate_end_phase(k->h, span, -1);
}

/* A recording keeps the factors it was made with. */
static void
set_factors(LacKSpace *k, const LacWaveFactors *factors)
{
  if (memcmp(&k->waves.factors, factors, sizeof *factors) == 0)
    return;
  k->waves.factors = *factors;
  for (guint part = LAC_K_SPACE_COLLECT; part <= LAC_K_SPACE_RELAX; part++)
    lac_recorded_step_forget(k->runs[part].step);
}

/* Runs a part as a phase of the performance records. */
static void
run_phase(LacKSpace *k, LacKSpacePart part, LacKSpaceEnqueuing enqueue, guint32 name, double flops)
{
  LacSpan span = lac_imaging_estimate_begin_phase(k->h, name);

  lac_k_space_run(k, part, enqueue);
  span.flops += flops;
  lac_imaging_estimate_end_phase(k->h, span, k->h->step + 1);
}

static void
iterate(LacKSpace *k, const LacWaveFactors *factors)
{
  const LacImagingEstimate *h = k->h;
  const LacBandTransform   *transform = k->waves.object.transform;
  const gsize               width = lac_band_transform_get_band(transform).width;
  const double              flops = (double) h->n_positions * lac_imaging_estimate_get_flops(h, 1);

  set_factors(k, factors);
  lac_k_space_refresh(k);
  lac_k_space_begin_pass(k);
  lac_k_space_order_slots(k);
  run_phase(k, LAC_K_SPACE_COLLECT, enqueue_collect, h->names.forward, flops);
  run_phase(k, LAC_K_SPACE_AVERAGE, enqueue_average, h->names.object,
            2 * lac_band_transform_get_flops(transform, width));
  run_phase(k, LAC_K_SPACE_RELAX, enqueue_relax, h->names.backward, flops);
  lac_k_space_end_pass(k);
}

static void
visit_waves(LacKSpace *k, LacVisit *visit)
{
  const gsize n = lac_k_space_count_waves(k), n_bytes = n * 2 * lac_type_size(k->waves.type);
  g_autofree double complex *numbers = g_new0(double complex, n);
  g_autofree float          *single = k->waves.type == LAC_F32 ? g_new0(float, 2 * n) : NULL;
  double                    *parts = (double *) numbers;
  gpointer                   pairs = single ? (gpointer) single : numbers;

  if (visit->to)
    lac_exposure_memory_download(&k->memory, pairs, k->waves.waves, n_bytes);
  for (gsize i = 0; visit->to && single && i < 2 * n; i++)
    parts[i] = (double) single[i];
  lac_visit_values(visit, "waves", numbers, n, 2, 8);
  if (!lac_visit_restores(visit))
    return;
  for (gsize i = 0; single && i < 2 * n; i++)
    single[i] = (float) parts[i];
  lac_exposure_memory_upload(&k->memory, k->waves.waves, pairs, n_bytes);
}

/* ---- the base of the methods ---- */

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
    start_waves(h->k_space);
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

  iterate(k_space, factors);
  lac_estimate_method_finish_step(&self->method, self->params.iterations, report);
  return lac_k_space_is_sound(k_space, error);
}

void
lac_wave_method_visit(gpointer method, LacVisit *visit)
{
  lac_estimate_method_visit(method, visit);
  visit_waves(((LacWaveMethod *) method)->method.h->k_space, visit);
}
