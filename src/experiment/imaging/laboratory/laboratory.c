/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The experiments of the imaging laboratory, made from the objects. */
#include "experiment/imaging/laboratory/laboratory.h"

#include "base/error.h"
#include "experiment/imaging/laboratory/laboratory-private.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

/* Seconds on the reference machine: of a detector pixel that is simulated or judged, of an object pixel that is judged. */
#define SECONDS_A_DETECTOR_PIXEL 40e-9
#define SECONDS_AN_OBJECT_PIXEL  1.5e-6

static gboolean
check_object(const LacImaging *laboratory, gconstpointer params, GError **error)
{
  const LacImagingParams *common = lac_imaging_common(laboratory, params);
  const LacObjectScene   *scene = laboratory->scene;
  const gsize             side = lac_imaging_find_scale(laboratory, common).side;
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
                "low = %g is not below high = %g; between them the object lies", common->low,
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

/* Where the apertures are known before the files are read. */
static gboolean
check_scan(const LacImaging *laboratory, const LacImagingParams *common, GError **error)
{
  LacOpticsSettings    settings = lac_imaging_optics(laboratory, common);
  g_autofree LacVisit *visits = NULL;

  if (common->measurements || common->pattern_file)
    return TRUE;
  visits = lac_imaging_new_scan(common, 1, NULL, &settings.n_visits, error);
  settings.visits = visits;
  return visits && lac_optics_check(&settings, error);
}

static gboolean
check_solvers(const LacImaging *laboratory, gconstpointer params, GError **error)
{
  const LacImagingParams   *common = lac_imaging_common(laboratory, params);
  const LacRetrievalProblem problem = {
    .common = lac_imaging_retrieval(laboratory, params),
    .is_real = common->is_real != 0,
    .bounded = common->bounds != 0,
    .low = common->low,
    .high = common->high,
  };

  for (guint i = 0; lac_list_get(common->solver, i) >= 0; i++) {
    const guint         s = (guint) lac_list_get(common->solver, i);
    const LacRetrieval *solver = laboratory->solvers[s];

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
         check_scan(laboratory, common, error) && check_solvers(laboratory, params, error);
}

/* How many exposures there will be, as far as that is known before files are read. */
static gsize
count_visits(const LacImagingParams *common)
{
  gsize                n = (gsize) common->apertures;
  g_autofree LacVisit *visits = NULL;

  if (!common->measurements && !common->pattern_file)
    visits = lac_imaging_new_scan(common, 1, NULL, &n, NULL);
  return n;
}

static double
count_frame_bytes(const LacImagingParams *common, const LacRetrievalSize *size, gsize n_solvers)
{
  const gsize  n_truth = lac_imaging_has_truth(common) ? 1 : 0;
  const gsize  n_phases = common->is_real ? 0 : n_truth + n_solvers;
  const gsize  n_objects = 2 * n_truth + n_solvers + 1 + n_phases;
  const double window = (double) lac_imaging_window(common);
  const double s = (double) size->support, d = (double) size->detector;

  return sizeof(float) *
         ((double) n_objects * s * s + (double) (n_truth + n_solvers + 1) * window * window +
          (double) (1 + n_solvers) * d * d);
}

static LacRetrievalSize
find_size(const LacImaging *laboratory, const LacImagingParams *common)
{
  const LacOpticsSettings settings = lac_imaging_optics(laboratory, common);

  return (LacRetrievalSize){
    .n_visits = count_visits(common),
    .detector = settings.patch ? settings.patch
                               : lac_optics_choose_detector(&settings.aperture, settings.grid),
    .support = settings.support,
    .grid = settings.grid,
    .radius = settings.aperture.radius,
    .has_phase = !common->is_real,
  };
}

static void
estimate(const LacExperiment *self, gconstpointer params, LacEstimate *result)
{
  const LacImaging       *laboratory = self->data;
  const LacImagingParams *common = lac_imaging_common(laboratory, params);
  const LacRetrievalSize  size = find_size(laboratory, common);
  const double            s2 = (double) (size.support * size.support);
  const double            all = (double) (size.n_visits * size.detector * size.detector);
  double                  seconds = 0, n_judged;
  gsize                   n_solvers = 0;

  *result = (LacEstimate){.n_steps = 1};
  for (guint i = 0; lac_list_get(common->solver, i) >= 0; i++, n_solvers++) {
    const guint e = (guint) lac_list_get(common->solver, i);
    LacEstimate one = {0};

    laboratory->solvers[e]->estimate(lac_imaging_solver_params(laboratory, e, params), &size, &one);
    result->memory_bytes += one.memory_bytes;
    result->seconds_setup += one.seconds_setup;
    result->n_steps = MAX(result->n_steps, one.n_steps);
    seconds += one.seconds_per_step * (double) one.n_steps;
  }
  n_judged = common->judge ? ceil((double) result->n_steps / (double) common->judge)
                           : MIN(100, (double) result->n_steps);
  seconds +=
    n_judged * (double) n_solvers * (SECONDS_A_DETECTOR_PIXEL * all + SECONDS_AN_OBJECT_PIXEL * s2);
  result->seconds_setup += SECONDS_A_DETECTOR_PIXEL * all + 2 * SECONDS_AN_OBJECT_PIXEL * s2;
  result->memory_bytes += sizeof(double) * all + 10 * sizeof(double) * s2;
  result->seconds_per_step = seconds / (double) result->n_steps;
  result->frame_bytes = count_frame_bytes(common, &size, n_solvers) +
                        lac_imaging_count_chart_bytes(laboratory, params, size.support);
}

static gboolean
uses_device(const LacExperiment *self, gconstpointer params, GString *apart)
{
  const LacImaging       *laboratory = self->data;
  const LacImagingParams *common = lac_imaging_common(laboratory, params);
  gboolean                uses = FALSE;

  for (guint i = 0; lac_list_get(common->solver, i) >= 0; i++) {
    const guint         s = (guint) lac_list_get(common->solver, i);
    const LacRetrieval *solver = laboratory->solvers[s];

    if (solver->processor_only)
      lac_experiment_add_apart(apart, solver->name);
    else if (solver->add_apart)
      solver->add_apart(lac_imaging_solver_params(laboratory, s, params), apart);
    uses = uses || !solver->processor_only;
  }
  return uses;
}

static char *
dup_warning(const LacExperiment *self, gconstpointer params)
{
  const LacImaging       *laboratory = self->data;
  const LacImagingParams *common = lac_imaging_common(laboratory, params);
  LacOpticsSettings       settings = lac_imaging_optics(laboratory, common);
  g_autofree LacVisit    *visits = NULL;
  LacPatternStatistics    statistics;

  if (common->measurements || common->pattern_file)
    return NULL;
  visits = lac_imaging_new_scan(common, 1, NULL, &settings.n_visits, NULL);
  settings.visits = visits;
  if (!visits || !lac_optics_check(&settings, NULL))
    return NULL;
  lac_pattern_judge(&settings, MIN(lac_imaging_extent(common), (double) settings.grid), NULL,
                    &statistics);
  return lac_pattern_dup_warning(&statistics);
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
    .family = scene->body ? N_("Images of bodies of the sky") : N_("Images of charts and pictures"),
    .precision = "f64",
    .data = laboratory,
    .params = laboratory->table,
    .outline = lac_imaging_outline,
    .check = check,
    .warn = dup_warning,
    .estimate = estimate,
    .create = lac_imaging_create,
    .destroy = lac_imaging_destroy,
    .step = lac_imaging_step,
    .n_steps = lac_imaging_n_steps,
    .shapes = lac_imaging_shapes,
    .snapshot = lac_imaging_snapshot,
    .save = lac_imaging_save,
    .load = lac_imaging_load,
    .exposures = lac_imaging_exposures,
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
