/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimate of object, pupil and positions: its parts, transforms, prior knowledge. Scan positions (estimate-positions.c)
 * are independent: each is one pool item, and sums over them are formed in order. */
#include "experiment/imaging/methods/estimate.h"

#include "base/rng.h"
#include "experiment/imaging/methods/calibration.h"
#include "experiment/imaging/methods/k-space.h"
#include "experiment/imaging/methods/position-search.h"
#include "experiment/imaging/optics/exposures.h"
#include "experiment/imaging/optics/zernike.h"

#include <math.h>
#include <string.h>

void
lac_imaging_estimate_free(LacImagingEstimate *h)
{
  if (!h)
    return;
  lac_k_space_free(h->k_space);
  lac_position_search_free(h->search);
  lac_optics_free(h->optics);
  lac_noise_level_free(h->noise);
  lac_call_sums_free(h->sums);
  g_free(h->object);
  g_free(h->previous);
  g_free(h->spectrum);
  g_free(h->amplitudes);
  g_free(h->misfits);
  g_free(h->excesses);
  g_free(h->sorted);
  g_free(h->rests);
  g_free(h->n_rested);
  g_free(h->contradictions);
  g_free(h->suspects);
  g_free(h->are_empty);
  g_free(h->first_misfits);
  g_free(h->best);
  g_free(h->terms);
  g_free(h->pupil);
  g_free(h->coefficients);
  g_free(h->pupil_derivatives);
  g_free(h->normals);
  g_free(h->fields);
  lac_memory_unclaim(&h->claim);
  g_free(h);
}

static gboolean
make_optics(LacImagingEstimate *h, GError **error)
{
  const LacExposures *exposures = h->problem.exposures;
  LacOpticsSettings   settings = lac_exposures_get_optics(exposures);
  LacBand             band;

  settings.unit = LAC_DETECTOR_AMPLITUDE;
  settings.margin = (gsize) ceil(h->problem.common->position_error);
  h->optics = lac_optics_new(&settings, h->problem.context->pool, error);
  if (!h->optics)
    return FALSE;
  band = lac_optics_get_band(h->optics);
  h->s = exposures->support;
  h->d = exposures->d;
  h->n_positions = exposures->n_positions;
  h->n_along = lac_optics_get_n_along(h->optics);
  h->box = lac_optics_get_box(h->optics);
  h->n_band = band.height * band.width;
  return TRUE;
}

#define NO_VALUE    (LAC_IMAGING_HELD_OUT / 2)
#define STREAM_HELD ((guint64) 0x68656c64u << 32) /* random stream */

void
lac_imaging_estimate_check_data(LacImagingEstimate *h)
{
  const LacImagingCommon *common = h->problem.common;
  LacRng                  rng = lac_rng(h->problem.context->seed, STREAM_HELD);

  h->checks_data = TRUE;
  if (!h->is_noisy || !common->stop_at_noise || !(common->hold_out > 0))
    return;
  for (gsize i = 0; i < h->n_positions * h->d * h->d; i++)
    if (h->amplitudes[i] >= 0 && lac_rng_uniform(&rng) < common->hold_out / 100) {
      h->amplitudes[i] = LAC_IMAGING_HELD_OUT - h->amplitudes[i];
      h->n_held_out++;
    }
  if (h->n_held_out == 0)
    return;
  h->best = g_new0(double complex, h->s * h->s);
  h->best_held_out = INFINITY;
}

#define DARK 1e-12 /* of the largest amplitude */

static void
take_amplitudes(LacImagingEstimate *h)
{
  const LacExposures *exposures = h->problem.exposures;
  const gsize         n = h->n_positions * h->d * h->d;

  h->amplitudes = g_new(double, n);
  for (gsize i = 0; i < n; i++) {
    const double value = exposures->images[i];

    if ((exposures->valid && !exposures->valid[i]) || !isfinite(value))
      h->amplitudes[i] = NO_VALUE;
    else if (exposures->unit == LAC_DETECTOR_INTENSITY)
      h->amplitudes[i] = sqrt(fmax(0, value));
    else
      h->amplitudes[i] = fmax(0, value);
    h->dark = fmax(h->dark, DARK * h->amplitudes[i]);
  }
}

/* An instrument that records no light at all is broken: even far from the middle a detector sees noise. */
static void
find_empty(LacImagingEstimate *h)
{
  const gsize n_pixels = h->d * h->d;

  for (gsize v = 0; v < h->n_positions && h->problem.common->leave_out_exposures; v++) {
    gboolean is_empty = TRUE;

    for (gsize i = 0; i < n_pixels; i++)
      is_empty = is_empty && !(h->amplitudes[v * n_pixels + i] > 0);
    h->are_empty[v] = h->rests[v] = is_empty;
  }
}

/* Returns the initial brightness without bounds: the mean amplitude on the support of the brightest scan position,
 * which holds nearly all the light. */
static double
guess_brightness(const LacImagingEstimate *h)
{
  const gsize n_pixels = h->d * h->d;
  double      brightest = 0;

  if (h->problem.bounded)
    return h->problem.high;
  for (gsize v = 0; v < h->n_positions; v++) {
    double energy = 0;

    for (gsize i = 0; i < n_pixels; i++)
      energy += fmax(0, h->amplitudes[v * n_pixels + i]) * fmax(0, h->amplitudes[v * n_pixels + i]);
    brightest = fmax(brightest, energy);
  }
  return sqrt(brightest) / (double) h->s;
}

static void
begin(LacImagingEstimate *h)
{
  const double brightness = guess_brightness(h);

  for (gsize i = 0; i < h->s * h->s; i++)
    h->object[i] = brightness;
  lac_imaging_estimate_constrain(h, h->object);
  memcpy(h->previous, h->object, h->s * h->s * sizeof *h->object);
}

static void
make_pupil(LacImagingEstimate *h)
{
  const gsize n = (gsize) h->problem.common->aberrations;

  if (n == 0)
    return;
  h->coefficients = g_new0(double, n);
  h->normals = g_new0(double, h->n_positions *n *(n + 1));
  h->pupil_derivatives = g_new0(double complex, n * h->box * h->box);
  h->terms = g_new(double, n * h->box * h->box);
  h->pupil = g_new(double complex, h->box * h->box);
  lac_zernike_sample(LAC_ZERNIKE_DEFOCUS, n, h->box, h->problem.exposures->aperture.radius,
                     h->terms);
  lac_calibration_set_pupil(h);
}

static const char *const operations[LAC_IMAGING_N_OPERATIONS] = {
  [LAC_IMAGING_TRANSFORM] = "object transform",
  [LAC_IMAGING_PROJECT] = "amplitude projection",
  [LAC_IMAGING_UPDATE] = "object update",
  [LAC_IMAGING_PROBE] = "pupil update",
};

/* The pupil counts its multiplications and additions; the object's transforms have no cost here, as it
 * depends on which lines of the band they compute. */
static void
make_sums(LacImagingEstimate *h)
{
  const double box = (double) (h->box * h->box);

  h->sums = lac_call_sums_new(h->problem.context->perf, operations, LAC_IMAGING_N_OPERATIONS, 1);
  lac_call_sums_set_cost(h->sums, LAC_IMAGING_PROBE, 20 * box, 0);
}

static void
name_spans(LacImagingEstimate *h)
{
  LacPerf *perf = h->problem.context->perf;

  if (!perf)
    return;
  h->names = (LacImagingEstimateNames){
    .sweep = lac_perf_name(perf, "sweep over the exposures"),
    .compare = lac_perf_name(perf, "compare with the exposures"),
    .calibrate = lac_perf_name(perf, "calibrate pupil and positions"),
    .aberrations = lac_perf_name(perf, "aberrations from the exposures"),
    .positions = lac_perf_name(perf, "position search"),
    .forward = lac_perf_name(perf, "amplitudes replaced"),
    .object = lac_perf_name(perf, "object from the exposures"),
    .backward = lac_perf_name(perf, "exit waves moved"),
    .likelihood = lac_perf_name(perf, "likelihood and its gradient"),
  };
}

double
lac_imaging_estimate_get_flops(const LacImagingEstimate *h, guint n_transforms)
{
  const double n = (double) (h->d * h->d);

  return (double) h->n_along * n * (n_transforms * 5 * log2(n) + 10);
}

LacImagingEstimate *
lac_imaging_estimate_new(const LacImagingProblem *problem, GError **error)
{
  g_autoptr(LacImagingEstimate) h = g_new0(LacImagingEstimate, 1);

  h->problem = *problem;
  if (!make_optics(h, error))
    return NULL;
  h->noise = lac_noise_level_new(&problem->exposures->noise);
  h->is_noisy = problem->exposures->sigma || lac_noise_level_expect(h->noise, 1) > 0;
  take_amplitudes(h);
  h->object = g_new(double complex, h->s * h->s);
  h->previous = g_new(double complex, h->s * h->s);
  h->spectrum = g_new0(double complex, h->n_band);
  h->misfits = g_new0(LacMisfit, h->n_positions);
  h->excesses = g_new0(double, h->n_positions);
  h->sorted = g_new0(double, h->n_positions);
  h->rests = g_new0(guint8, h->n_positions);
  h->n_rested = g_new0(gint64, h->n_positions);
  h->contradictions = g_new0(double, h->n_positions);
  h->suspects = g_new0(guint8, h->n_positions);
  h->are_empty = g_new0(guint8, h->n_positions);
  find_empty(h);
  if (problem->common->position_error > 0)
    h->search = lac_position_search_new(h);
  h->fields = g_new0(double complex, h->n_along * h->d * h->d);
  lac_memory_claim(&h->claim, LAC_MEMORY_STATES, 2 * h->s * h->s * sizeof(double complex));
  lac_memory_claim(&h->claim, LAC_MEMORY_TRANSFORMS,
                   sizeof(double complex) * (h->n_band + h->n_along * h->d * h->d));
  make_sums(h);
  name_spans(h);
  make_pupil(h);
  begin(h);
  return g_steal_pointer(&h);
}

void
lac_imaging_estimate_free_pupil(LacImagingEstimate *h)
{
  h->free_pupil = TRUE;
  g_free(h->pupil);
  h->pupil = g_new(double complex, h->box * h->box);
  for (gsize i = 0; i < h->box * h->box; i++)
    h->pupil[i] = 1;
}

/* ---- performance records ---- */

LacSpan
lac_imaging_estimate_begin_phase(LacImagingEstimate *h, guint32 name)
{
  return lac_span_begin(h->problem.context->lane, name);
}

void
lac_imaging_estimate_end_phase(LacImagingEstimate *h, LacSpan span, gint64 step)
{
  const LacBackend *table = h->problem.context->device.table;

  if (table && table->record_begin) /* they are those of the device's operations */
    span.flops = span.bytes = 0;
  lac_call_sums_emit(h->sums, h->problem.context->lane, span.start_ns, step);
  lac_span_end(h->problem.context->lane, span, step);
}

void
lac_imaging_estimate_find_spectrum(LacImagingEstimate *h)
{
  const guint64 begin = lac_call_sums_begin(h->sums);

  if (h->has_spectrum)
    return;
  lac_optics_spectrum(h->optics, h->object, h->spectrum);
  lac_call_sums_lap(h->sums, 0, LAC_IMAGING_TRANSFORM, begin);
  h->has_spectrum = TRUE;
}

/* ---- prior knowledge ---- */

gboolean
lac_imaging_estimate_is_unconstrained(const LacImagingEstimate *h)
{
  const LacImagingProblem *problem = &h->problem;

  return !problem->is_real && !problem->bounded && !problem->mask &&
         h->s == problem->exposures->grid;
}

LacWavePrior
lac_imaging_estimate_get_prior(const LacImagingEstimate *h)
{
  const LacImagingProblem *problem = &h->problem;

  return (LacWavePrior){problem->is_real, problem->bounded, problem->low, problem->high};
}

void
lac_imaging_estimate_constrain(const LacImagingEstimate *h, double complex *object)
{
  const LacWavePrior prior = lac_imaging_estimate_get_prior(h);
  const double      *mask = h->problem.mask;

  for (gsize i = 0; i < h->s * h->s; i++) {
    double re = creal(object[i]), im = cimag(object[i]);

    lac_wave_prior_project(&prior, &re, &im);
    object[i] = mask && mask[i] == 0 ? 0 : CMPLX(re, im);
  }
}
