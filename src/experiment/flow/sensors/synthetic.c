/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthetic measurements: positions from the modes, values from the truth with noise and drop-out. */
#include "experiment/flow/sensors/synthetic.h"

#include "experiment/flow/sensors/cache.h"
#include "experiment/flow/sensors/positions.h"
#include "sensor/placement.h"

#include <math.h>
#include <string.h>

/* @titles: non-NULL: their titles instead of their names */
static gpointer
list_placements(gpointer titles)
{
  gsize                            n;
  const LacPlacementMethod *const *methods = lac_placement_methods(&n);
  const char                     **names = g_new0(const char *, n + 1);

  for (gsize i = 0; i < n; i++)
    names[i] = titles ? methods[i]->title : methods[i]->name;
  return names;
}

const char *const *
lac_synthetic_placements(void)
{
  static GOnce once = G_ONCE_INIT;

  return g_once(&once, list_placements, NULL);
}

const char *const *
lac_synthetic_placement_titles(void)
{
  static GOnce once = G_ONCE_INIT;

  return g_once(&once, list_placements, &once);
}

/* Random streams by purpose; the time index is added to the last. */
enum { STREAM_PLACES = 2, STREAM_DROPOUT = 1 << 19, STREAM_NOISE = 1 << 20 };

/* Minimum standard deviation of a noiseless sensor, relative to the fluctuation: the limit of double precision. */
#define LEAST_SIGMA 1e-6

double
lac_synthetic_sigma(double noise, double rms)
{
  return MAX(noise, LEAST_SIGMA) * (rms > 0 ? rms : 1);
}

double
lac_synthetic_rms(const LacTruth *truth, const double *mean, guint f)
{
  const gsize   cells = truth->nx * truth->ny, n = lac_truth_get_length(truth);
  const gsize   n_times = truth->n_training ? truth->n_training : truth->n_times;
  const double *snapshots = truth->n_training ? truth->training : truth->observed;
  double        sum = 0;
  gsize         counted = 0;

  for (gsize i = 0; i < cells && truth->file; i++)
    if (!truth->mask || truth->mask[i]) {
      sum += truth->file->variance[f * cells + i];
      counted++;
    }
  for (gsize k = 0; k < n_times && snapshots; k++)
    for (gsize i = 0; i < cells; i++) {
      const gsize  row = f * cells + i;
      const double part = snapshots[k * n + row] - mean[row];

      if (truth->mask && !truth->mask[i])
        continue;
      sum += part * part;
      counted++;
    }
  return counted ? sqrt(sum / (double) counted) : 0;
}

/* Gathers the rows of the modes at all grid points for the measured fields; without modes, one constant row. */
static double *
gather_modes(const LacTruth *truth, const LacPod *pod, guint fields, gsize *n_modes)
{
  const gsize cells = truth->nx * truth->ny, n_fields = (gsize) __builtin_popcount(fields);
  double     *modes, *next;

  *n_modes = pod ? pod->n_modes : 1;
  next = modes = g_new(double, *n_modes *n_fields *cells);
  for (gsize m = 0; m < *n_modes; m++)
    for (guint f = 0; f < truth->n_fields; f++)
      for (gsize i = 0; i < cells && fields & 1u << f; i++)
        *next++ = pod ? pod->modes[m * pod->n + f * cells + i] : 1;
  return modes;
}

static double *
gather_positions(const LacTruth *truth)
{
  double *positions = g_new(double, 2 * truth->nx * truth->ny);

  for (gsize i = 0; i < truth->nx * truth->ny; i++) {
    positions[2 * i] = lac_truth_get_x(truth, i % truth->nx);
    positions[2 * i + 1] = lac_truth_get_y(truth, i / truth->nx);
  }
  return positions;
}

static double
period_of(const LacTruth *truth, guint axis)
{
  const double n = (double) (axis == 0 ? truth->nx : truth->ny);

  return truth->periodic[axis] && n > 1 ? (truth->upper[axis] - truth->lower[axis]) * n / (n - 1)
                                        : 0;
}

static double
typical_rms(const double *rms, guint n_fields, guint measured)
{
  double sum = 0;

  for (guint f = 0; f < n_fields; f++)
    if (measured & 1u << f)
      sum += rms[f] * rms[f] / (double) __builtin_popcount(measured);
  return sqrt(sum);
}

/* Applies forbidden regions and costs to the problem. @allowed, @cost: [n_points]: storage */
static void
apply_regions(LacPlacementProblem        *problem,
              const LacPlacementMethod   *method,
              const LacSyntheticSettings *settings,
              guint8                     *allowed,
              double                     *cost)
{
  double unit = 0;
  gsize  n_costs = 0;

  for (gsize k = 0; k < settings->n_regions; k++)
    n_costs += settings->regions[k].cost > 0 && isfinite(settings->regions[k].cost);
  if (n_costs > 0 && method->largest_gain)
    unit = method->largest_gain(problem) / 100;
  for (gsize i = 0; i < problem->n_points; i++) {
    const double own = lac_regions_get_cost(settings->regions, settings->n_regions,
                                            problem->positions[i], problem->period);

    allowed[i] = (!problem->allowed || problem->allowed[i]) && !isinf(own);
    cost[i] = isinf(own) ? 0 : own * unit;
  }
  problem->allowed = allowed;
  problem->cost = unit > 0 ? cost : NULL;
}

/* Without modes the positions are random, unless the placement method uses positions only. */
static gboolean
choose_places(const LacTruth             *truth,
              const LacPod               *pod,
              const double               *rms,
              const LacSyntheticSettings *settings,
              gsize                      *places,
              GError                    **error)
{
  gsize                            n_methods, n_modes;
  const LacPlacementMethod *const *methods = lac_placement_methods(&n_methods);
  const LacPlacementMethod        *method = methods[settings->placement];
  g_autofree double               *modes = gather_modes(truth, pod, settings->fields, &n_modes);
  g_autofree double               *positions = gather_positions(truth);
  g_autofree guint8               *allowed = g_new(guint8, truth->nx * truth->ny);
  g_autofree double               *cost = g_new(double, truth->nx * truth->ny);
  LacRng                           rng = lac_rng(settings->seed, STREAM_PLACES);
  LacPlacementProblem              problem = {
                 .modes = modes,
                 .n_modes = n_modes,
                 .n_components = (gsize) __builtin_popcount(settings->fields),
                 .n_points = truth->nx * truth->ny,
                 .deviations = pod ? pod->deviations : NULL,
                 .noise =
                   MAX(settings->noise, LEAST_SIGMA) * typical_rms(rms, truth->n_fields, settings->fields),
                 .allowed = truth->mask,
                 .positions = (const double(*)[2]) positions,
                 .period = {period_of(truth, 0), period_of(truth, 1)},
                 .minimum_distance = settings->minimum_distance,
                 .pool = settings->pool,
  };

  if (!pod && !method->ignores_modes)
    method = lac_placement_find("random", error);
  if (settings->n_regions > 0)
    apply_regions(&problem, method, settings, allowed, cost);
  return lac_cached_positions(method, &problem, &rng, settings, places, error);
}

static gboolean
fill_sensors(LacObservations *observations, const LacTruth *truth, guint fields, GError **error)
{
  gsize next = 0;

  for (guint f = 0; f < truth->n_fields; f++)
    for (gsize k = 0; k < observations->n_stations && fields & 1u << f; k++) {
      LacSensor *sensor = &observations->sensors[next++];

      sensor->x = observations->stations[2 * k];
      sensor->y = observations->stations[2 * k + 1];
      sensor->field = f;
      sensor->station = k;
      if (!lac_positions_stencil(truth, sensor, error))
        return FALSE;
    }
  return TRUE;
}

static void
fill_values(LacObservations            *observations,
            const LacTruth             *truth,
            const double               *rms,
            const LacSyntheticSettings *settings)
{
  for (gsize k = 0; k < truth->n_times; k++) {
    const double *snapshot = lac_truth_at(truth, k);
    LacRng        noise = lac_rng(settings->seed, STREAM_NOISE + k);
    LacRng        lost = lac_rng(settings->seed, STREAM_DROPOUT + k);

    observations->times[k] = truth->times[k];
    for (gsize i = 0; i < observations->n_sensors; i++) {
      const LacSensor *sensor = &observations->sensors[i];
      const double     scale = rms[sensor->field];
      const gsize      at = k * observations->n_sensors + i;

      observations->values[at] =
        lac_sensor_read(sensor, snapshot) + settings->noise * scale * lac_rng_normal(&noise);
      observations->sigma[at] = lac_synthetic_sigma(settings->noise, scale);
      if (k % settings->every != 0 || lac_rng_uniform(&lost) < settings->dropout)
        observations->values[at] = NAN;
    }
  }
}

LacObservations *
lac_synthetic_new(const LacTruth             *truth,
                  const LacPod               *pod,
                  const double               *mean,
                  const LacSyntheticSettings *settings,
                  GError                    **error)
{
  const gsize                n_fields = (gsize) __builtin_popcount(settings->fields);
  g_autofree gsize          *places = g_new0(gsize, settings->n_stations + 1);
  g_autoptr(LacObservations) observations =
    lac_observations_new(settings->n_stations * n_fields, settings->n_stations, truth->n_times);
  double rms[LAC_TRUTH_MAX_FIELDS];

  for (guint f = 0; f < truth->n_fields; f++)
    rms[f] = lac_synthetic_rms(truth, mean, f);
  if (settings->places)
    memcpy(observations->stations, settings->places,
           2 * settings->n_stations * sizeof *settings->places);
  else if (settings->n_stations && !choose_places(truth, pod, rms, settings, places, error))
    return NULL;
  for (gsize k = 0; k < settings->n_stations && !settings->places; k++) {
    observations->stations[2 * k] = lac_truth_get_x(truth, places[k] % truth->nx);
    observations->stations[2 * k + 1] = lac_truth_get_y(truth, places[k] / truth->nx);
  }
  if (!fill_sensors(observations, truth, settings->fields, error))
    return NULL;
  fill_values(observations, truth, rms, settings);
  return g_steal_pointer(&observations);
}
