/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The moments of the fields, the pool of candidates, and the moments of the error at held-out places. */
#include "experiment/flow/engines/pinn/course.h"

#include <math.h>
#include <string.h>

#define MOST_AT_ONCE 8192 /* candidates in one replay */
#define SIZE_SAMPLES 256  /* of each condition, to see how large the fields are */
#define STREAM_SIZES 2
#define STREAM_HELD  3
#define LEAST_SCALE  0.1 /* nobody is ten times as sure as they believe */

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

/* Of each field: what the sensors that are learnt from saw of it, else what the conditions say. */
static void
measure_fields(const LacPinnCourse *course, Moments *seen, Moments *said)
{
  const LacObservations *observations = course->observations;
  const LacCase         *subject = &course->subject;
  LacRng                 rng = lac_rng(course->context.seed, STREAM_SIZES);

  for (gsize k = 0; observations && k < observations->n_times; k++)
    for (gsize i = 0; i < observations->n_sensors; i++) {
      const double value = observations->values[k * observations->n_sensors + i];

      if (isfinite(value) && !course->held_out[observations->sensors[i].station])
        add(&seen[observations->sensors[i].field], value);
    }
  for (gsize c = 0; c < subject->n_conditions; c++)
    for (gsize i = 0; i < SIZE_SAMPLES; i++) {
      double x[LAC_PDE_MAX_AXES], values[LAC_PDE_MAX_FIELDS] = {0};

      subject->conditions[c].sample(subject, &rng, x, values);
      for (guint field = 0; field < subject->pde->n_fields; field++)
        if (subject->conditions[c].fields & (1u << field))
          add(&said[field], values[field]);
    }
}

/* Outputs of size 1 become fields of their size; a hard condition has its own idea of that. */
static void
size_fields(LacPinnCourse *course)
{
  Moments seen[LAC_PDE_MAX_FIELDS] = {{0}}, said[LAC_PDE_MAX_FIELDS] = {{0}};

  if (course->subject.hard)
    return;
  measure_fields(course, seen, said);
  for (guint i = 0; i < course->subject.pde->n_fields; i++) {
    const Moments *moments = seen[i].n > 1 ? &seen[i] : &said[i];
    double         mean, size;

    if (moments->n < 2)
      continue;
    mean = moments->sum / moments->n;
    size = sqrt(MAX(moments->squares / moments->n - mean * mean, 0));
    if (size > 1e-6 * fabs(mean) && size > 0) {
      course->model.offset[i] = mean;
      course->model.size[i] = size;
    } else if (mean != 0) {
      course->model.size[i] = fabs(mean);
    }
  }
}

static void
hold_out(LacPinnCourse *course)
{
  const LacObservations *observations = course->observations;
  const gsize            n = observations ? observations->n_stations : 0;
  const gsize            n_held = (n * (gsize) course->params.held_out + 50) / 100;
  LacRng                 rng = lac_rng(course->context.seed, STREAM_HELD);
  g_autofree gsize      *order = g_new(gsize, n + 1);

  course->held_out = g_new0(guint8, n + 1);
  for (gsize i = 0; i < n; i++)
    order[i] = i;
  lac_rng_shuffle(&rng, order, n);
  for (gsize i = 0; i < n_held && i + 1 < n; i++)
    course->held_out[order[i]] = 1;
}

static gboolean
make_pool(LacPinnCourse *course, GError **error)
{
  const LacPinnParams *params = &course->params;
  const LacPde        *pde = course->subject.pde;

  course->n_pool = (gsize) (params->points * params->pool);
  course->candidates = g_new0(double, course->n_pool * pde->n_axes);
  course->residuals = g_new0(double, course->n_pool * pde->n_residuals);
  course->sizes = g_new0(double, course->n_pool);
  course->keys = g_new0(double, course->n_pool);
  course->chosen = g_new0(gsize, params->points);
  course->pool = lac_pinn_probe_new(&course->model, TRUE, MIN(course->n_pool, MOST_AT_ONCE),
                                    &course->context, error);
  return course->pool != NULL;
}

LacPinnCourse *
lac_pinn_course_new(const LacPinnParams *params, const LacProblem *problem, GError **error)
{
  g_autoptr(LacPinnCourse) course = g_new0(LacPinnCourse, 1);
  const LacPerf           *perf = problem->context->perf;

  course->params = *params;
  course->context = *problem->context;
  course->subject = *problem->subject;
  course->grid = problem->grid;
  if (problem->observations && problem->observations->n_sensors)
    course->observations = problem->observations;
  course->schedule = lac_pinn_params_get_schedule(params);
  if (perf) {
    course->name_optimise = lac_perf_name(problem->context->perf, "optimiser iteration");
    course->name_refresh = lac_perf_name(problem->context->perf, "choose points");
  }
  lac_pinn_model_init(&course->model, &course->subject);
  lac_pinn_params_fill_model(params, &course->model);
  course->model.network.seed = problem->context->seed;
  hold_out(course);
  size_fields(course);
  course->order = g_new0(gsize, params->points * params->pool);
  if ((params->rule == LAC_PINN_POINTS_RAD || params->rule == LAC_PINN_POINTS_RAR) &&
      !make_pool(course, error))
    return NULL;
  return g_steal_pointer(&course);
}

void
lac_pinn_course_free(LacPinnCourse *course)
{
  if (!course)
    return;
  lac_pinn_probe_free(course->pool);
  g_free(course->held_out);
  g_free(course->candidates);
  g_free(course->residuals);
  g_free(course->sizes);
  g_free(course->keys);
  g_free(course->chosen);
  g_free(course->order);
  g_free(course);
}

void
lac_pinn_course_choose(LacPinnCourse *course, LacRng *rng, gsize n, double *x)
{
  const LacPinnParams *params = &course->params;
  const guint          n_axes = course->subject.pde->n_axes;

  lac_collocation_weigh(course->sizes, course->n_pool, params->rad_power, params->rad_offset,
                        course->sizes);
  lac_collocation_race(rng, course->sizes, course->keys, course->n_pool, course->chosen, n);
  for (gsize i = 0; i < n; i++)
    memcpy(x + i * n_axes, course->candidates + course->chosen[i] * n_axes,
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

/* Position of every held-out station among those of one time. */
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
