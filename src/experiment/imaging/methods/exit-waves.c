/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Projections of exit waves. The object nearest to many waves is their weighted mean where apertures cover the
 * spectrum; elsewhere its spectrum is unchanged, and the prior constraints fill it in. */
#include "experiment/imaging/methods/exit-waves.h"

#include <string.h>

typedef struct {
  LacExitWaves   *waves;
  LacExitWaveFunc func;
} Task;

static gsize
get_wave_length(const LacImagingEstimate *h)
{
  return h->n_along * h->d * h->d;
}

static void
free_waves(LacExitWaves *waves)
{
  if (!waves)
    return;
  g_free(waves->waves);
  g_free(waves->others);
  g_free(waves->weight);
  g_free(waves->average);
  g_free(waves->step);
  lac_memory_unclaim(&waves->claim);
  g_free(waves);
}

static void
start(gsize position, guint worker, gpointer user_data)
{
  LacExitWaves       *waves = user_data;
  LacImagingEstimate *h = waves->h;
  LacImagingScratch  *bench = &h->benches[worker];

  lac_imaging_estimate_see(h, position, h->spectrum, bench);
  lac_imaging_estimate_replace(h, position, 1, bench);
  memcpy(lac_exit_waves_get(waves, position), bench->fields,
         get_wave_length(h) * sizeof *bench->fields);
}

/* Initialises the waves from the estimate's object, with the measured amplitudes. */
static LacExitWaves *
new_waves(LacImagingEstimate *h, gboolean within_noise)
{
  LacExitWaves *waves = g_new0(LacExitWaves, 1);
  const gsize   length = get_wave_length(h);

  waves->h = h;
  waves->within_noise = within_noise;
  waves->waves = g_new(double complex, h->n_positions *length);
  waves->others = g_new0(double complex, h->n_benches *length);
  waves->weight = g_new0(double, h->n_band);
  waves->average = g_new0(double complex, h->n_band);
  waves->step = g_new0(double complex, h->s * h->s);
  lac_memory_claim(&waves->claim, LAC_MEMORY_STATES,
                   sizeof(double complex) *
                     ((h->n_positions + h->n_benches) * length + h->n_band + h->s * h->s));
  lac_imaging_estimate_keep_patches(h);
  LacSpan span = lac_imaging_estimate_begin_phase(h, h->names.forward);
  lac_imaging_estimate_to_spectrum(h, h->object, h->spectrum);
  lac_pool_run(h->problem.context->pool, h->n_positions, start, waves);
  lac_imaging_estimate_end_phase(h, span, -1);
  return waves;
}

void
lac_exit_waves_measure(LacExitWaves *waves, gsize position, LacImagingScratch *bench)
{
  LacImagingEstimate *h = waves->h;
  double              share = 1;

  lac_imaging_estimate_sum(h, bench);
  if (waves->within_noise) {
    const LacMisfit misfit = lac_imaging_estimate_measure(h, position, bench);

    share = lac_misfit_get_share(&misfit);
  }
  lac_imaging_estimate_replace(h, position, share, bench);
}

static void
prepare_position(gsize position, guint worker, gpointer user_data)
{
  const Task         *task = user_data;
  LacExitWaves       *waves = task->waves;
  LacImagingEstimate *h = waves->h;
  LacImagingScratch  *bench = &h->benches[worker];

  memcpy(bench->fields, lac_exit_waves_get(waves, position),
         get_wave_length(h) * sizeof *bench->fields);
  task->func(waves, position, bench, waves->others + worker * get_wave_length(h));
  lac_imaging_estimate_take_patches(h, position, bench);
}

static void
move_position(gsize position, guint worker, gpointer user_data)
{
  const Task         *task = user_data;
  LacExitWaves       *waves = task->waves;
  LacImagingEstimate *h = waves->h;

  lac_imaging_estimate_see(h, position, h->spectrum, &h->benches[worker]);
  task->func(waves, position, &h->benches[worker], waves->others + worker * get_wave_length(h));
}

static void
weigh(LacExitWaves *waves)
{
  lac_imaging_estimate_count_apertures(waves->h, waves->average);
  for (gsize i = 0; i < waves->h->n_band; i++)
    waves->weight[i] = creal(waves->average[i]);
}

static void
project_object(LacExitWaves *waves)
{
  LacImagingEstimate *h = waves->h;

  weigh(waves);
  lac_imaging_estimate_add_patches(h, waves->average);
  lac_imaging_estimate_to_spectrum(h, h->object, h->spectrum);
  for (gsize i = 0; i < h->n_band; i++)
    waves->average[i] =
      waves->weight[i] > 0 ? waves->average[i] / waves->weight[i] - h->spectrum[i] : 0;
  lac_imaging_estimate_to_object(h, waves->average, waves->step);
  const guint64 begin = lac_call_sums_begin(h->sums);
  for (gsize i = 0; i < h->s * h->s; i++)
    h->object[i] += waves->step[i];
  lac_imaging_estimate_constrain(h, h->object);
  lac_call_sums_lap(h->sums, 0, LAC_IMAGING_UPDATE, begin);
  lac_imaging_estimate_to_spectrum(h, h->object, h->spectrum);
}

void
lac_exit_waves_step(LacExitWaves *waves, LacExitWaveFunc prepare, LacExitWaveFunc move)
{
  LacImagingEstimate *h = waves->h;
  LacPool            *pool = h->problem.context->pool;
  Task                task = {waves, prepare};
  LacSpan             span = lac_imaging_estimate_begin_phase(h, h->names.forward);

  lac_pool_run(pool, h->n_positions, prepare_position, &task);
  lac_imaging_estimate_end_phase(h, span, h->step + 1);
  span = lac_imaging_estimate_begin_phase(h, h->names.object);
  project_object(waves);
  lac_imaging_estimate_end_phase(h, span, h->step + 1);
  span = lac_imaging_estimate_begin_phase(h, h->names.backward);
  task.func = move;
  lac_pool_run(pool, h->n_positions, move_position, &task);
  lac_imaging_estimate_end_phase(h, span, h->step + 1);
}

void
lac_wave_method_find_cost(gconstpointer values, const LacImagingSize *size, LacEstimate *result)
{
  const LacWaveParams *params = values;
  const double         n_pixels = (double) (size->n_positions * size->detector * size->detector);

  lac_imaging_estimate_find_cost(size, &(LacImagingWork){.detectors = 2, .wholes = 3}, result);
  result->memory_bytes += 32 * n_pixels;
  result->n_steps = params->iterations;
}

void
lac_wave_method_retune(gpointer data, gconstpointer values)
{
  LacWaveMethod       *method = data;
  const LacWaveParams *params = values;

  method->params.relaxation = params->relaxation;
  method->waves->relaxation = params->relaxation;
}

gpointer
lac_wave_method_create(gconstpointer values, const LacImagingProblem *problem, GError **error)
{
  const LacWaveParams *params = values;
  LacWaveMethod       *method = lac_estimate_method_new(sizeof *method, problem, error);

  if (!method)
    return NULL;
  method->params = *params;
  lac_imaging_estimate_check_data(method->method.h);
  method->waves = new_waves(method->method.h, params->within_noise != 0);
  lac_wave_method_retune(method, params);
  return method;
}

gint64
lac_wave_method_n_steps(gconstpointer data)
{
  return ((const LacWaveMethod *) data)->params.iterations;
}

void
lac_wave_method_destroy(gpointer method)
{
  free_waves(((LacWaveMethod *) method)->waves);
  lac_estimate_method_free(method);
}

void
lac_wave_method_visit(gpointer method, LacVisit *visit)
{
  LacExitWaves *waves = ((LacWaveMethod *) method)->waves;

  lac_estimate_method_visit(method, visit);
  lac_visit_values(visit, "waves", waves->waves, waves->h->n_positions * get_wave_length(waves->h),
                   2, 8);
}
