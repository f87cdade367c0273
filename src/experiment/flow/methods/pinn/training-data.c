/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Magnitudes of the fields, the pool of candidates, and calibration at held-out positions. */
#include "experiment/flow/methods/pinn/training-data.h"

#include <math.h>
#include <string.h>

#define MOST_AT_ONCE 8192 /* candidates per replay */
#define SIZE_SAMPLES 256  /* samples of each condition, to estimate the magnitude of the fields */
#define STREAM_SIZES 2
#define STREAM_HELD  3
#define LEAST_SCALE  0.1 /* limits the correction of an overestimated deviation to a factor of ten */

/* ---- life ---- */

typedef struct {
  double n, sum, squares;
} Moments;

static void
add(Moments *moments, double value)
{
  moments->n++;
  moments->sum += value;
  moments->squares += value * value;
}

/* Computes the moments of each field: from the training sensors if it is measured, otherwise from the conditions. */
static void
measure_fields(const LacPinnTrainingData *training, Moments *seen, Moments *said)
{
  const LacObservations *observations = training->observations;
  const LacCase         *subject = &training->subject;
  LacRng                 rng = lac_rng(training->context.seed, STREAM_SIZES);

  for (gsize k = 0; observations && k < observations->n_times; k++)
    for (gsize i = 0; i < observations->n_sensors; i++) {
      const double value = observations->values[k * observations->n_sensors + i];

      if (isfinite(value) && !training->held_out[observations->sensors[i].station])
        add(&seen[observations->sensors[i].field], value);
    }
  for (gsize c = 0; c < subject->n_conditions; c++)
    for (gsize i = 0; i < SIZE_SAMPLES; i++) {
      double x[LAC_PDE_MAX_AXES], values[LAC_CONDITION_VALUES] = {0};

      subject->conditions[c].sample(subject, &rng, x, values);
      for (guint field = 0; field < subject->pde->n_fields; field++)
        if (subject->conditions[c].fields & (1u << field))
          add(&said[field], values[field]);
    }
}

/* Scales outputs of magnitude 1 to that of the fields; hard conditions define their own scale. */
static void
size_fields(LacPinnTrainingData *training)
{
  Moments seen[LAC_PDE_MAX_FIELDS] = {{0}}, said[LAC_PDE_MAX_FIELDS] = {{0}};

  if (training->subject.hard)
    return;
  measure_fields(training, seen, said);
  for (guint i = 0; i < training->subject.pde->n_fields; i++) {
    const Moments *moments = seen[i].n > 1 ? &seen[i] : &said[i];
    double         mean, size;

    if (moments->n < 2)
      continue;
    mean = moments->sum / moments->n;
    size = sqrt(MAX(moments->squares / moments->n - mean * mean, 0));
    if (size > 1e-6 * fabs(mean) && size > 0) {
      training->model.offset[i] = mean;
      training->model.size[i] = size;
    } else if (mean != 0) {
      training->model.size[i] = fabs(mean);
    }
  }
}

static void
hold_out(LacPinnTrainingData *training)
{
  const LacObservations *observations = training->observations;
  const gsize            n = observations ? observations->n_stations : 0;
  const gsize            n_held = (n * (gsize) training->params.held_out + 50) / 100;
  LacRng                 rng = lac_rng(training->context.seed, STREAM_HELD);
  g_autofree gsize      *order = g_new(gsize, n + 1);

  training->held_out = g_new0(guint8, n + 1);
  for (gsize i = 0; i < n; i++)
    order[i] = i;
  lac_rng_shuffle(&rng, order, n);
  for (gsize i = 0; i < n_held && i + 1 < n; i++)
    training->held_out[order[i]] = 1;
}

static gboolean
make_pool(LacPinnTrainingData *training, GError **error)
{
  const LacPinnParams *params = &training->params;
  const LacPde        *pde = training->subject.pde;

  training->n_pool = (gsize) (params->points * params->pool);
  training->candidates = g_new0(double, training->n_pool * pde->n_axes);
  training->residuals = g_new0(double, training->n_pool * pde->n_residuals);
  training->sizes = g_new0(double, training->n_pool);
  training->keys = g_new0(double, training->n_pool);
  training->chosen = g_new0(gsize, params->points);
  training->pool = lac_pinn_probe_new(&training->model, TRUE, MIN(training->n_pool, MOST_AT_ONCE),
                                      &training->context, error);
  return training->pool != NULL;
}

LacPinnTrainingData *
lac_pinn_training_data_new(const LacPinnParams *params, const LacProblem *problem, GError **error)
{
  g_autoptr(LacPinnTrainingData) training = g_new0(LacPinnTrainingData, 1);
  const LacPerf                 *perf = problem->context->perf;

  training->params = *params;
  training->context = *problem->context;
  training->subject = *problem->subject;
  training->grid = problem->grid;
  if (problem->observations && problem->observations->n_sensors)
    training->observations = problem->observations;
  training->stages = lac_pinn_params_get_stages(params);
  if (perf) {
    training->name_optimise = lac_perf_name(problem->context->perf, "optimiser iteration");
    training->name_refresh = lac_perf_name(problem->context->perf, "choose points");
  }
  lac_pinn_model_init(&training->model, &training->subject);
  lac_pinn_params_fill_model(params, &training->model);
  training->model.network.seed = problem->context->seed;
  hold_out(training);
  size_fields(training);
  training->order = g_new0(gsize, params->points * params->pool);
  if ((params->rule == LAC_PINN_POINTS_RAD || params->rule == LAC_PINN_POINTS_RAR) &&
      !make_pool(training, error))
    return NULL;
  return g_steal_pointer(&training);
}

LacPinnLossSettings
lac_pinn_training_data_get_loss(const LacPinnTrainingData *training)
{
  const LacPinnParams *params = &training->params;

  return (LacPinnLossSettings){
    .model = training->model,
    .n_points = (gsize) params->points,
    .n_condition = (gsize) params->condition_points,
    .observations = training->observations,
    .held_out = training->held_out,
    .residual_weight = params->residual_weight,
    .condition_weight = params->condition_weight,
    .data_weight = params->data_weight,
  };
}

void
lac_pinn_training_data_free(LacPinnTrainingData *training)
{
  if (!training)
    return;
  lac_pinn_probe_free(training->pool);
  g_free(training->held_out);
  g_free(training->candidates);
  g_free(training->residuals);
  g_free(training->sizes);
  g_free(training->keys);
  g_free(training->chosen);
  g_free(training->order);
  g_free(training);
}

void
lac_pinn_training_data_choose(LacPinnTrainingData *training, LacRng *rng, gsize n, double *x)
{
  const LacPinnParams *params = &training->params;
  const guint          n_axes = training->subject.pde->n_axes;

  lac_collocation_weigh(training->sizes, training->n_pool, params->rad_power, params->rad_offset,
                        training->sizes);
  lac_collocation_choose_weighted(rng, training->sizes, training->keys, training->n_pool,
                                  training->chosen, n);
  for (gsize i = 0; i < n; i++)
    memcpy(x + i * n_axes, training->candidates + training->chosen[i] * n_axes,
           n_axes * sizeof(double));
}

/* ---- held-out sensors ---- */

gsize
lac_pinn_held_points(const LacCase         *subject,
                     const LacObservations *observations,
                     const guint8          *held_out,
                     double                *x)
{
  const guint n_axes = subject->pde->n_axes, first = lac_case_first_axis(subject);
  gsize       n = 0;

  for (gsize k = 0; observations && k < observations->n_times; k++)
    for (gsize i = 0; i < observations->n_stations; i++) {
      if (!held_out[i])
        continue;
      if (x) {
        double *point = x + n * n_axes;

        if (first)
          point[0] = observations->times[k];
        for (guint j = first; j < MIN(n_axes, first + 2); j++)
          point[j] = observations->stations[2 * i + j - first];
      }
      n++;
    }
  return n;
}

/* Returns the index of every held-out station among those of one time. */
static gsize
find_rank(const guint8 *held_out, gsize station)
{
  gsize rank = 0;

  for (gsize i = 0; i < station; i++)
    rank += held_out[i];
  return rank;
}

double
lac_pinn_held_scale(const LacCase         *subject,
                    const LacObservations *observations,
                    const guint8          *held_out,
                    const double          *mean,
                    const double          *deviation)
{
  const gsize n = lac_pinn_held_points(subject, observations, held_out, NULL);
  double      left = 0, believed = 0;

  if (n == 0)
    return 1;
  for (gsize s = 0; s < observations->n_sensors; s++) {
    const LacSensor *sensor = &observations->sensors[s];
    const gsize      a_time = n / observations->n_times;
    const gsize      rank = find_rank(held_out, sensor->station);

    for (gsize k = 0; held_out[sensor->station] && k < observations->n_times; k++) {
      const gsize  at = sensor->field * n + k * a_time + rank;
      const double value = observations->values[k * observations->n_sensors + s];
      const double sigma = observations->sigma[k * observations->n_sensors + s];

      if (!isfinite(value))
        continue;
      left += (value - mean[at]) * (value - mean[at]) - sigma * sigma;
      believed += deviation[at] * deviation[at];
    }
  }
  return believed > 0 ? sqrt(MAX(left / believed, LEAST_SCALE * LEAST_SCALE)) : 1;
}
