/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimate of object, pupil and positions. Scan positions are independent here: each is one pool item, and sums over
 * them are formed in order. */
#include "experiment/imaging/methods/estimate.h"

#include "base/error.h"
#include "experiment/imaging/methods/calibration.h"
#include "experiment/imaging/methods/position-search.h"
#include "experiment/imaging/optics/exposures.h"
#include "experiment/imaging/optics/zernike.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

void
lac_imaging_estimate_free(LacImagingEstimate *h)
{
  if (!h)
    return;
  lac_optics_free(h->optics);
  lac_noise_level_free(h->noise);
  lac_call_sums_free(h->sums);
  g_free(h->object);
  g_free(h->previous);
  g_free(h->spectrum);
  g_free(h->amplitudes);
  g_free(h->misfits);
  g_free(h->excesses);
  g_free(h->rests);
  g_free(h->terms);
  g_free(h->pupil);
  g_free(h->patches);
  g_free(h->coefficients);
  g_free(h->normals);
  for (guint i = 0; i < h->n_benches; i++) {
    g_free(h->benches[i].fields);
    g_free(h->benches[i].amplitude);
    g_free(h->benches[i].patch);
    g_free(h->benches[i].field);
    g_free(h->benches[i].slopes);
  }
  g_free(h->benches);
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

static void
take_amplitudes(LacImagingEstimate *h)
{
  const LacExposures *exposures = h->problem.exposures;
  const gsize         n = h->n_positions * h->d * h->d;

  h->amplitudes = g_new(double, n);
  for (gsize i = 0; i < n; i++) {
    const double value = exposures->images[i];

    if ((exposures->valid && !exposures->valid[i]) || !isfinite(value))
      h->amplitudes[i] = -1;
    else if (exposures->unit == LAC_DETECTOR_INTENSITY)
      h->amplitudes[i] = sqrt(fmax(0, value));
    else
      h->amplitudes[i] = fmax(0, value);
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
  for (guint i = 0; i < h->n_benches; i++) {
    h->benches[i].field = g_new0(double complex, h->d * h->d);
    h->benches[i].slopes = g_new0(double, n * h->d * h->d);
  }
  h->terms = g_new(double, n * h->box * h->box);
  h->pupil = g_new(double complex, h->box * h->box);
  lac_zernike_sample(LAC_ZERNIKE_DEFOCUS, n, h->box, h->problem.exposures->aperture.radius,
                     h->terms);
  lac_calibration_set_pupil(h);
}

static const char *const operations[LAC_IMAGING_N_OPERATIONS] = {
  [LAC_IMAGING_TRANSFORM] = "object transform",
  [LAC_IMAGING_PROPAGATE] = "propagation to the detector",
  [LAC_IMAGING_PROJECT] = "amplitude projection",
  [LAC_IMAGING_RETURN] = "propagation back",
  [LAC_IMAGING_UPDATE] = "object update",
  [LAC_IMAGING_PROBE] = "pupil update",
};

/* Passes over the pixels count their multiplications and additions; the object's transforms have no cost here, as it
 * depends on which lines of the band they compute. */
static void
make_sums(LacImagingEstimate *h)
{
  const double n = (double) (h->n_along * h->d * h->d), box = (double) (h->box * h->box);
  const double propagation = lac_imaging_estimate_get_flops(h, 1);

  h->sums =
    lac_call_sums_new(h->problem.context->perf, operations, LAC_IMAGING_N_OPERATIONS, h->n_benches);
  lac_call_sums_set_cost(h->sums, LAC_IMAGING_PROPAGATE, propagation, 0);
  lac_call_sums_set_cost(h->sums, LAC_IMAGING_RETURN, propagation, 0);
  lac_call_sums_set_cost(h->sums, LAC_IMAGING_PROJECT, 5 * n, 0);
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
  take_amplitudes(h);
  h->object = g_new(double complex, h->s * h->s);
  h->previous = g_new(double complex, h->s * h->s);
  h->spectrum = g_new0(double complex, h->n_band);
  h->misfits = g_new0(LacMisfit, h->n_positions);
  h->excesses = g_new0(double, h->n_positions);
  h->rests = g_new0(guint8, h->n_positions);
  h->n_benches = lac_pool_get_n_threads(problem->context->pool);
  h->benches = g_new0(LacImagingScratch, h->n_benches);
  for (guint i = 0; i < h->n_benches; i++) {
    h->benches[i].fields = g_new0(double complex, h->n_along * h->d * h->d);
    h->benches[i].amplitude = g_new0(double, h->d * h->d);
    h->benches[i].patch = g_new0(double complex, h->box * h->box);
  }
  lac_memory_claim(&h->claim, LAC_MEMORY_STATES, 2 * h->s * h->s * sizeof(double complex));
  lac_memory_claim(&h->claim, LAC_MEMORY_TRANSFORMS,
                   sizeof(double complex) *
                     (h->n_band + h->n_benches * (h->n_along * h->d * h->d + h->box * h->box)));
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
  lac_call_sums_emit(h->sums, h->problem.context->lane, span.start_ns, step);
  lac_span_end(h->problem.context->lane, span, step);
}

void
lac_imaging_estimate_to_spectrum(LacImagingEstimate   *h,
                                 const double complex *object,
                                 double complex       *spectrum)
{
  const guint64 begin = lac_call_sums_begin(h->sums);

  lac_optics_spectrum(h->optics, object, spectrum);
  lac_call_sums_lap(h->sums, 0, LAC_IMAGING_TRANSFORM, begin);
}

void
lac_imaging_estimate_to_object(LacImagingEstimate   *h,
                               const double complex *spectrum,
                               double complex       *object)
{
  const guint64 begin = lac_call_sums_begin(h->sums);

  lac_optics_object(h->optics, spectrum, object);
  lac_call_sums_lap(h->sums, 0, LAC_IMAGING_TRANSFORM, begin);
}

static guint
worker_of(const LacImagingEstimate *h, const LacImagingScratch *bench)
{
  return (guint) (bench - h->benches);
}

/* ---- prior knowledge ---- */

static double complex
bound(const LacImagingProblem *problem, double complex o)
{
  const double size = problem->is_real ? 0 : cabs(o);

  if (problem->is_real)
    return problem->bounded ? CLAMP(creal(o), problem->low, problem->high) : creal(o);
  if (problem->bounded && size > problem->high)
    return o * (problem->high / size);
  return o;
}

void
lac_imaging_estimate_constrain(const LacImagingEstimate *h, double complex *object)
{
  const double *mask = h->problem.mask;

  for (gsize i = 0; i < h->s * h->s; i++)
    object[i] = mask && mask[i] == 0 ? 0 : bound(&h->problem, object[i]);
}

/* ---- one scan position ---- */

void
lac_imaging_estimate_see(const LacImagingEstimate *h,
                         gsize                     position,
                         const double complex     *spectrum,
                         LacImagingScratch        *bench)
{
  const guint64 begin = lac_call_sums_begin(h->sums);

  lac_optics_measure(h->optics, position, spectrum, bench->fields, bench->amplitude);
  lac_call_sums_lap(h->sums, worker_of(h, bench), LAC_IMAGING_PROPAGATE, begin);
}

void
lac_imaging_estimate_sum(const LacImagingEstimate *h, LacImagingScratch *bench)
{
  const gsize  n = h->d * h->d;
  const double share = 1 / (double) h->n_along;

  for (gsize i = 0; i < n; i++) {
    double intensity = 0;

    for (gsize a = 0; a < h->n_along; a++) {
      const double complex u = bench->fields[a * n + i];

      intensity += creal(u) * creal(u) + cimag(u) * cimag(u);
    }
    bench->amplitude[i] = sqrt(share * intensity);
  }
}

/* Returns (a - m)^2 expected from noise alone at pixel @i of all exposures. */
static double
expect(const LacImagingEstimate *h, gsize i, double amplitude)
{
  const LacExposures *exposures = h->problem.exposures;

  if (!exposures->sigma)
    return lac_noise_level_expect(h->noise, amplitude);
  if (exposures->unit == LAC_DETECTOR_AMPLITUDE)
    return exposures->sigma[i] * exposures->sigma[i];
  return lac_noise_level_expect_of(h->noise, amplitude, exposures->sigma[i]);
}

LacMisfit
lac_imaging_estimate_measure(const LacImagingEstimate *h,
                             gsize                     position,
                             const LacImagingScratch  *bench)
{
  const gsize   n = h->d * h->d;
  const double *measured = h->amplitudes + position * n;
  LacMisfit     misfit = {0};

  for (gsize i = 0; i < n; i++) {
    const double off = bench->amplitude[i] - measured[i];
    double       expected;

    if (measured[i] < 0)
      continue;
    expected = expect(h, position * n + i, bench->amplitude[i]);
    misfit.distance += off * off;
    misfit.energy += measured[i] * measured[i];
    misfit.expected += expected;
    misfit.variance += 2 * expected * expected;
  }
  return misfit;
}

/* Replaces the amplitudes by the factors that move them by @share towards the measured ones, minus @base. A dark
 * pixel has no phase and is unchanged. */
static void
find_factors(const LacImagingEstimate *h,
             gsize                     position,
             double                    share,
             double                    base,
             LacImagingScratch        *bench)
{
  const gsize   n = h->d * h->d;
  const double *measured = h->amplitudes + position * n;

  for (gsize i = 0; i < n; i++) {
    const double a = bench->amplitude[i];

    bench->amplitude[i] = 1 - base;
    if (measured[i] >= 0 && a > 0 && !h->rests[position])
      bench->amplitude[i] += share * (measured[i] / a - 1);
  }
}

static void
multiply(const LacImagingEstimate *h, LacImagingScratch *bench)
{
  const gsize n = h->d * h->d;

  for (gsize along = 0; along < h->n_along; along++) {
    double complex *u = bench->fields + along * n;

    for (gsize i = 0; i < n; i++)
      u[i] = CMPLX(creal(u[i]) * bench->amplitude[i], cimag(u[i]) * bench->amplitude[i]);
  }
}

static void
project(const LacImagingEstimate *h,
        gsize                     position,
        double                    share,
        double                    base,
        LacImagingScratch        *bench)
{
  const guint64 begin = lac_call_sums_begin(h->sums);

  find_factors(h, position, share, base, bench);
  multiply(h, bench);
  lac_call_sums_lap(h->sums, worker_of(h, bench), LAC_IMAGING_PROJECT, begin);
}

void
lac_imaging_estimate_replace(const LacImagingEstimate *h,
                             gsize                     position,
                             double                    share,
                             LacImagingScratch        *bench)
{
  project(h, position, share, 0, bench);
}

void
lac_imaging_estimate_subtract(const LacImagingEstimate *h,
                              gsize                     position,
                              double                    share,
                              LacImagingScratch        *bench)
{
  project(h, position, share, 1, bench);
}

double
lac_misfit_get_share(const LacMisfit *misfit)
{
  return misfit->distance > misfit->expected ? 1 - sqrt(misfit->expected / misfit->distance) : 0;
}

/* ---- all scan positions ---- */

void
lac_imaging_estimate_keep_patches(LacImagingEstimate *h)
{
  const gsize n = h->n_positions * h->n_along * h->box * h->box;

  h->patches = g_new0(double complex, n);
  lac_memory_claim(&h->claim, LAC_MEMORY_STATES, n * sizeof(double complex));
}

void
lac_imaging_estimate_take_patches(LacImagingEstimate *h, gsize position, LacImagingScratch *bench)
{
  const gsize   n_box = h->box * h->box;
  const guint64 begin = lac_call_sums_begin(h->sums);

  for (gsize along = 0; along < h->n_along; along++) {
    double complex *patch = h->patches + (position * h->n_along + along) * n_box;

    if (h->rests[position]) {
      memset(patch, 0, n_box * sizeof *patch);
      continue;
    }
    lac_optics_field_patch(h->optics, position, along, bench->fields + along * h->d * h->d, patch);
    for (gsize i = 0; h->pupil && i < n_box; i++) {
      const double complex p = h->pupil[i], q = patch[i];

      patch[i] =
        CMPLX(creal(p) * creal(q) + cimag(p) * cimag(q), creal(p) * cimag(q) - cimag(p) * creal(q));
    }
  }
  lac_call_sums_lap(h->sums, worker_of(h, bench), LAC_IMAGING_RETURN, begin);
}

void
lac_imaging_estimate_add_patches(const LacImagingEstimate *h, double complex *spectrum)
{
  const guint64 begin = lac_call_sums_begin(h->sums);

  memset(spectrum, 0, h->n_band * sizeof *spectrum);
  for (gsize i = 0; i < h->n_positions * h->n_along; i++)
    lac_optics_add_patch(h->optics, i / h->n_along, i % h->n_along,
                         h->patches + i * h->box * h->box, spectrum);
  lac_call_sums_lap(h->sums, 0, LAC_IMAGING_RETURN, begin);
}

static void
compare_position(gsize position, guint worker, gpointer user_data)
{
  LacImagingEstimate *h = user_data;

  lac_imaging_estimate_see(h, position, h->spectrum, &h->benches[worker]);
  h->misfits[position] = lac_imaging_estimate_measure(h, position, &h->benches[worker]);
}

void
lac_imaging_estimate_compare(LacImagingEstimate *h)
{
  LacSpan span = lac_imaging_estimate_begin_phase(h, h->names.compare);

  lac_imaging_estimate_to_spectrum(h, h->object, h->spectrum);
  lac_pool_run(h->problem.context->pool, h->n_positions, compare_position, h);
  lac_imaging_estimate_end_phase(h, span, h->step);
}

gsize
lac_imaging_estimate_curves(const LacImagingCommon *common, LacCurve *curves)
{
  const gsize n = LAC_CURVE_FIRST_ABERRATION + (gsize) common->aberrations;

  if (!curves)
    return n;
  curves[LAC_CURVE_MISFIT] =
    (LacCurve){"misfit", N_("Relative amplitude residual"), "1", TRUE, TRUE, NAN};
  curves[LAC_CURVE_NOISE] =
    (LacCurve){"misfit_noise", N_("Reduced chi-squared"), "1", TRUE, TRUE, 1};
  curves[LAC_CURVE_CHANGE] = (LacCurve){"change", N_("Change per step"), "1", TRUE, FALSE, NAN};
  for (gsize i = 0; i < (gsize) common->aberrations; i++) {
    g_autofree char *key = g_strdup_printf("aberration_%zu", LAC_ZERNIKE_DEFOCUS + i);

    curves[LAC_CURVE_FIRST_ABERRATION + i] =
      (LacCurve){g_intern_string(key),
                 lac_zernike_get_name((guint) (LAC_ZERNIKE_DEFOCUS + i)),
                 "rad",
                 FALSE,
                 TRUE,
                 NAN};
  }
  return n;
}

static LacMisfit
add_up(const LacImagingEstimate *h)
{
  LacMisfit sum = {0};

  for (gsize v = 0; v < h->n_positions; v++) {
    sum.distance += h->misfits[v].distance;
    sum.expected += h->misfits[v].expected;
    sum.variance += h->misfits[v].variance;
    sum.energy += h->misfits[v].energy;
  }
  return sum;
}

static double
take_change(LacImagingEstimate *h)
{
  const gsize n = h->s * h->s;
  double      change = 0, size = 0;

  for (gsize i = 0; i < n; i++) {
    const double complex step = h->object[i] - h->previous[i];

    change += creal(step) * creal(step) + cimag(step) * cimag(step);
    size += creal(h->object[i]) * creal(h->object[i]) + cimag(h->object[i]) * cimag(h->object[i]);
  }
  memcpy(h->previous, h->object, n * sizeof *h->object);
  return size > 0 ? sqrt(change / size) : (double) NAN;
}

void
lac_imaging_estimate_finish_step(LacImagingEstimate *h, gint64 step, LacMethodReport *report)
{
  const LacImagingCommon *common = h->problem.common;
  LacMisfit               sum;

  h->step = step;
  lac_imaging_estimate_compare(h);
  if (lac_calibration_is_due(h, step)) {
    LacSpan span = lac_imaging_estimate_begin_phase(h, h->names.calibrate);

    lac_calibration_step(h);
    lac_imaging_estimate_end_phase(h, span, step);
  }
  sum = add_up(h);
  report->samples = (double) h->n_positions;
  report->epoch = (guint) step; /* a step is a pass over all exposures */
  report->curves[LAC_CURVE_MISFIT] = sqrt(sum.distance / sum.energy);
  report->curves[LAC_CURVE_NOISE] = sum.expected > 0 ? sum.distance / sum.expected : (double) NAN;
  report->curves[LAC_CURVE_CHANGE] = take_change(h);
  for (gsize i = 0; i < (gsize) common->aberrations; i++)
    report->curves[LAC_CURVE_FIRST_ABERRATION + i] = h->coefficients[i];
  if (!isfinite(sum.distance)) {
    report->outcome = LAC_OUTCOME_DIVERGED;
    g_snprintf(report->why, sizeof report->why,
               _("the image became non-finite at step %d: reduce the step length"), (int) step);
  } else if (common->stop_at_noise && lac_positions_have_converged(h, step) && sum.expected > 0 &&
             sum.distance <= common->noise_factor * sum.expected + sqrt(sum.variance)) {
    report->outcome = LAC_OUTCOME_FINISHED;
    g_snprintf(report->why, sizeof report->why,
               _("the misfit reached the noise level after %d steps"), (int) step);
  }
}

/* Counts the operations by matrices, or by transforms of the non-zero lines. */
static double
count_flops_between(const LacImagingSize *size, double width)
{
  const double s = (double) size->support, n = (double) size->grid;

  return fmin(8 * width * s * (width + s), 5 * n * log2(n) * (s + width));
}

void
lac_imaging_estimate_find_cost(const LacImagingSize *size,
                               const LacImagingWork *work,
                               LacEstimate          *result)
{
  static const double flops_per_second = 3e9;
  const double n = (double) size->n_positions, d2 = (double) (size->detector * size->detector);
  const double s = (double) size->support, grid = (double) size->grid;
  const double detector = 5 * d2 * log2(d2) + 10 * d2;
  const double flops = (work->detectors + 1) * n * detector +
                       work->boxes * n * count_flops_between(size, 2 * size->radius + 1) +
                       (work->wholes + 1) * count_flops_between(size, grid);

  result->seconds_per_step = flops / flops_per_second;
  result->memory_bytes = 8 * n * d2 + 16 * (2 * grid * grid + 4 * s * s + 4 * d2);
}

void
lac_imaging_estimate_predict(LacImagingEstimate *h, gsize position, double *image)
{
  LacImagingScratch *bench = &h->benches[0];

  lac_optics_scan_spectrum(h->optics, position, h->object, h->spectrum);
  lac_imaging_estimate_see(h, position, h->spectrum, bench);
  for (gsize i = 0; i < h->d * h->d; i++)
    image[i] = h->problem.exposures->unit == LAC_DETECTOR_INTENSITY
                 ? bench->amplitude[i] * bench->amplitude[i]
                 : bench->amplitude[i];
  lac_call_sums_emit(h->sums, NULL, 0, -1); /* part of no phase */
}

void
lac_imaging_estimate_positions(const LacImagingEstimate *h, double (*centres)[2])
{
  const LacOpticsSettings *settings = lac_optics_get_settings(h->optics);

  for (gsize v = 0; v < h->n_positions; v++) {
    centres[v][0] = settings->scan[v].y;
    centres[v][1] = settings->scan[v].x;
  }
}

/* ---- checkpoints ---- */

void
lac_imaging_estimate_save(const LacImagingEstimate *h, LacStore *store)
{
  const gsize n = h->s * h->s;
  const gsize n_aberrations = (gsize) h->problem.common->aberrations;

  memcpy(lac_store_put(store, "object", n, 2, 8), h->object, n * sizeof *h->object);
  memcpy(lac_store_put(store, "previous", n, 2, 8), h->previous, n * sizeof *h->previous);
  lac_imaging_estimate_positions(
    h, (gpointer) lac_store_put(store, "positions", h->n_positions, 2, 8));
  if (h->problem.common->position_error > 0)
    lac_store_put_bytes(store, "rests", h->rests, h->n_positions);
  if (n_aberrations > 0)
    memcpy(lac_store_put(store, "aberrations", n_aberrations, 1, 8), h->coefficients,
           n_aberrations * sizeof *h->coefficients);
}

static gboolean
move_back(LacImagingEstimate *h, const double (*centres)[2], GError **error)
{
  for (gsize v = 0; v < h->n_positions; v++)
    if (!lac_optics_move(h->optics, v, centres[v][0], centres[v][1])) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                  "the checkpoint has aperture %zu at %g, %g, where these optics cannot have it", v,
                  centres[v][0], centres[v][1]);
      return FALSE;
    }
  return TRUE;
}

gboolean
lac_imaging_estimate_load(LacImagingEstimate *h, const LacStore *store, GError **error)
{
  const gsize   n = h->s * h->s;
  const gsize   n_aberrations = (gsize) h->problem.common->aberrations;
  const double *object = lac_store_get(store, "object", n, 2, 8, error);
  const double *previous = object ? lac_store_get(store, "previous", n, 2, 8, error) : NULL;
  const double *centres =
    previous ? lac_store_get(store, "positions", h->n_positions, 2, 8, error) : NULL;
  const guint8 *rests =
    lac_store_get_bytes(store, "rests", h->n_positions, NULL); /* missing in older checkpoints */
  const double *coefficients = NULL;

  if (!centres)
    return FALSE;
  if (n_aberrations > 0) {
    coefficients = lac_store_get(store, "aberrations", n_aberrations, 1, 8, error);
    if (!coefficients)
      return FALSE;
  }
  if (!move_back(h, (const double(*)[2]) centres, error))
    return FALSE;
  memcpy(h->object, object, n * sizeof *h->object);
  memcpy(h->previous, previous, n * sizeof *h->previous);
  for (gsize v = 0; v < h->n_positions; v++)
    h->rests[v] = rests && rests[v];
  if (coefficients) {
    memcpy(h->coefficients, coefficients, n_aberrations * sizeof *h->coefficients);
    if (!h->free_pupil)
      lac_calibration_set_pupil(h);
  }
  return TRUE;
}
