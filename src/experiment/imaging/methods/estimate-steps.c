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

/* after the aberrations, where exposures may be left out */
enum { LEFT_OUT, FIRST_LEFT_OUT, N_LEFT_OUT };

gsize
lac_imaging_estimate_curves(const LacImagingCommon *common, LacCurve *curves)
{
  const gsize left_out = LAC_CURVE_FIRST_ABERRATION + (gsize) common->aberrations;
  const gsize n = left_out + (common->leave_out_exposures ? N_LEFT_OUT : 0);

  if (!curves)
    return n;
  if (common->leave_out_exposures) {
    curves[left_out + LEFT_OUT] =
      (LacCurve){"exposures_left_out", N_("Exposures left out"), "1", FALSE, TRUE, NAN};
    curves[left_out + FIRST_LEFT_OUT] =
      (LacCurve){"suspect_exposure", N_("Exposure left out most (0: none)"), "1", FALSE, TRUE, NAN};
  }
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
    if (h->rests[v] && h->problem.common->leave_out_exposures)
      continue;
    sum.distance += h->misfits[v].distance;
    sum.expected += h->misfits[v].expected;
    sum.variance += h->misfits[v].variance;
    sum.energy += h->misfits[v].energy;
    sum.held_out += h->misfits[v].held_out;
  }
  return sum;
}

/* ---- exposures that contradict the others ---- */

#define CONTRADICTION_STEPS \
  5 /* in a sweep, the last of those that contradict each other wins: a mean decides */
#define CONTRADICTION     5.0  /* times the median squared distance */
#define CONTRADICTION_BAD 0.3  /* of the worst */
#define LEAST_UNEXPLAINED 0.25 /* of the exposure's energy, above its noise */

/* While a method is still far from a solution, single exposures may look bad for a while: two means in a row decide. */
static void
confirm(LacImagingEstimate *h)
{
  for (gsize v = 0; v < h->n_positions; v++) {
    const gboolean is_bad = h->rests[v] != 0;

    h->rests[v] = h->are_empty[v] || (is_bad && h->suspects[v]);
    h->suspects[v] = is_bad;
  }
}

/* Decides anew which exposures are left out. Their pixels are not held out either: the best object is then sought
 * anew. */
static void
decide(LacImagingEstimate *h, gint64 step)
{
  double *before = h->excesses;

  for (gsize v = 0; v < h->n_positions; v++)
    before[v] = h->rests[v];
  lac_imaging_estimate_leave_out(h, h->contradictions, 0, CONTRADICTION, CONTRADICTION_BAD,
                                 LEAST_UNEXPLAINED);
  confirm(h);
  h->rests_changed = FALSE;
  for (gsize v = 0; v < h->n_positions; v++)
    h->rests_changed = h->rests_changed || before[v] != h->rests[v];
  if (h->rests_changed)
    h->best_held_out = INFINITY;
  h->rests_since = step;
  memset(h->contradictions, 0, h->n_positions * sizeof *h->contradictions);
}

/* The noise of an amplitude hardly depends on the brightness, so that squared distances of bright and dim exposures can be
 * compared. With a position search, that search decides which exposures are left out (position-search.c). */
static void
leave_out(LacImagingEstimate *h, gint64 step)
{
  h->rests_changed = FALSE;
  if (!h->problem.common->leave_out_exposures)
    return;
  for (gsize v = 0; v < h->n_positions; v++) {
    const double excess = fmax(0, h->misfits[v].distance - h->misfits[v].expected);
    const double now = h->first_misfits ? h->first_misfits[v] : excess;

    h->contradictions[v] += (now - h->contradictions[v]) / (double) (step - h->rests_since);
  }
  if (h->checks_data && !(h->problem.common->position_error > 0) &&
      step - h->rests_since >= CONTRADICTION_STEPS)
    decide(h, step);
  for (gsize v = 0; v < h->n_positions; v++)
    h->n_rested[v] += h->rests[v] != 0;
}

/* @curves: [N_LEFT_OUT] */
static void
report_left_out(const LacImagingEstimate *h, double *curves)
{
  gint64 most = 0;

  curves[LEFT_OUT] = curves[FIRST_LEFT_OUT] = 0;
  for (gsize v = 0; v < h->n_positions; v++) {
    curves[LEFT_OUT] += h->rests[v] != 0;
    if (h->rests[v] && h->n_rested[v] > most) {
      most = h->n_rested[v];
      curves[FIRST_LEFT_OUT] = (double) v + 1;
    }
  }
}

/* ---- the end of a run ---- */

enum { LEAST_PATIENCE = 20 }; /* steps after the minimum of the pixels held out */
/* Rise from the minimum, in pixels, that is overfitting: while it is flat, a prior may still gain where nothing is
 * measured. The same pixels are compared: the noise of the difference is far below that of the sum. */
#define RISE 2.0

static gboolean
has_risen(const LacImagingEstimate *h, double held_out)
{
  return held_out > (1 + RISE / (double) h->n_held_out) * h->best_held_out;
}

/* Keeps the best object. Returns TRUE when the pixels held out rise again. */
static gboolean
has_passed(LacImagingEstimate *h, gint64 step, double held_out)
{
  if (held_out < h->best_held_out) {
    h->best_held_out = held_out;
    h->best_step = step;
    memcpy(h->best, h->object, h->s * h->s * sizeof *h->best);
  }
  return step - h->best_step >= LEAST_PATIENCE && has_risen(h, held_out);
}

static void
end_by_held_out(LacImagingEstimate *h, gint64 step, double held_out, LacMethodReport *report)
{
  if (!has_passed(h, step, held_out))
    return;
  report->outcome = LAC_OUTCOME_FINISHED;
  g_snprintf(report->why, sizeof report->why,
             _("the pixels held out were explained best after %d steps"), (int) h->best_step);
}

static void
end_by_level(const LacImagingEstimate *h,
             gint64                    step,
             const LacMisfit          *sum,
             LacMethodReport          *report)
{
  if (!(sum->expected > 0) ||
      sum->distance > h->problem.common->noise_factor * sum->expected + sqrt(sum->variance))
    return;
  report->outcome = LAC_OUTCOME_FINISHED;
  g_snprintf(report->why, sizeof report->why,
             _("the misfit reached the noise level after %d steps"), (int) step);
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
lac_imaging_estimate_finish_step(LacImagingEstimate *h,
                                 gint64              step,
                                 gint64              n_steps,
                                 LacMethodReport    *report)
{
  const LacImagingCommon *common = h->problem.common;
  LacMisfit               sum;

  h->step = step;
  lac_imaging_estimate_compare(h);
  if (lac_calibration_is_due(h, step)) {
    LacSpan span = lac_imaging_estimate_begin_phase(h, h->names.calibrate);

    lac_imaging_estimate_find_spectrum(h);
    lac_calibration_step(h);
    lac_imaging_estimate_end_phase(h, span, step);
  }
  leave_out(h, step);
  sum = add_up(h);
  report->samples = (double) h->n_positions;
  report->epoch = (guint) step; /* a step is a pass over all exposures */
  report->curves[LAC_CURVE_MISFIT] = sqrt(sum.distance / sum.energy);
  report->curves[LAC_CURVE_NOISE] = sum.expected > 0 ? sum.distance / sum.expected : (double) NAN;
  report->curves[LAC_CURVE_CHANGE] = take_change(h);
  for (gsize i = 0; i < (gsize) common->aberrations; i++)
    report->curves[LAC_CURVE_FIRST_ABERRATION + i] = h->coefficients[i];
  if (common->leave_out_exposures)
    report_left_out(h, report->curves + LAC_CURVE_FIRST_ABERRATION + common->aberrations);
  if (!isfinite(sum.distance)) {
    report->outcome = LAC_OUTCOME_DIVERGED;
    g_snprintf(report->why, sizeof report->why,
               _("the image became non-finite at step %d: reduce the step length"), (int) step);
    return;
  }
  if (common->stop_at_noise && lac_positions_have_converged(h, step)) {
    if (h->best)
      end_by_held_out(h, step, sum.held_out, report);
    else
      end_by_level(h, step, &sum, report);
  }
  if (step >= n_steps && report->outcome == LAC_OUTCOME_CONTINUE)
    report->outcome = LAC_OUTCOME_FINISHED;
  if (report->outcome == LAC_OUTCOME_FINISHED && h->best && has_risen(h, sum.held_out)) {
    memcpy(h->object, h->best, h->s * h->s * sizeof *h->object);
    h->has_spectrum = h->has_field = h->has_misfits = FALSE;
  }
}

/* Counts the operations by matrices, or by transforms of the non-zero lines. */
static double
count_flops_between(const LacImagingSize *size, double width)
{
  const double s = (double) size->support, n = (double) size->grid;

  return fmin(8 * width * s * (width + s), 5 * n * log2(n) * (s + width));
}

#define MOST_PIXELS_AT_ONCE 4e6 /* of the fields in k-space.c */

void
lac_imaging_estimate_find_cost(const LacImagingSize *size,
                               const LacImagingWork *work,
                               LacEstimate          *result)
{
  static const double flops_per_second = 6e9;
  const double n = (double) size->n_positions, d2 = (double) (size->detector * size->detector);
  const double s = (double) size->support, grid = (double) size->grid;
  const double detector = 5 * d2 * log2(d2) + 10 * d2;
  const double boxes = size->is_unconstrained ? 0 : work->boxes; /* then it stays in k-space */
  const double flops = (work->detectors + 1) * n * detector +
                       boxes * n * count_flops_between(size, 2 * size->radius + 1) +
                       (work->wholes + 1) * count_flops_between(size, grid);

  result->seconds_per_step = flops / flops_per_second;
  result->memory_bytes = 16 * n * d2 + 16 * (4 * grid * grid + 5 * s * s + 4 * d2) +
                         32 * fmin(n * d2, MOST_PIXELS_AT_ONCE);
}

void
lac_imaging_estimate_predict(LacImagingEstimate *h, gsize position, double *image)
{
  const gboolean is_intensity = h->problem.exposures->unit == LAC_DETECTOR_INTENSITY;

  lac_imaging_estimate_find_spectrum(h);
  lac_optics_measure(h->optics, position, h->spectrum, h->fields, image);
  for (gsize i = 0; is_intensity && i < h->d * h->d; i++)
    image[i] *= image[i];
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

static void
visit_positions(LacImagingEstimate *h, LacVisit *visit)
{
  g_autofree double(*centres)[2] = g_malloc0_n(h->n_positions, sizeof *centres);

  if (visit->to)
    lac_imaging_estimate_positions(h, centres);
  lac_visit_values(visit, "positions", centres, h->n_positions, 2, 8);
  if (lac_visit_restores(visit))
    lac_visit_expect(visit, move_back(h, (const double(*)[2]) centres, visit->error));
}

/* Visits which exposures are left out, and why. */
static void
visit_left_out(LacImagingEstimate *h, LacVisit *visit)
{
  const gsize n_bytes = h->n_positions * sizeof *h->n_rested;

  lac_visit_bytes(visit, "rests", h->rests, h->n_positions);
  lac_visit_bytes(visit, "n_rested", h->n_rested, n_bytes);
  lac_visit_bytes(visit, "suspects", h->suspects, h->n_positions);
  lac_visit_bytes(visit, "rests_since", &h->rests_since, sizeof h->rests_since);
  lac_visit_bytes(visit, "contradictions", h->contradictions, n_bytes);
}

void
lac_imaging_estimate_visit(LacImagingEstimate *h, LacVisit *visit)
{
  const LacImagingCommon *common = h->problem.common;
  const gsize             n = h->s * h->s, n_aberrations = (gsize) common->aberrations;

  lac_visit_values(visit, "object", h->object, n, 2, 8);
  if (visit->from)
    h->has_spectrum = h->has_field = h->has_misfits = FALSE;
  lac_visit_values(visit, "previous", h->previous, n, 2, 8);
  visit_positions(h, visit);
  if (common->leave_out_exposures)
    visit_left_out(h, visit);
  else if (common->position_error > 0)
    lac_visit_later_bytes(visit, "rests", h->rests, h->n_positions);
  if (h->best) {
    lac_visit_values(visit, "best", h->best, n, 2, 8);
    lac_visit_bytes(visit, "best_held_out", &h->best_held_out, sizeof h->best_held_out);
    lac_visit_bytes(visit, "best_step", &h->best_step, sizeof h->best_step);
  }
  if (n_aberrations > 0)
    lac_visit_values(visit, "aberrations", h->coefficients, n_aberrations, 1, 8);
  if (n_aberrations > 0 && lac_visit_restores(visit) && !h->free_pupil)
    lac_calibration_set_pupil(h);
}
