/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The object nearest to many waves is their weighted mean where apertures see the spectrum; where none does, it is what it was, and what
 * is known beforehand fills it in. */
#include "experiment/imaging/methods/exit-waves.h"

#include <string.h>

typedef struct {
  LacExitWaves   *waves;
  LacExitWaveFunc func;
} Task;

static gsize
get_wave_length(const LacHypothesis *h)
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
  g_free(waves);
}

static void
start(gsize visit, guint worker, gpointer user_data)
{
  LacExitWaves  *waves = user_data;
  LacHypothesis *h = waves->h;
  LacBench      *bench = &h->benches[worker];

  lac_hypothesis_see(h, visit, h->spectrum, bench);
  lac_hypothesis_replace(h, visit, 1, bench);
  memcpy(lac_exit_waves_get(waves, visit), bench->fields,
         get_wave_length(h) * sizeof *bench->fields);
}

/* They begin as those of the hypothesis' object, with the measured amplitudes. */
static LacExitWaves *
new_waves(LacHypothesis *h, gboolean within_noise)
{
  LacExitWaves *waves = g_new0(LacExitWaves, 1);
  const gsize   length = get_wave_length(h);

  waves->h = h;
  waves->within_noise = within_noise;
  waves->waves = g_new(double complex, h->n_visits *length);
  waves->others = g_new0(double complex, h->n_benches *length);
  waves->weight = g_new0(double, h->n_band);
  waves->average = g_new0(double complex, h->n_band);
  waves->step = g_new0(double complex, h->s * h->s);
  lac_hypothesis_keep_patches(h);
  lac_optics_spectrum(h->optics, h->object, h->spectrum);
  lac_pool_run(h->problem.context->pool, h->n_visits, start, waves);
  return waves;
}

void
lac_exit_waves_measure(LacExitWaves *waves, gsize visit, LacBench *bench)
{
  LacHypothesis *h = waves->h;
  double         share = 1;

  lac_hypothesis_sum(h, bench);
  if (waves->within_noise) {
    const LacMisfit misfit = lac_hypothesis_measure(h, visit, bench);

    share = lac_misfit_get_share(&misfit);
  }
  lac_hypothesis_replace(h, visit, share, bench);
}

static void
prepare_visit(gsize visit, guint worker, gpointer user_data)
{
  const Task    *task = user_data;
  LacExitWaves  *waves = task->waves;
  LacHypothesis *h = waves->h;
  LacBench      *bench = &h->benches[worker];

  memcpy(bench->fields, lac_exit_waves_get(waves, visit),
         get_wave_length(h) * sizeof *bench->fields);
  task->func(waves, visit, bench, waves->others + worker * get_wave_length(h));
  lac_hypothesis_take_patches(h, visit, bench);
}

static void
move_visit(gsize visit, guint worker, gpointer user_data)
{
  const Task    *task = user_data;
  LacExitWaves  *waves = task->waves;
  LacHypothesis *h = waves->h;

  lac_hypothesis_see(h, visit, h->spectrum, &h->benches[worker]);
  task->func(waves, visit, &h->benches[worker], waves->others + worker * get_wave_length(h));
}

/* Pupils here are phases, so that every aperture weighs 1. */
static void
weigh(LacExitWaves *waves)
{
  LacHypothesis  *h = waves->h;
  double complex *ones = h->benches[0].patch;

  for (gsize i = 0; i < h->box * h->box; i++)
    ones[i] = 1;
  memset(waves->average, 0, h->n_band * sizeof *waves->average);
  for (gsize i = 0; i < h->n_visits * h->n_along; i++)
    if (!h->rests[i / h->n_along])
      lac_optics_add_patch(h->optics, i / h->n_along, i % h->n_along, ones, waves->average);
  for (gsize i = 0; i < h->n_band; i++)
    waves->weight[i] = creal(waves->average[i]);
}

static void
project_object(LacExitWaves *waves)
{
  LacHypothesis *h = waves->h;

  weigh(waves);
  lac_hypothesis_add_patches(h, waves->average);
  lac_optics_spectrum(h->optics, h->object, h->spectrum);
  for (gsize i = 0; i < h->n_band; i++)
    waves->average[i] =
      waves->weight[i] > 0 ? waves->average[i] / waves->weight[i] - h->spectrum[i] : 0;
  lac_optics_object(h->optics, waves->average, waves->step);
  for (gsize i = 0; i < h->s * h->s; i++)
    h->object[i] += waves->step[i];
  lac_hypothesis_constrain(h, h->object);
  lac_optics_spectrum(h->optics, h->object, h->spectrum);
}

void
lac_exit_waves_step(LacExitWaves *waves, LacExitWaveFunc prepare, LacExitWaveFunc move)
{
  LacHypothesis *h = waves->h;
  LacLane       *lane = h->problem.context->lane;
  LacPool       *pool = h->problem.context->pool;
  const double   flops = (double) h->n_visits * lac_hypothesis_get_flops(h, 1);
  Task           task = {waves, prepare};
  LacSpan        span = lac_span_begin(lane, h->names.forward);

  lac_pool_run(pool, h->n_visits, prepare_visit, &task);
  span.flops = flops;
  lac_span_end(lane, span, h->step + 1);
  span = lac_span_begin(lane, h->names.object);
  project_object(waves);
  lac_span_end(lane, span, h->step + 1);
  span = lac_span_begin(lane, h->names.backward);
  task.func = move;
  lac_pool_run(pool, h->n_visits, move_visit, &task);
  span.flops = flops;
  lac_span_end(lane, span, h->step + 1);
}

void
lac_wave_seeker_estimate(gconstpointer values, const LacRetrievalSize *size, LacEstimate *result)
{
  const LacWaveParams *params = values;
  const double         n_pixels = (double) (size->n_visits * size->detector * size->detector);

  lac_hypothesis_estimate(size, &(LacHypothesisWork){.detectors = 2, .wholes = 3}, result);
  result->memory_bytes += 32 * n_pixels;
  result->n_steps = params->iterations;
}

void
lac_wave_seeker_retune(gpointer data, gconstpointer values)
{
  LacWaveSeeker       *seeker = data;
  const LacWaveParams *params = values;

  seeker->params.relaxation = params->relaxation;
  seeker->waves->relaxation = params->relaxation;
}

gpointer
lac_wave_seeker_create(gconstpointer values, const LacRetrievalProblem *problem, GError **error)
{
  const LacWaveParams *params = values;
  LacWaveSeeker       *seeker = lac_seeker_new(sizeof *seeker, problem, error);

  if (!seeker)
    return NULL;
  seeker->params = *params;
  seeker->waves = new_waves(seeker->seeker.h, params->within_noise != 0);
  lac_wave_seeker_retune(seeker, params);
  return seeker;
}

gint64
lac_wave_seeker_n_steps(gconstpointer data)
{
  return ((const LacWaveSeeker *) data)->params.iterations;
}

void
lac_wave_seeker_destroy(gpointer seeker)
{
  free_waves(((LacWaveSeeker *) seeker)->waves);
  lac_seeker_free(seeker);
}

void
lac_wave_seeker_save(gpointer seeker, LacStore *store)
{
  const LacExitWaves *waves = ((LacWaveSeeker *) seeker)->waves;
  const gsize         n = waves->h->n_visits * get_wave_length(waves->h);

  lac_seeker_save(seeker, store);
  memcpy(lac_store_put(store, "waves", n, 2, 8), waves->waves, n * sizeof *waves->waves);
}

gboolean
lac_wave_seeker_load(gpointer seeker, const LacStore *store, GError **error)
{
  LacExitWaves         *waves = ((LacWaveSeeker *) seeker)->waves;
  const gsize           n = waves->h->n_visits * get_wave_length(waves->h);
  const double complex *values = lac_store_get(store, "waves", n, 2, 8, error);

  if (!values || !lac_seeker_load(seeker, store, error))
    return FALSE;
  memcpy(waves->waves, values, n * sizeof *values);
  return TRUE;
}
