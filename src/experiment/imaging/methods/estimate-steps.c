/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps of an estimate: curves, the end of a step, cost, checkpoints. */
#include "base/error.h"
#include "experiment/imaging/methods/calibration.h"
#include "experiment/imaging/methods/estimate.h"
#include "experiment/imaging/methods/position-search.h"
#include "experiment/imaging/optics/zernike.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

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
