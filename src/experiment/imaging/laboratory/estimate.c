/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory and time of a run, and how often its methods are evaluated within that time. */
#include "experiment/imaging/laboratory/laboratory-private.h"

#include <math.h>

/* Seconds on the reference machine: to simulate or evaluate a detector pixel, to evaluate an object pixel, and to prepare
 * one. */
#define SECONDS_A_DETECTOR_PIXEL 40e-9
#define SECONDS_AN_OBJECT_PIXEL  80e-9
#define SECONDS_OF_SET_UP        3e-6

/* Returns the number of exposures, if known before files are read. */
static gsize
count_scan(const LacImagingParams *common)
{
  gsize                  n = (gsize) common->apertures;
  g_autofree LacScanBox *scan = NULL;

  if (!common->measurements && !common->pattern_file)
    scan = lac_imaging_new_scan(common, 1, NULL, &n, NULL);
  return n;
}

static double
count_frame_bytes(const LacImagingParams *common, const LacImagingSize *size, gsize n_solvers)
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

static LacImagingSize
find_size(const LacImagingParams *common)
{
  const LacOpticsSettings settings = lac_imaging_optics(common);

  return (LacImagingSize){
    .n_positions = count_scan(common),
    .detector = settings.patch ? settings.patch
                               : lac_optics_choose_detector(&settings.aperture, settings.grid),
    .support = settings.support,
    .grid = settings.grid,
    .radius = settings.aperture.radius,
    .has_phase = !common->is_real,
    .is_unconstrained = lac_imaging_is_unconstrained(common),
  };
}

/* Adds up the methods, without evaluations. Returns: their number. */
static gsize
add_methods(const LacImaging     *laboratory,
            gconstpointer         params,
            const LacImagingSize *size,
            LacEstimate          *result)
{
  const gint64 list = lac_imaging_common(laboratory, params)->solver;
  guint        n = 0;

  *result = (LacEstimate){.n_steps = 1};
  for (; lac_list_get(list, n) >= 0; n++) {
    const guint e = (guint) lac_list_get(list, n);
    LacEstimate one = {0};

    lac_imaging_solver(laboratory, e)
      ->estimate(lac_imaging_solver_params(laboratory, e, params), size, &one);
    lac_estimate_add(result, &one);
  }
  return n;
}

static double
count_seconds(const LacImagingSize *size, gsize n_methods)
{
  const double object = (double) (size->support * size->support);
  const double all = (double) (size->n_positions * size->detector * size->detector);

  return (double) n_methods * (SECONDS_A_DETECTOR_PIXEL * all + SECONDS_AN_OBJECT_PIXEL * object);
}

gint64
lac_imaging_find_interval(const LacImaging *laboratory, gconstpointer params, gint64 n_steps)
{
  const LacImagingParams *common = lac_imaging_common(laboratory, params);
  const LacImagingSize    size = find_size(common);
  LacEstimate             methods;
  const gsize             n = add_methods(laboratory, params, &size, &methods);

  return lac_evaluation_interval(common->score, n_steps, methods.seconds_per_step,
                                 count_seconds(&size, n));
}

void
lac_imaging_estimate(const LacExperiment *self, gconstpointer params, LacEstimate *result)
{
  const LacImaging       *laboratory = self->data;
  const LacImagingParams *common = lac_imaging_common(laboratory, params);
  const LacImagingSize    size = find_size(common);
  const double            object = (double) (size.support * size.support);
  const double            all = (double) (size.n_positions * size.detector * size.detector);
  const gsize             n = add_methods(laboratory, params, &size, result);
  const gint64            every = lac_evaluation_interval(common->score, result->n_steps,
                                                          result->seconds_per_step, count_seconds(&size, n));

  result->seconds_per_step += count_seconds(&size, n) / (double) every;
  result->seconds_setup += SECONDS_A_DETECTOR_PIXEL * all + SECONDS_OF_SET_UP * object;
  result->memory_bytes += sizeof(double) * all + 10 * sizeof(double) * object;
  result->frame_bytes = count_frame_bytes(common, &size, n) +
                        lac_imaging_count_chart_bytes(laboratory, params, size.support);
}
