/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Experiments of the imaging laboratory, one per object, and their frames. */
#include "experiment/imaging/laboratory/laboratory.h"

#include "base/error.h"
#include "experiment/imaging/laboratory/laboratory-private.h"
#include "experiment/imaging/metrics/metrics.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

/* ---- frames ---- */

/* A frame has the object as truth, methods and references show it, its spectrum, the coverage, and the detector at
 * the current aperture. Rows of an image go downwards, those of a plane upwards. */

/* Cursor over the planes of a frame. */
typedef struct {
  LacImagingState *state;
  LacPlane        *next;
  gsize            position; /* of the detector image */
} Filling;

static void
set_axes(LacPlane *plane, double first, double step)
{
  const double last = first + step * ((double) plane->nx - 1);

  plane->x_min = first;
  plane->x_max = last;
  plane->y_min = -last;
  plane->y_max = -first;
}

/* @image: [n][n] */
static void
fill_image(LacPlane *plane, const double *image, double first, double step)
{
  const gsize n = plane->nx;

  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < n; x++)
      plane->data[(n - 1 - y) * n + x] = (float) image[y * n + x];
  set_axes(plane, first, step);
}

static void
fill_object(const LacImagingState *state, LacPlane *plane, const double *image)
{
  const LacExposures *exposures = state->exposures;
  const double        first = (double) ((exposures->grid - exposures->support) / 2);

  fill_image(plane, image, first - (double) (exposures->grid / 2), 1);
}

static void
place_window(const LacImagingState *state, LacPlane *plane)
{
  set_axes(plane, -(double) (state->spectrum.window / 2), 1);
}

static void
add_truth_spectrum(Filling *to)
{
  const LacSpectrumView *view = &to->state->spectrum;

  memcpy(to->next->data, view->truth, view->window * view->window * sizeof(float));
  place_window(to->state, to->next++);
}

/* Returns the number of exposures, in their order, that method @s has used. */
static gsize
count_visited(const LacImagingState *state, guint s)
{
  const LacImagingSlot *slot = &state->slots[s];

  if (!slot->solver->n_visited)
    return state->exposures->n_positions;
  return MIN(slot->solver->n_visited(slot->self), state->exposures->n_positions);
}

static void
add_coverage(Filling *to)
{
  LacImagingState *state = to->state;

  lac_spectrum_view_fill_coverage(&state->spectrum, count_visited(state, 0), to->next->data);
  place_window(state, to->next++);
}

static void
add_detector(Filling *to, const double *image)
{
  const double d = (double) to->state->exposures->d;
  const double step = (double) to->state->exposures->grid / d;

  fill_image(to->next++, image, -step * (double) (to->state->exposures->d / 2), step);
}

static void
fill_phase(LacImagingState *state, LacPlane *plane, const double complex *object)
{
  const gsize n = state->side * state->side;

  for (gsize i = 0; i < n; i++)
    state->image[i] = (double) atan2f((float) cimag(object[i]), (float) creal(object[i]));
  fill_object(state, plane, state->image);
}

static gboolean
shows_similarity(const LacImagingState *state)
{
  return state->truth != NULL && lac_imaging_common(state->laboratory, state->params)->ssim_map;
}

/* Planes of the object, in the order of a frame. */
typedef struct {
  LacPlane *amplitude, *phase, *similarity;
} ObjectPlanes;

/* Local similarity of the method's image with the truth. */
static void
fill_similarity(LacImagingState *state, LacPlane *plane)
{
  const LacScratchMark mark = lac_scratch_mark(state->scratch);
  double *map = lac_scratch_take(state->scratch, state->side * state->side * sizeof *map);

  lac_image_ssim_map(state->image, state->modulus, state->side, 1, map);
  fill_object(state, plane, map);
  lac_scratch_release(state->scratch, mark);
}

static void
add_method(LacImagingState *state, guint s, ObjectPlanes *to)
{
  lac_imaging_take_object(state, s);
  if (!state->problem.is_real)
    fill_phase(state, to->phase++, state->object);
  lac_imaging_show(state->problem.is_real, state->object, state->side * state->side, state->image);
  fill_object(state, to->amplitude++, state->image);
  if (shows_similarity(state))
    fill_similarity(state, to->similarity++);
}

static void
add_objects(Filling *to)
{
  LacImagingState *state = to->state;
  const gsize      n_truth = state->truth != NULL, n_methods = state->scheduler.n;
  ObjectPlanes     planes = {.amplitude = to->next};

  planes.phase = planes.amplitude + 2 * n_truth + n_methods + 1;
  planes.similarity = planes.phase + (state->problem.is_real ? 0 : n_truth + n_methods);
  if (state->truth)
    fill_object(state, planes.amplitude++, state->modulus);
  if (state->truth && !state->problem.is_real)
    fill_phase(state, planes.phase++, state->truth);
  for (guint s = 0; s < n_methods; s++)
    add_method(state, s, &planes);
  fill_object(state, planes.amplitude++, state->references[LAC_REFERENCE_SINGLE]);
  if (state->truth)
    fill_object(state, planes.amplitude, state->references[LAC_REFERENCE_BAND]);
  to->next = planes.similarity;
}

static void
add_spectra(Filling *to)
{
  LacImagingState *state = to->state;

  if (state->truth)
    add_truth_spectrum(to);
  for (guint s = 0; s < state->scheduler.n; s++) {
    state->slots[s].solver->object(state->slots[s].self, state->object);
    lac_spectrum_view_fill(&state->spectrum, state->object, to->next->data);
    place_window(state, to->next++);
  }
}

static void
add_detectors(Filling *to)
{
  LacImagingState *state = to->state;

  add_detector(to, lac_exposures_image(state->exposures, to->position));
  for (guint s = 0; s < state->scheduler.n; s++) {
    state->slots[s].solver->predict(state->slots[s].self, to->position, state->image);
    add_detector(to, state->image);
  }
}

/* Returns the exposure being processed; for a method that uses all at once, a different one at each step. */
static gsize
current_position(const LacImagingState *state)
{
  const gsize n = state->exposures->n_positions, visited = count_visited(state, 0);

  if (visited < n)
    return visited > 0 ? visited - 1 : 0;
  return (gsize) (state->scheduler.step % (gint64) n);
}

/* Places a marker at the middle of each line; positions not processed yet are NaN. */
static void
fill_markers(const LacImagingState *state, gsize current, LacFrame *frame)
{
  const gsize visited = count_visited(state, 0);

  for (gsize i = 0; i < frame->n_markers; i++) {
    const gboolean    is_current = i + 1 == frame->n_markers;
    const gsize       v = is_current ? current : i;
    const LacScanBox *position = &state->exposures->scan[v];
    const gboolean    is_there = v < visited || is_current;

    frame->markers[i] = (LacMarker){
      .x = is_there ? (position->x + position->end_x) / 2 : (double) NAN,
      .y = is_there ? -(position->y + position->end_y) / 2 : (double) NAN,
      .kind = g_intern_static_string(is_current ? "selected" : "aperture"),
    };
  }
}

static void
shapes(gconstpointer data, gsize (*sizes)[2], gsize *n_markers)
{
  const LacImagingState *state = data;
  const gsize            n_truth = state->truth != NULL, n_solvers = state->scheduler.n;
  const gsize            n_objects = n_truth + n_solvers + 1 + n_truth;
  const gsize            n_phases = state->problem.is_real ? 0 : n_truth + n_solvers;
  const gsize            n_maps = shows_similarity(state) ? n_solvers : 0;
  const gsize            n_images = n_objects + n_phases + n_maps;
  const gsize            n_windows = n_truth + n_solvers + 1;
  const gsize ends[] = {n_images, n_images + n_windows, n_images + n_windows + 1 + n_solvers};
  const gsize sides[] = {state->side, state->spectrum.window, state->exposures->d};
  gsize       next = 0;

  for (guint kind = 0; kind < G_N_ELEMENTS(ends); kind++)
    for (; next < ends[kind]; next++)
      sizes[next][0] = sizes[next][1] = sides[kind];
  lac_imaging_shape_charts(state, sizes + next);
  *n_markers = state->exposures->n_positions + 1;
}

static void
snapshot(gpointer data, LacFrame *frame, LacPending *pending)
{
  LacImagingState *state = data;
  Filling          to = {state, frame->planes, current_position(state)};

  add_objects(&to);
  add_spectra(&to);
  add_coverage(&to);
  add_detectors(&to);
  lac_imaging_fill_charts(state, to.next);
  fill_markers(state, to.position, frame);
}

static char *
dup_pattern(gconstpointer data)
{
  const LacExposures *exposures = ((const LacImagingState *) data)->exposures;

  return lac_pattern_dup_csv(exposures->scan, exposures->n_positions);
}

/* ---- experiments ---- */

static gboolean
check_object(const LacImaging *laboratory, gconstpointer params, GError **error)
{
  const LacImagingParams *common = lac_imaging_common(laboratory, params);
  const LacObjectScene   *scene = laboratory->scene;
  const gsize             side = lac_imaging_find_scale(common).side;
  const gboolean          is_drawn = !common->object;

  if (common->measurements && !lac_imaging_has_truth(common))
    return TRUE;
  if (side == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "at this distance and wavelength the object is smaller than a pixel; raise grid "
                "or k_pixel, or set size");
    return FALSE;
  }
  if (common->phase == LAC_OBJECT_PHASE_PICTURE && !common->phase_picture) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "phase = picture needs one: set phase_picture");
    return FALSE;
  }
  return !is_drawn || !scene->check || scene->check(params, side, error);
}

static gboolean
check_prior(const LacImagingParams *common, GError **error)
{
  if (common->bounds && common->low >= common->high) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "low = %g must be below high = %g: they bound the object", common->low,
                common->high);
    return FALSE;
  }
  if (common->is_real && common->phase != LAC_OBJECT_PHASE_NONE) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "an object with a phase is not real: set is_real = no, or phase = none");
    return FALSE;
  }
  return TRUE;
}

/* Checks the scan positions if they are known before files are read. */
static gboolean
check_scan(const LacImagingParams *common, GError **error)
{
  LacOpticsSettings      settings = lac_imaging_optics(common);
  g_autofree LacScanBox *scan = NULL;

  if (common->measurements || common->pattern_file)
    return TRUE;
  scan = lac_imaging_new_scan(common, 1, NULL, &settings.n_positions, error);
  settings.scan = scan;
  return scan && lac_optics_check(&settings, error);
}

static gboolean
check_solvers(const LacImaging *laboratory, gconstpointer params, GError **error)
{
  const LacImagingParams *common = lac_imaging_common(laboratory, params);
  const LacImagingProblem problem = {
    .common = lac_imaging_get_method(laboratory, params),
    .is_real = common->is_real != 0,
    .bounded = common->bounds != 0,
    .low = common->low,
    .high = common->high,
  };

  for (guint i = 0; lac_list_get(common->solver, i) >= 0; i++) {
    const guint             s = (guint) lac_list_get(common->solver, i);
    const LacImagingMethod *solver = lac_imaging_solver(laboratory, s);

    if (solver->check &&
        !solver->check(lac_imaging_solver_params(laboratory, s, params), &problem, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
check(const LacExperiment *self, gconstpointer params, GError **error)
{
  const LacImaging       *laboratory = self->data;
  const LacImagingParams *common = lac_imaging_common(laboratory, params);

  return check_object(laboratory, params, error) && check_prior(common, error) &&
         lac_imaging_check_instrument(common, error) && check_scan(common, error) &&
         check_solvers(laboratory, params, error);
}

static gboolean
uses_device(const LacExperiment *self G_GNUC_UNUSED,
            gconstpointer params      G_GNUC_UNUSED,
            GString *apart            G_GNUC_UNUSED)
{
  return TRUE;
}

static char *
dup_pattern_warning(const LacImagingParams *common)
{
  LacOpticsSettings      settings = lac_imaging_optics(common);
  g_autofree LacScanBox *scan = NULL;
  LacPatternStatistics   statistics;

  if (common->measurements || common->pattern_file)
    return NULL;
  scan = lac_imaging_new_scan(common, 1, NULL, &settings.n_positions, NULL);
  settings.scan = scan;
  if (!scan || !lac_optics_check(&settings, NULL))
    return NULL;
  lac_pattern_evaluate(&settings, MIN(lac_imaging_extent(common), (double) settings.grid), NULL,
                       &statistics);
  return lac_pattern_dup_warning(&statistics);
}

static char *
dup_warning(const LacExperiment *self, gconstpointer params)
{
  const LacImagingParams *common = lac_imaging_common(self->data, params);
  char                   *warning = lac_imaging_dup_instrument_warning(common);

  return warning != NULL ? warning : dup_pattern_warning(common);
}

static LacExperiment *
make_experiment(const LacObjectScene *scene)
{
  LacExperiment      *experiment = g_new(LacExperiment, 1);
  LacImaging         *laboratory = lac_imaging_compose(scene);
  const LacExperiment shape = {
    .name = scene->name,
    .title = scene->title,
    .laboratory = "imaging",
    .summary = scene->summary,
    .source = scene->source,
    .caution = scene->caution,
    .family =
      scene->body ? N_("Images of celestial bodies") : N_("Images of test charts and photographs"),
    .precision = "f64",
    .data = laboratory,
    .params = laboratory->table,
    .outline = lac_imaging_outline,
    .check = check,
    .warn = dup_warning,
    .estimate = lac_imaging_estimate,
    .create = lac_imaging_create,
    .destroy = lac_imaging_destroy,
    .step = lac_imaging_step,
    .n_steps = lac_imaging_n_steps,
    .shapes = shapes,
    .snapshot = snapshot,
    .save = lac_imaging_save,
    .load = lac_imaging_load,
    .exposures = lac_imaging_exposures,
    .pattern = dup_pattern,
    .uses_device = uses_device,
    .retune = lac_imaging_retune,
    .planning = &lac_imaging_planning,
    .preview = &lac_imaging_preview,
  };

  memcpy(experiment, &shape, sizeof shape);
  lac_experiment_show_defaults(experiment);
  return experiment;
}

static gpointer
make_all(gpointer data G_GNUC_UNUSED)
{
  gsize                        n;
  const LacObjectScene *const *scenes = lac_object_scenes(&n);
  const LacExperiment        **made = g_new0(const LacExperiment *, n + 1);

  for (gsize i = 0; i < n; i++)
    made[i] = make_experiment(scenes[i]);
  return made;
}

const LacExperiment *const *
lac_imaging_experiments(gsize *n_experiments)
{
  static GOnce once = G_ONCE_INIT;

  g_once(&once, make_all, NULL);
  lac_object_scenes(n_experiments);
  return once.retval;
}
