/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Iterative ensemble smoother: for a linear equation and a window that never moves, the estimates of all times after the
 * last observation are those of one least-squares problem over all of them, whatever the order in which it took them. */
#include "backend/dense.h"
#include "experiment/flow/forecast.h"

#include <math.h>
#include <string.h>

enum { N_TIMES = 4, MEMBERS = 6, N_SENSORS = 3, BETWEEN = 3 };

typedef struct {
  LacContext       context;
  LacCase          subject;
  LacTruth        *grid;
  LacObservations *observations;
  LacPod          *pod;
  LacDraft        *draft;
  gsize            n;
} Bed;

static const LacFlowMethod *
find_method(void)
{
  gsize                       n;
  const LacFlowMethod *const *methods = lac_flow_methods(&n);

  for (gsize i = 0; i < n; i++)
    if (g_str_equal(methods[i]->name, "ienks"))
      return methods[i];
  g_error("there is no method ienks");
}

/* The second value of the third sensor is missing. */
static void
fill_readings(Bed *bed)
{
  bed->observations = lac_observations_new(N_SENSORS, N_SENSORS, N_TIMES);
  for (gsize i = 0; i < N_SENSORS; i++)
    bed->observations->sensors[i] =
      (LacSensor){.rows = {3 + 4 * i, 4 + 4 * i}, .weights = {0.25, 0.75}, .station = i};
  for (gsize k = 0; k < N_TIMES; k++)
    for (gsize i = 0; i < N_SENSORS; i++) {
      bed->observations->values[k * N_SENSORS + i] =
        k == 1 && i == 2 ? (double) NAN : sin(1.3 * (double) (k * N_SENSORS + i));
      bed->observations->sigma[k * N_SENSORS + i] = 0.2 * (1 + (double) i);
    }
}

static void
bed_init(Bed *bed)
{
  static const char *const fields[] = {"u"};
  g_autoptr(GError)        error = NULL;

  *bed = (Bed){.context = {.precision = "f64", .seed = 4}};
  lac_device_open(&bed->context.device, "cpu", &error);
  g_assert_no_error(error);
  bed->context.pool = lac_pool_new(1);
  bed->subject.solver = lac_solver_find("heat-1d");
  bed->subject.solver->example(&bed->subject.model, bed->subject.parameters, NULL);
  bed->subject.pde = lac_pde_find("heat-1d");
  bed->subject.steps_between = BETWEEN;
  bed->subject.n_times = N_TIMES;
  bed->n = bed->subject.model.nx;
  bed->grid = lac_truth_new(1, fields, bed->n, 1, MEMBERS, N_TIMES);
  for (gsize s = 0; s < MEMBERS; s++)
    for (gsize i = 0; i < bed->n; i++)
      bed->grid->training[s * bed->n + i] = sin(0.2 * (double) (i * (s + 1)) + (double) (s * s));
  fill_readings(bed);
  bed->pod = lac_pod_new(bed->grid->training, MEMBERS, bed->n, 3);
  bed->draft = lac_draft_new(&find_method()->params);
  lac_draft_set(bed->draft, "ienks_members", G_STRINGIFY(6), &error);
  g_assert_no_error(error);
  lac_draft_set(bed->draft, "ienks_lag", "10", &error);
  g_assert_no_error(error);
}

static void
bed_clear(Bed *bed)
{
  lac_draft_free(bed->draft);
  lac_pod_free(bed->pod);
  lac_observations_free(bed->observations);
  lac_truth_free(bed->grid);
  lac_pool_free(bed->context.pool);
  lac_device_close(&bed->context.device);
}

/* @states: (out): [N_TIMES][MEMBERS][n]: the trajectories of the training snapshots, which are the first members */
static void
follow(const Bed *bed, double *states)
{
  const LacSolver  *row = bed->subject.solver;
  g_autoptr(GError) error = NULL;
  gpointer          solver = lac_forecast_new(
             &bed->subject, &bed->context,
             &(LacForecastSettings){.device = bed->context.device, .type = LAC_F64, .n_members = MEMBERS},
             &error);
  double parameters[MEMBERS * LAC_SOLVER_MAX_PARAMETERS];

  g_assert_no_error(error);
  for (gsize e = 0; e < MEMBERS; e++)
    memcpy(parameters + e * row->n_parameters, bed->subject.parameters,
           row->n_parameters * sizeof *parameters);
  memcpy(states, bed->grid->training, MEMBERS * bed->n * sizeof *states);
  for (gsize k = 1; k < N_TIMES; k++) {
    double *now = states + k * MEMBERS * bed->n;

    memcpy(now, now - MEMBERS * bed->n, MEMBERS * bed->n * sizeof *now);
    g_assert_true(row->advance(solver, now, MEMBERS, parameters, BETWEEN, &error));
  }
  row->destroy(solver);
}

/* Replaces the members of every time by their anomalies. @means: (out): [N_TIMES][n] */
static void
split(const Bed *bed, double *states, double *means)
{
  for (gsize k = 0; k < N_TIMES; k++)
    for (gsize i = 0; i < bed->n; i++) {
      double *mean = &means[k * bed->n + i];

      *mean = 0;
      for (gsize e = 0; e < MEMBERS; e++)
        *mean += states[(k * MEMBERS + e) * bed->n + i] / MEMBERS;
      for (gsize e = 0; e < MEMBERS; e++)
        states[(k * MEMBERS + e) * bed->n + i] -= *mean;
    }
}

/* Solves (1 + sum S^T S) v = sum S^T d over all readings. @inverse: (out): [MEMBERS][MEMBERS], of the matrix. */
static void
find_weights(const Bed    *bed,
             const double *anomalies,
             const double *means,
             double       *v,
             double       *inverse)
{
  const LacObservations *observations = bed->observations;
  double                 a[MEMBERS * MEMBERS] = {0};

  memset(v, 0, MEMBERS * sizeof *v);
  for (gsize e = 0; e < MEMBERS; e++)
    a[e * MEMBERS + e] = 1;
  for (gsize k = 0; k < N_TIMES; k++)
    for (gsize i = 0; i < N_SENSORS; i++) {
      const LacSensor *sensor = &observations->sensors[i];
      const double     value = observations->values[k * N_SENSORS + i];
      const double     sigma = observations->sigma[k * N_SENSORS + i];
      double           s[MEMBERS];

      if (!isfinite(value))
        continue;
      for (gsize e = 0; e < MEMBERS; e++)
        s[e] = lac_sensor_read(sensor, anomalies + (k * MEMBERS + e) * bed->n) /
               (sigma * sqrt(MEMBERS - 1));
      for (gsize e = 0; e < MEMBERS; e++) {
        v[e] += s[e] * (value - lac_sensor_read(sensor, means + k * bed->n)) / sigma;
        for (gsize f = 0; f < MEMBERS; f++)
          a[e * MEMBERS + f] += s[e] * s[f];
      }
    }
  double right[MEMBERS * (MEMBERS + 1)] = {0};
  for (gsize e = 0; e < MEMBERS; e++) {
    right[e * (MEMBERS + 1)] = v[e];
    right[e * (MEMBERS + 1) + 1 + e] = 1;
  }
  g_assert_true(lac_dense_cholesky_solve(a, MEMBERS, right, MEMBERS + 1));
  for (gsize e = 0; e < MEMBERS; e++) {
    v[e] = right[e * (MEMBERS + 1)];
    memcpy(inverse + e * MEMBERS, right + e * (MEMBERS + 1) + 1, MEMBERS * sizeof *inverse);
  }
}

static void
test_linear(void)
{
  const LacFlowMethod *row = find_method();
  g_autoptr(GError)    error = NULL;
  Bed                  bed;

  bed_init(&bed);
  const LacProblem   problem = {&bed.context, &bed.subject, bed.grid, bed.observations, bed.pod};
  g_autofree double *states = g_new(double, N_TIMES *MEMBERS *bed.n);
  g_autofree double *means = g_new(double, N_TIMES *bed.n), *values = g_new(double, bed.n);
  g_autofree double *deviation = g_new(double, bed.n);
  double             v[MEMBERS], inverse[MEMBERS * MEMBERS], factor = 0;
  gpointer           method = row->create(lac_draft_get_values(bed.draft), &problem, &error);

  g_assert_no_error(error);
  for (gsize k = 0; k < N_TIMES; k++) {
    LacMethodReport report = {0};

    g_assert_true(row->step(method, &report, &error));
    g_assert_no_error(error);
  }
  follow(&bed, states);
  split(&bed, states, means);
  find_weights(&bed, states, means, v, inverse);
  for (gsize k = 0; k < N_TIMES; k++) {
    g_assert_true(row->field(method, k, values, deviation, &error));
    for (gsize i = 0; i < bed.n; i++) {
      double expected = means[k * bed.n + i], variance = 0;

      for (gsize e = 0; e < MEMBERS; e++) {
        const double anomaly = states[(k * MEMBERS + e) * bed.n + i] / sqrt(MEMBERS - 1);

        expected += v[e] * anomaly;
        for (gsize f = 0; f < MEMBERS; f++)
          variance += anomaly * inverse[e * MEMBERS + f] * states[(k * MEMBERS + f) * bed.n + i] /
                      sqrt(MEMBERS - 1);
      }
      factor = factor == 0 ? deviation[i] / sqrt(variance) : factor;
      g_assert_cmpfloat_with_epsilon(values[i], expected, 1e-9);
      g_assert_cmpfloat_with_epsilon(deviation[i], factor * sqrt(variance), 1e-9);
    }
  }
  g_assert_cmpfloat(factor, >, 1); /* these readings are far from what the members expect */
  row->destroy(method);
  bed_clear(&bed);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/flow/ienks/linear-windows-are-least-squares", test_linear);
  return g_test_run();
}
