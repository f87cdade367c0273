/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The solvers against the truth, on the whole support as it is: nothing is scaled, shifted or clipped; and against what was measured,
 * which is all there is without a truth. Only here is the truth looked at. */
#include "experiment/imaging/laboratory/laboratory-private.h"
#include "experiment/imaging/metrics/metrics.h"
#include "experiment/imaging/metrics/resolution.h"

#include <math.h>

#define MOST_DB 300.0 /* of images that are equal */

static void
judge_resolution(const LacImagingState    *state,
                 const LacRingCorrelation *rings,
                 const LacImagingPlace    *place,
                 double                   *metrics)
{
  const double cutoff = rings->cutoff_half_bit, pixel = state->scale.pixel;

  if (!(cutoff > 0))
    return;
  metrics[place->quality[LAC_QUALITY_RESOLUTION]] = lac_resolution_pixels(cutoff);
  if (place->quality[LAC_QUALITY_METRES] == G_MAXSIZE)
    return;
  metrics[place->quality[LAC_QUALITY_METRES]] = lac_resolution_metres(cutoff, pixel);
  metrics[place->quality[LAC_QUALITY_ARCSECONDS]] =
    lac_resolution_arcseconds(cutoff, pixel, state->scale.distance);
}

/* Bars and spokes are of light: the image's square. */
static void
judge_reading(const LacImagingState *state,
              const double          *image,
              const LacImagingPlace *place,
              double                *metrics)
{
  const LacScratchMark mark = lac_scratch_mark(state->scratch);
  const gsize          n = state->side * state->side;
  double              *intensity;

  if (place->reading == G_MAXSIZE)
    return;
  intensity = lac_scratch_take(state->scratch, n * sizeof *intensity);
  for (gsize i = 0; i < n; i++)
    intensity[i] = image[i] * image[i];
  metrics[place->reading] =
    state->laboratory->scene->reading->read(state->params, intensity, state->side, state->scratch);
  lac_scratch_release(state->scratch, mark);
}

static void
judge_image(LacImagingState *state, const double *image, gsize source, double *metrics)
{
  const LacImagingPlace *place = source < state->turns.n
                                   ? &state->places.seats[source]
                                   : &state->places.yardsticks[source - state->turns.n];
  const gsize           *quality = place->quality;
  LacImageQualities      found;
  LacRingCorrelation    *rings = state->charts.rings;

  lac_ring_correlation_find(rings, state->scratch, image, state->modulus, state->side,
                            LAC_TAPER_EDGES);
  lac_image_qualities_with(state->scratch, image, state->modulus, state->side, 1, &found);
  metrics[quality[LAC_QUALITY_PSNR]] = MIN(found.psnr, MOST_DB);
  metrics[quality[LAC_QUALITY_SSIM]] = found.ssim[LAC_SSIM_CROPPED];
  metrics[quality[LAC_QUALITY_SSIM_TORCH]] = found.ssim[LAC_SSIM_WHOLE];
  metrics[quality[LAC_QUALITY_MS_SSIM]] = found.ms_ssim;
  metrics[quality[LAC_QUALITY_RMSE]] = found.rmse;
  metrics[quality[LAC_QUALITY_CORRELATION]] = found.correlation;
  judge_resolution(state, rings, place, metrics);
  lac_imaging_chart_image(state, source, image);
  judge_reading(state, image, place, metrics);
}

/* What is left of the measurements: ||predicted - measured|| / ||measured|| over all pixels that count. */
static double
find_misfit(LacImagingState *state, const LacImagingSeat *seat)
{
  const gsize n = state->exposures->d * state->exposures->d;
  double      apart = 0, all = 0;

  for (gsize v = 0; v < state->exposures->n_visits; v++) {
    const double *measured = lac_exposures_image(state->exposures, v);
    const guint8 *valid = lac_exposures_valid(state->exposures, v);

    seat->solver->predict(seat->self, v, state->image);
    for (gsize i = 0; i < n; i++)
      if (!valid || valid[i]) {
        apart += (state->image[i] - measured[i]) * (state->image[i] - measured[i]);
        all += measured[i] * measured[i];
      }
  }
  return all > 0 ? sqrt(apart / all) : 0;
}

/* ||o - truth|| / ||truth|| of objects; one with a phase is known up to a factor of modulus 1, which is taken out. */
static double
find_error(const LacImagingState *state)
{
  const gsize    n = state->side * state->side;
  double complex product = 0, factor = 1;
  double         apart = 0, all = 0;

  for (gsize i = 0; i < n && !state->problem.is_real; i++)
    product += conj(state->object[i]) * state->truth[i];
  if (cabs(product) > 0)
    factor = product / cabs(product);
  for (gsize i = 0; i < n; i++) {
    const double complex error = factor * state->object[i] - state->truth[i];

    apart += creal(error) * creal(error) + cimag(error) * cimag(error);
    all += creal(state->truth[i] * conj(state->truth[i]));
  }
  return sqrt(apart / all);
}

/* How far a solver's centres are from the true ones, root mean square, or from places that see the same. */
static double
find_displacement(const LacImagingState *state, const LacImagingSeat *seat)
{
  const gsize n = state->exposures->n_visits;
  double      square = 0;

  seat->solver->positions(seat->self, state->believed);
  for (gsize v = 0; v < n; v++) {
    const LacVisit *place = &state->displaced[v];
    const double    y = state->believed[v][0], x = state->believed[v][1];
    const LacVisit  visit = {y, x, y + place->end_y - place->y, x + place->end_x - place->x};
    const double    off = lac_visit_distance(visit, *place, state->problem.is_real);

    square += off * off;
  }
  return sqrt(square / (double) n);
}

static void
judge_seat(LacImagingState *state, guint s, double *metrics)
{
  const LacImagingSeat  *seat = &state->seats[s];
  const LacImagingPlace *place = &state->places.seats[s];
  const double           misfit = find_misfit(state, seat);

  metrics[place->misfit] = misfit;
  if (place->displacement != G_MAXSIZE && state->displaced)
    metrics[place->displacement] = find_displacement(state, seat);
  if (!state->truth) {
    metrics[place->error] = misfit;
    if (s == 0)
      metrics[state->places.key] = misfit;
    return;
  }
  seat->solver->object(seat->self, state->object);
  metrics[place->error] = find_error(state);
  lac_imaging_show(state->problem.is_real, state->object, state->side * state->side, state->image);
  judge_image(state, state->image, s, metrics);
  if (s == 0) {
    metrics[state->places.key] = metrics[place->quality[LAC_QUALITY_PSNR]];
    metrics[state->places.second] = metrics[place->quality[LAC_QUALITY_SSIM]];
  }
}

void
lac_imaging_judge_once(LacImagingState *state)
{
  const LacPatternStatistics *statistics = &state->statistics;
  double                     *coverage = state->fixed + state->places.coverage;
  const gboolean              is_alone = statistics->n_visits < 2;

  for (guint i = 0; i < LAC_N_YARDSTICKS && state->truth; i++)
    judge_image(state, state->yardsticks[i], state->turns.n + i, state->fixed);
  coverage[LAC_COVERAGE_ROI] = 100 * statistics->covered_extent;
  coverage[LAC_COVERAGE_OVERLAP] = is_alone ? 0 : 100 * statistics->overlap_median;
  coverage[LAC_COVERAGE_LEAST] = is_alone ? 0 : 100 * statistics->overlap_least;
}

void
lac_imaging_judge(LacImagingState *state, gboolean is_last, LacStepReport *report)
{
  const gint64 asked = lac_imaging_common(state->laboratory, state->params)->judge;
  const gint64 every = asked ? asked : MAX(1, state->turns.n_steps / 100);
  LacSpan      span;

  for (gsize i = 0; i < state->places.n_metrics && (is_last || state->turns.step == 1); i++)
    if (isfinite(state->fixed[i]))
      report->metrics[i] = state->fixed[i];
  if (!is_last && state->turns.step % every != 0)
    return;
  span = lac_span_begin(state->context.lane, state->name_judge);
  for (guint s = 0; s < state->turns.n; s++)
    judge_seat(state, s, report->metrics);
  lac_span_end(state->context.lane, span, state->turns.step);
}
