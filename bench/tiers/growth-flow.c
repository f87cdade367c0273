/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growth of the flow laboratory: filter, solver, modes, sensor placement, training. */
#include "base/error.h"
#include "base/rng.h"
#include "bench/tiers/growth-private.h"
#include "bench/tiers/training.h"
#include "experiment/flow/methods/enkf-analysis.h"
#include "sensor/placement.h"
#include "sensor/pod.h"
#include "solver/solver.h"

#include <math.h>

static double *
draw(gsize n, guint64 seed)
{
  LacRng  rng = lac_rng(seed, n);
  double *values = g_new(double, n);

  for (gsize i = 0; i < n; i++)
    values[i] = lac_rng_normal(&rng);
  return values;
}

/* ---- analysis of the ensemble Kalman filter ---- */

typedef struct {
  LacObservations *observations;
  LacEnsemble     *ensemble;
  double          *values, *deviations;
  LacRng           rng;
} Filter;

typedef struct {
  gsize side, n_members, n_sensors;
} FilterSize;

static void
end_filter(gpointer subject)
{
  Filter *filter = subject;

  lac_ensemble_free(filter->ensemble);
  lac_observations_free(filter->observations);
  g_free(filter->values);
  g_free(filter->deviations);
  g_free(filter);
}

static void
place_stations(LacObservations *observations, gsize side, LacRng *rng)
{
  for (gsize k = 0; k < observations->n_sensors; k++) {
    const gsize place = lac_rng_below(rng, side * side);

    observations->stations[2 * k] = (double) (place % side);
    observations->stations[2 * k + 1] = (double) (place / side);
    observations->sensors[k] = (LacSensor){.rows = {place}, .weights = {1}, .station = k};
  }
}

static gpointer
begin_filter(FilterSize size)
{
  Filter             *filter = g_new0(Filter, 1);
  const gsize         n = size.side * size.side * size.n_members;
  LacEnsembleSettings settings = {
    .n_members = size.n_members,
    .n_fields = 1,
    .grid = {.nx = size.side, .ny = size.side, .cell = {1, 1}, .periodic = {TRUE, TRUE}}};
  double *members;

  filter->rng = lac_rng(1, 0);
  filter->observations = lac_observations_new(size.n_sensors, size.n_sensors, 1);
  place_stations(filter->observations, size.side, &filter->rng);
  settings.observations = filter->observations;
  filter->ensemble = lac_ensemble_new(&settings);
  members = lac_ensemble_get_members(filter->ensemble);
  for (gsize i = 0; i < n; i++)
    members[i] = lac_rng_normal(&filter->rng);
  filter->values = draw(size.n_sensors, 2);
  filter->deviations = g_new(double, size.n_sensors);
  for (gsize k = 0; k < size.n_sensors; k++)
    filter->deviations[k] = 1;
  return filter;
}

/* Inflation compensates the loss of spread by the analysis, so that all calls do the same. */
static gboolean
analyse(gpointer subject, GError **error)
{
  Filter           *filter = subject;
  const LacAnalysis analysis = {.inflation = 1.05,
                                .most_inflation = 1.05,
                                .localisation = 8,
                                .values = filter->values,
                                .deviations = filter->deviations};

  if (lac_ensemble_analyse(filter->ensemble, &analysis, &filter->rng))
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED, "the ensemble is not finite");
  return FALSE;
}

static double
filter_flops(gsize size, gconstpointer subject)
{
  return lac_ensemble_get_flops(((const Filter *) subject)->ensemble);
}

static double
filter_room(gsize size, gconstpointer subject)
{
  return (double) lac_ensemble_get_bytes(((const Filter *) subject)->ensemble);
}

static gpointer
begin_filter_grid(gsize size, GError **error)
{
  return begin_filter((FilterSize){size, 32, 16});
}

static gpointer
begin_filter_members(gsize size, GError **error)
{
  return begin_filter((FilterSize){64, size, 16});
}

static gpointer
begin_filter_sensors(gsize size, GError **error)
{
  return begin_filter((FilterSize){64, 32, size});
}

/* ---- solver: pseudo-spectral Navier-Stokes ---- */

typedef struct {
  const LacSolver *row;
  LacDevice        device;
  LacPool         *pool;
  gpointer         solver;
  gsize            side, n_members;
  double          *states, *parameters;
} Forecast;

static void
end_forecast(gpointer subject)
{
  Forecast *forecast = subject;

  if (forecast->solver)
    forecast->row->destroy(forecast->solver);
  if (forecast->device.table)
    lac_device_close(&forecast->device);
  lac_pool_free(forecast->pool);
  g_free(forecast->states);
  g_free(forecast->parameters);
  g_free(forecast);
}

static gpointer
begin_forecast(gsize side, gsize n_members, GError **error)
{
  Forecast         *forecast = g_new0(Forecast, 1);
  const gsize       n = 2 * side * side;
  LacSolverSettings settings = {.type = LAC_F64,
                                .nx = side,
                                .ny = side,
                                .length = {2 * G_PI, 2 * G_PI},
                                .time_step = 1e-3,
                                .n_members = n_members};

  forecast->row = lac_solver_find("navier-stokes-2d");
  forecast->side = side;
  forecast->n_members = n_members;
  forecast->parameters = g_new(double, n_members);
  forecast->states = g_new(double, n_members *n);
  for (gsize e = 0; e < n_members; e++) {
    forecast->parameters[e] = 0.01;
    for (gsize i = 0; i < n / 2; i++) {
      forecast->states[e * n + i] = sin(2 * G_PI * (double) (i / side) / (double) side);
      forecast->states[e * n + n / 2 + i] = sin(2 * G_PI * (double) (i % side) / (double) side);
    }
  }
  settings.pool = forecast->pool = lac_pool_new(1);
  if (lac_device_open(&forecast->device, "cpu", error)) {
    settings.device = forecast->device;
    forecast->solver = forecast->row->create(forecast->row, &settings, error);
  }
  if (!forecast->solver)
    g_clear_pointer(&forecast, end_forecast);
  return forecast;
}

static gboolean
advance(gpointer subject, GError **error)
{
  Forecast *forecast = subject;

  return forecast->row->advance(forecast->solver, forecast->states, forecast->n_members,
                                forecast->parameters, 1, error);
}

static double
forecast_flops(gsize size, gconstpointer subject)
{
  const Forecast *forecast = subject;

  return forecast->row->flops(forecast->solver) * (double) forecast->n_members;
}

static double
forecast_room(gsize size, gconstpointer subject)
{
  const Forecast *forecast = subject;

  return (double) forecast->row->bytes(forecast->solver) +
         16 * (double) (forecast->n_members * forecast->side * forecast->side);
}

static gpointer
begin_forecast_grid(gsize size, GError **error)
{
  return begin_forecast(size, 1, error);
}

static gpointer
begin_forecast_members(gsize size, GError **error)
{
  return begin_forecast(64, size, error);
}

static double
linear(gsize size, gconstpointer subject)
{
  return (double) size;
}

/* Memory that does not grow: tiles of points are processed one after the other. */
static double
constant(gsize size, gconstpointer subject)
{
  return 1;
}

static double
square(gsize size, gconstpointer subject)
{
  return (double) size * (double) size;
}

/* ---- modes and sensor placement ---- */

enum { N_MODES = 16, POD_SIDE = 64, N_SNAPSHOTS = 64 };

typedef struct {
  gsize   n, n_snapshots;
  double *snapshots;
} Snapshots;

static void
end_snapshots(gpointer subject)
{
  Snapshots *snapshots = subject;

  g_free(snapshots->snapshots);
  g_free(snapshots);
}

static gpointer
begin_snapshots(gsize n, gsize n_snapshots)
{
  Snapshots *snapshots = g_new0(Snapshots, 1);

  *snapshots = (Snapshots){n, n_snapshots, draw(n * n_snapshots, 3)};
  return snapshots;
}

static gboolean
find_modes(gpointer subject, GError **error)
{
  const Snapshots     *snapshots = subject;
  const LacPodSettings settings = {.n_snapshots = snapshots->n_snapshots,
                                   .n = snapshots->n,
                                   .n_modes = N_MODES,
                                   .snapshots = snapshots->snapshots};
  g_autoptr(LacPod)    pod = lac_pod_new_with(&settings, error);

  return pod != NULL;
}

/* Gram matrix, eigenproblem, modes. */
static double
pod_flops(gsize size, gconstpointer subject)
{
  const Snapshots *snapshots = subject;
  const double     n = (double) snapshots->n, m = (double) snapshots->n_snapshots;

  return n * m * m + 9 * m * m * m + 4 * n * m * N_MODES;
}

static gpointer
begin_pod_grid(gsize size, GError **error)
{
  return begin_snapshots(size * size, N_SNAPSHOTS);
}

static gpointer
begin_pod_snapshots(gsize size, GError **error)
{
  return begin_snapshots(POD_SIDE * POD_SIDE, size);
}

typedef struct {
  gsize   n_points, n_sensors;
  double *modes;
  gsize  *places;
} Placement;

static void
end_placement(gpointer subject)
{
  Placement *placement = subject;

  g_free(placement->modes);
  g_free(placement->places);
  g_free(placement);
}

static gpointer
begin_placement(gsize n_points, gsize n_sensors)
{
  Placement *placement = g_new0(Placement, 1);

  *placement =
    (Placement){n_points, n_sensors, draw(n_points * n_sensors, 4), g_new(gsize, n_sensors)};
  return placement;
}

static gboolean
choose_places(gpointer subject, GError **error)
{
  const Placement *p = subject;

  lac_placement_qr(p->modes, p->n_sensors, 1, p->n_points, p->places, p->n_sensors);
  return TRUE;
}

/* Each pivot is projected out of the remaining rows of all points. */
static double
placement_flops(gsize size, gconstpointer subject)
{
  const Placement *p = subject;

  return 2 * (double) p->n_points * (double) (p->n_sensors * p->n_sensors);
}

static gpointer
begin_placement_grid(gsize size, GError **error)
{
  return begin_placement(size * size, N_MODES);
}

static gpointer
begin_placement_sensors(gsize size, GError **error)
{
  return begin_placement(POD_SIDE * POD_SIDE, size);
}

/* ---- training of a network ---- */

static const LacBenchSetting pinn_settings[] = {
  {"engines", "pinn"},   {"grid", "32"},       {"sensors", "8"},    {"times", "10"},
  {"depth", "4"},        {"quasi_steps", "0"}, {"judge", "100000"}, {"adam_steps", "100000"},
  {"refresh", "100000"}, {NULL, NULL},
};

static void
end_training(gpointer subject)
{
  lac_bench_training_close(subject);
  g_free(subject);
}

static gpointer
begin_training(gsize n_points, gsize width, GError **error)
{
  LacBenchTraining *training = g_new0(LacBenchTraining, 1);
  const LacBenchWay way = lac_bench_way(1, "f32");

  if (lac_bench_training_open(training, &way, "taylor-green", pinn_settings, error) &&
      lac_bench_training_set(training, "points", (gint64) n_points, error) &&
      lac_bench_training_set(training, "width", (gint64) width, error) &&
      lac_bench_training_set_up(training, error))
    return training;
  end_training(training);
  return NULL;
}

static gboolean
train(gpointer subject, GError **error)
{
  LacOutcome outcome;

  return lac_bench_training_step(subject, &outcome, error);
}

static gpointer
begin_training_points(gsize size, GError **error)
{
  return begin_training(size, 64, error);
}

static gpointer
begin_training_width(gsize size, GError **error)
{
  return begin_training(1024, size, error);
}

/* Products of three hidden layers over five streams, forward and twice in reverse. */
static double
training_flops(double points, double width)
{
  return 2 * points * width * width * 3 * 5 * 3;
}

static double
points_flops(gsize size, gconstpointer subject)
{
  return training_flops((double) size, 64);
}

static double
width_flops(gsize size, gconstpointer subject)
{
  return training_flops(1024, (double) size);
}

#define CACHE "beyond the second-level cache every pass of the transforms waits for memory"

const LacGrowthRow lac_growth_flow_rows[] = {
  {"enkf_analysis",
   "members",
   "n m E",
   "FLOP/s",
   {16, 32, 64, 128, 256},
   filter_flops,
   filter_room,
   begin_filter_members,
   analyse,
   end_filter},
  {"enkf_analysis",
   "grid",
   "n m E",
   "FLOP/s",
   {32, 64, 128, 256, 512},
   filter_flops,
   filter_room,
   begin_filter_grid,
   analyse,
   end_filter},
  {"enkf_analysis",
   "sensors",
   "n m E + m^3",
   "FLOP/s",
   {8, 16, 32, 64, 128},
   filter_flops,
   filter_room,
   begin_filter_sensors,
   analyse,
   end_filter},
  {"solver_step",
   "members",
   "E n log n",
   "FLOP/s",
   {1, 2, 4, 8, 16},
   forecast_flops,
   linear,
   begin_forecast_members,
   advance,
   end_forecast},
  {"solver_step",
   "grid",
   "n log n",
   "FLOP/s",
   {32, 64, 128, 256, 512},
   forecast_flops,
   forecast_room,
   begin_forecast_grid,
   advance,
   end_forecast,
   .extra = 0.25,
   .why = CACHE},
  {"pod",
   "snapshots",
   "n S^2 + S^3",
   "FLOP/s",
   {32, 64, 128, 256, 512},
   pod_flops,
   linear,
   begin_pod_snapshots,
   find_modes,
   end_snapshots},
  {"pod",
   "grid",
   "n S^2",
   "FLOP/s",
   {32, 64, 128, 256},
   pod_flops,
   square,
   begin_pod_grid,
   find_modes,
   end_snapshots},
  {"qr_placement",
   "sensors",
   "n K^2",
   "FLOP/s",
   {8, 16, 32, 64, 128},
   placement_flops,
   linear,
   begin_placement_sensors,
   choose_places,
   end_placement},
  {"qr_placement",
   "grid",
   "n K^2",
   "FLOP/s",
   {32, 64, 128, 256, 512},
   placement_flops,
   square,
   begin_placement_grid,
   choose_places,
   end_placement},
  {"pinn_step",
   "points",
   "P w^2",
   "FLOP/s",
   {512, 1024, 2048, 4096, 8192},
   points_flops,
   constant,
   begin_training_points,
   train,
   end_training},
  {"pinn_step",
   "width",
   "P w^2",
   "FLOP/s",
   {32, 64, 128, 256},
   width_flops,
   linear,
   begin_training_width,
   train,
   end_training},
  {NULL},
};
