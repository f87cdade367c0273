/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of an imaging run: object, exposures, the methods stepped together, and their scores. */
#include "base/error.h"
#include "experiment/imaging/laboratory/laboratory-private.h"
#include "experiment/imaging/metrics/metrics.h"
#include "experiment/imaging/metrics/resolution.h"
#include "experiment/param-rows.h"
#include "experiment/set-up-part.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

/* ---- how good the solvers are ---- */

/* Scores: against the truth, on the whole support without scaling, shifting or clipping; and against the
 * measurements, the only score without a truth. The truth is used nowhere else. */

#define MOST_DB 300.0 /* limit for identical images */

static void
score_resolution(const LacImagingState    *state,
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
  if (place->quality[LAC_QUALITY_ARCSECONDS] == G_MAXSIZE)
    return;
  metrics[place->quality[LAC_QUALITY_ARCSECONDS]] =
    lac_resolution_arcseconds(cutoff, pixel, state->scale.distance);
}

/* Measures bars and spokes in intensity: the square of the image. */
static void
score_reading(const LacImagingState *state,
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
score_image(LacImagingState *state, const double *image, gsize source, double *metrics)
{
  const LacImagingPlace *place = source < state->scheduler.n
                                   ? &state->places.slots[source]
                                   : &state->places.references[source - state->scheduler.n];
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
  score_resolution(state, rings, place, metrics);
  lac_imaging_chart_image(state, source, image);
  score_reading(state, image, place, metrics);
}

/* Returns: ||predicted - measured|| / ||measured|| over all valid pixels */
static double
find_misfit(LacImagingState *state, const LacImagingSlot *slot)
{
  const gsize n = state->exposures->d * state->exposures->d;
  double      apart = 0, all = 0;

  if (slot->solver->residual)
    return slot->solver->residual(slot->self);
  for (gsize v = 0; v < state->exposures->n_positions; v++) {
    const double *measured = lac_exposures_image(state->exposures, v);
    const guint8 *valid = lac_exposures_valid(state->exposures, v);

    if (slot->solver->leaves_out && slot->solver->leaves_out(slot->self, v))
      continue;
    slot->solver->predict(slot->self, v, state->image);
    for (gsize i = 0; i < n; i++)
      if (!valid || valid[i]) {
        apart += (state->image[i] - measured[i]) * (state->image[i] - measured[i]);
        all += measured[i] * measured[i];
      }
  }
  return all > 0 ? sqrt(apart / all) : 0;
}

/* Returns ||o - truth|| / ||truth|| of objects, minimised over the global phase for objects with a phase. */
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

/* Returns the RMS distance between a method's centres and the true ones, or their mates when the object has no
 * phase. */
static double
find_displacement(const LacImagingState *state, const LacImagingSlot *slot)
{
  const gsize n = state->exposures->n_positions;
  double      square = 0;

  slot->solver->positions(slot->self, state->believed);
  for (gsize v = 0; v < n; v++) {
    const LacScanBox *place = &state->displaced[v];
    const double      y = state->believed[v][0], x = state->believed[v][1];
    const LacScanBox  position = {y, x, y + place->end_y - place->y, x + place->end_x - place->x};
    const double      off = lac_scan_distance(position, *place, state->problem.is_real);

    square += off * off;
  }
  return sqrt(square / (double) n);
}

static void
score_slot(LacImagingState *state, guint s, double *metrics)
{
  const LacImagingSlot  *slot = &state->slots[s];
  const LacImagingPlace *place = &state->places.slots[s];
  const double           misfit = find_misfit(state, slot);

  metrics[place->misfit] = misfit;
  if (place->displacement != G_MAXSIZE && state->displaced)
    metrics[place->displacement] = find_displacement(state, slot);
  if (!state->truth) {
    metrics[place->error] = misfit;
    if (s == 0)
      metrics[state->places.key] = misfit;
    return;
  }
  const double shift = lac_imaging_take_object(state, s);
  if (place->shift != G_MAXSIZE)
    metrics[place->shift] = shift;
  metrics[place->error] = find_error(state);
  lac_imaging_show(state->problem.is_real, state->object, state->side * state->side, state->image);
  score_image(state, state->image, s, metrics);
  if (s == 0) {
    metrics[state->places.key] = metrics[place->quality[LAC_QUALITY_PSNR]];
    metrics[state->places.second] = metrics[place->quality[LAC_QUALITY_SSIM]];
  }
}

/* Computes the metrics that never change: state->fixed. */
static void
score_once(LacImagingState *state)
{
  const LacPatternStatistics *statistics = &state->statistics;
  const gboolean              is_alone = statistics->n_positions < 2;
  double                     *coverage;

  state->fixed = g_new(double, state->places.n_metrics);
  for (gsize i = 0; i < state->places.n_metrics; i++)
    state->fixed[i] = NAN;
  coverage = state->fixed + state->places.coverage;
  for (guint i = 0; i < LAC_N_REFERENCES && state->truth; i++)
    score_image(state, state->references[i], state->scheduler.n + i, state->fixed);
  coverage[LAC_COVERAGE_ROI] = 100 * statistics->covered_extent;
  coverage[LAC_COVERAGE_OVERLAP] = is_alone ? 0 : 100 * statistics->overlap_median;
  coverage[LAC_COVERAGE_LEAST] = is_alone ? 0 : 100 * statistics->overlap_least;
}

/* The first step and the last are always evaluated. */
static void
score(LacImagingState *state, gboolean is_last, LacStepReport *report)
{
  const gint64   step = state->scheduler.step;
  const gboolean is_end = is_last || step == 1;
  LacSpan        span;

  for (gsize i = 0; i < state->places.n_metrics && is_end; i++)
    if (isfinite(state->fixed[i]))
      report->metrics[i] = state->fixed[i];
  if (!is_end && step % state->score_every != 0)
    return;
  span = lac_span_begin(state->context.lane, state->name_score);
  for (guint s = 0; s < state->scheduler.n; s++)
    if (!lac_scheduler_has_failed(&state->scheduler, s))
      score_slot(state, s, report->metrics);
  lac_span_end(state->context.lane, span, state->scheduler.step);
}

/* ---- the run ---- */

void
lac_imaging_destroy(gpointer data)
{
  LacImagingState *state = data;

  lac_scheduler_clear(&state->scheduler);
  lac_optics_free(state->optics);
  lac_exposures_free(state->exposures);
  g_free(state->displaced);
  g_free(state->believed);
  g_free(state->truth);
  lac_propagator_free(state->propagator);
  g_free(state->modulus);
  for (guint i = 0; i < LAC_N_REFERENCES; i++)
    g_free(state->references[i]);
  g_free(state->mask);
  g_free(state->object);
  lac_spectrum_view_clear(&state->spectrum);
  g_free(state->image);
  lac_scratch_free(state->scratch);
  g_free(state->fixed);
  lac_imaging_clear_charts(state);
  g_free(state->params);
  g_free(state);
}

gpointer
lac_imaging_find_input(GHashTable *table, const char *key)
{
  return table ? g_hash_table_lookup(table, key) : NULL;
}

double complex *
lac_imaging_make_object(const LacImaging *laboratory,
                        gconstpointer     params,
                        const LacContext *context,
                        gsize             side,
                        GError          **error)
{
  const LacImagingParams *common = lac_imaging_common(laboratory, params);
  const LacObjectSettings settings = {
    .picture = lac_imaging_find_input(context->inputs, "object"),
    .use = {(LacPictureUnit) common->picture_unit, (LacPictureFit) common->fit, common->invert != 0,
            common->normalise != 0, (LacPictureFilter) common->shrink},
    .phase = (LacObjectPhase) common->phase,
    .phase_picture = lac_imaging_find_input(context->inputs, "phase_picture"),
    .phase_range = common->phase_range,
    .seed = (guint64) common->object_seed,
  };
  g_autofree double complex *object = g_new(double complex, side *side);

  LAC_SET_UP_PART(context, "make the object");
  if (!lac_object_make(laboratory->scene, params, &settings, side, object, error))
    return NULL;
  return g_steal_pointer(&object);
}

/* Simulates the exposures. The optics are the nominal ones that the methods use. */
static gboolean
take(LacImagingState *state, const double complex *object, const LacNoise *noise, GError **error)
{
  const LacImagingParams  *common = lac_imaging_common(state->laboratory, state->params);
  const LacFaults          faults = lac_imaging_faults(common, state->context.seed);
  const LacOpticsSettings *settings = lac_optics_get_settings(state->optics);

  if (lac_faults_is_none(&faults)) {
    state->exposures = lac_exposures_simulate(state->optics, object, noise, state->context.pool);
    return TRUE;
  }
  state->displaced = g_new(LacScanBox, settings->n_positions);
  lac_faults_displace(&faults, settings->scan, settings->n_positions, state->displaced);
  state->exposures = lac_faults_expose(&faults, settings, state->displaced, object, noise,
                                       state->context.pool, error);
  return state->exposures != NULL;
}

/* @object: [s*s]: the true object */
static gboolean
expose(LacImagingState *state, const LacOpticsSettings *settings, GError **error)
{
  const LacImagingParams *common = lac_imaging_common(state->laboratory, state->params);
  const LacNoise          noise = lac_imaging_noise(common, state->context.seed);

  if (!lac_noise_check(&noise, error))
    return FALSE;
  g_autofree double complex *object = lac_imaging_make_object(
    state->laboratory, state->params, &state->context, settings->support, error);
  if (!object || lac_context_is_cancelled(&state->context, error))
    return FALSE;
  LAC_SET_UP_PART(&state->context, "take the exposures");
  if (lac_imaging_has_truth(common))
    state->truth = g_memdup2(object, settings->support * settings->support * sizeof *object);
  if (!lac_imaging_new_propagator(common, settings->support, &state->propagator, error))
    return FALSE;
  if (state->propagator != NULL)
    lac_propagator_run(state->propagator, object);
  state->optics = lac_optics_new(settings, state->context.pool, error);
  return state->optics != NULL && take(state, object, &noise, error);
}

static gboolean
simulate(LacImagingState *state, const LacImagingParams *common, GError **error)
{
  LacOpticsSettings      settings = lac_imaging_optics(common);
  g_autofree LacScanBox *scan = lac_imaging_new_scan(
    common, state->context.seed, lac_imaging_find_input(state->context.exposures, "pattern_file"),
    &settings.n_positions, error);

  settings.scan = scan;
  return scan && expose(state, &settings, error);
}

/* Imports the user's exposures, evaluated against a truth if one is requested. */
static gboolean
take_own(LacImagingState        *state,
         const LacStore         *store,
         const LacImagingParams *common,
         GError                **error)
{
  LacOpticsSettings settings;

  LAC_SET_UP_PART(&state->context, "take the exposures");
  state->exposures = lac_imaging_read_exposures(store, common, error);
  if (!state->exposures)
    return FALSE;
  settings = lac_exposures_get_optics(state->exposures);
  state->optics = lac_optics_new(&settings, state->context.pool, error);
  if (!state->optics ||
      !lac_imaging_check_brightness(state->exposures, state->optics, common, state->context.pool,
                                    error) ||
      !lac_imaging_new_propagator(common, settings.support, &state->propagator, error))
    return FALSE;
  if (!lac_imaging_has_truth(common))
    return TRUE;
  state->truth = lac_imaging_make_object(state->laboratory, state->params, &state->context,
                                         settings.support, error);
  return state->truth != NULL;
}

/* Returns the mask of the disc inscribed in the object's square. */
static double *
new_disc(gsize side)
{
  const double middle = ((double) side - 1) / 2, radius = (double) side / 2;
  double      *mask = g_new(double, side *side);

  for (gsize y = 0; y < side; y++)
    for (gsize x = 0; x < side; x++)
      mask[y * side + x] = hypot((double) y - middle, (double) x - middle) <= radius;
  return mask;
}

static void
lay_references(LacImagingState *state)
{
  const gsize n = state->side * state->side;

  state->references[LAC_REFERENCE_SINGLE] = g_new(double, n);
  lac_imaging_single_aperture(state->exposures, state->references[LAC_REFERENCE_SINGLE]);
  if (!state->truth)
    return;
  state->modulus = g_new(double, n);
  lac_imaging_show(state->problem.is_real, state->truth, n, state->modulus);
  state->references[LAC_REFERENCE_BAND] = g_new(double, n);
  memcpy(state->object, state->truth, n * sizeof *state->object);
  if (state->propagator != NULL)
    lac_propagator_run(state->propagator, state->object);
  lac_spectrum_view_set_truth(&state->spectrum, state->object);
  lac_imaging_band_limit(state->optics, state->object);
  if (state->propagator != NULL)
    lac_propagator_run_back(state->propagator, state->object);
  lac_imaging_show(state->problem.is_real, state->object, n, state->references[LAC_REFERENCE_BAND]);
}

static void
find_coverage(LacImagingState *state, const LacImagingParams *common)
{
  const LacOpticsSettings *settings = lac_optics_get_settings(state->optics);

  lac_spectrum_view_init(&state->spectrum, state->optics,
                         common->measurements ? settings->grid
                                              : MIN(lac_imaging_window(common), settings->grid));
  lac_pattern_evaluate(settings, MIN(lac_imaging_extent(common), (double) settings->grid), NULL,
                       &state->statistics);
}

static void
make_scratch(LacImagingState *state)
{
  const LacExposures *exposures = state->exposures;

  state->side = exposures->support;
  state->scratch = lac_scratch_new();
  state->object = g_new0(double complex, state->side * state->side);
  state->believed = g_malloc0_n(exposures->n_positions, sizeof *state->believed);
  state->image = g_new0(double, MAX(state->side * state->side, exposures->d * exposures->d));
}

static gboolean
set_up(LacImagingState *state, GError **error)
{
  const LacImaging       *laboratory = state->laboratory;
  const LacImagingParams *common = lac_imaging_common(laboratory, state->params);
  const LacStore         *own = lac_imaging_find_input(state->context.exposures, "measurements");

  if (!(own ? take_own(state, own, common, error) : simulate(state, common, error)))
    return FALSE;
  make_scratch(state);
  find_coverage(state, common);
  state->method = *lac_imaging_get_method(laboratory, state->params);
  state->scale = lac_imaging_find_scale(common);
  if (common->outline == LAC_OUTLINE_DISC)
    state->mask = new_disc(state->side);
  state->problem = (LacImagingProblem){
    .context = &state->context,
    .exposures = state->exposures,
    .common = &state->method,
    .is_real = common->is_real != 0,
    .bounded = common->bounds != 0,
    .low = common->low,
    .high = common->high,
    .mask = state->mask,
  };
  lay_references(state);
  lac_imaging_prepare_charts(state);
  return TRUE;
}

static gboolean
slot_solvers(LacImagingState *state, GError **error)
{
  const LacImaging *laboratory = state->laboratory;
  const gint64      list = lac_imaging_common(laboratory, state->params)->solver;

  state->places = lac_imaging_find_places(laboratory, state->params);
  for (guint i = 0; lac_list_get(list, i) >= 0; i++) {
    const guint     s = (guint) lac_list_get(list, i);
    LacImagingSlot *slot = &state->slots[i];
    gconstpointer   params = lac_imaging_solver_params(laboratory, s, state->params);

    slot->solver = lac_imaging_solver(laboratory, s);
    if (lac_context_is_cancelled(&state->context, error) ||
        (slot->solver->check && !slot->solver->check(params, &state->problem, error)))
      return FALSE;
    LAC_SET_UP_PART(&state->context, slot->solver->name);
    slot->self = slot->solver->create(params, &state->problem, error);
    if (!slot->self)
      return FALSE;
    lac_scheduler_add(&state->scheduler, &slot->solver->scheduled, slot->self,
                      state->places.slots[i].curves, state->places.slots[i].n_curves);
  }
  return TRUE;
}

gpointer
lac_imaging_create(const LacExperiment *self,
                   gconstpointer        params,
                   const LacContext    *context,
                   GError             **error)
{
  LacImagingState *state = g_new0(LacImagingState, 1);

  state->laboratory = self->data;
  state->scheduler.n_kept = LAC_IMAGING_MAX_SOLVERS;
  state->context = *context;
  state->scheduler.context = &state->context;
  state->params = g_memdup2(params, self->params.size);
  if (context->perf)
    state->name_score = lac_perf_name(context->perf, N_("compare with the truth"));
  if (!set_up(state, error) || !slot_solvers(state, error)) {
    lac_imaging_destroy(state);
    return NULL;
  }
  score_once(state);
  state->score_every =
    lac_imaging_find_interval(state->laboratory, params, state->scheduler.n_steps);
  lac_rows_forget_texts(&self->params, state->params);
  return state;
}

gboolean
lac_imaging_step(gpointer data, LacStepReport *report, GError **error)
{
  LacImagingState *state = data;

  if (!lac_scheduler_step(&state->scheduler, report, error))
    return FALSE;
  if (report->outcome != LAC_OUTCOME_DIVERGED)
    score(state, report->outcome == LAC_OUTCOME_FINISHED, report);
  lac_scheduler_conclude(&state->scheduler, report);
  return TRUE;
}

gint64
lac_imaging_n_steps(gconstpointer data)
{
  return ((const LacImagingState *) data)->scheduler.n_steps;
}

void
lac_imaging_save(gpointer data, LacStore *store)
{
  lac_scheduler_save(&((LacImagingState *) data)->scheduler, store);
}

gboolean
lac_imaging_load(gpointer data, const LacStore *store, GError **error)
{
  LacImagingState *state = data;

  for (guint s = 0; s < state->scheduler.n; s++)
    state->slots[s].alignment_at = 0;
  state->charts.at = 0;
  return lac_scheduler_load(&((LacImagingState *) data)->scheduler, store, error);
}

void
lac_imaging_retune(gpointer data, gconstpointer params)
{
  LacImagingState *state = data;

  lac_method_table_retune(&state->laboratory->solvers, &state->scheduler,
                          lac_imaging_common(state->laboratory, state->params)->solver, params);
}
