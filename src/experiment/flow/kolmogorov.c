/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kolmogorov flow from a few velocity sensors: an ensemble Kalman filter through the flow's own equation, beside the static
 * gappy-POD reconstruction from the same noisy values. Source: flow.md 4.7; Evensen (2003), doi:10.1007/s10236-003-0036-9 */
#include "base/clock.h"
#include "base/error.h"
#include "experiment/flow/ensemble.h"
#include "experiment/flow/twin.h"
#include "sensor/gappy.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

typedef struct {
  double reynolds, drag;
  gint64 forcing, grid;
  double time_step, interval, spin_up;
  gint64 snapshots, observations;
  gint64 sensors, placement;
  double noise;
  gint64 members;
  double localisation, inflation, noise_floor;
} Params;

static const char *const placements[] =
  {[LAC_PLACEMENT_QR] = "qr", [LAC_PLACEMENT_RANDOM] = "random", NULL};

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, reynolds), LAC_PARAM_REAL, "1", 1, 1000, 60, N_("Reynolds number"), N_("Scene"), N_("1 / viscosity, with a force of amplitude 1 on a box of side 2π")},
  {LAC_FIELD(Params, forcing), LAC_PARAM_INTEGER, "1", 1, 64, 4, N_("Forcing wavenumber"), N_("Scene"), N_("k of the force (sin k y, 0)")},
  {LAC_FIELD(Params, grid), LAC_PARAM_INTEGER, "1", 16, 512, 64, N_("Grid points a side"), N_("Scene"), N_("Even; small prime factors are fastest")},
  {LAC_FIELD(Params, drag), LAC_PARAM_REAL, "1/s", 0, 1, 0, N_("Linear drag"), N_("Scene"), N_("Damps the largest scales"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, time_step), LAC_PARAM_REAL, "s", 1e-4, 0.1, 0.02, N_("Time step"), N_("Scene"), N_("Of truth and ensemble"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, spin_up), LAC_PARAM_REAL, "s", 0, 1000, 60, N_("Spin-up"), N_("Scene"), N_("Time from the random beginning to the first snapshot"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, snapshots), LAC_PARAM_INTEGER, "1", 10, 5000, 800, N_("Snapshots"), N_("Scene"), N_("The first 60 % train the modes; the rest is observed and never trained on"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, sensors), LAC_PARAM_INTEGER, "1", 1, 1024, 12, N_("Sensors K"), N_("Sensors"), N_("Points where both velocity components are measured")},
  {LAC_FIELD(Params, placement), LAC_PARAM_CHOICE, "1", 0, 0, LAC_PLACEMENT_QR, N_("Placement"), N_("Sensors"), N_("qr: pivoted QR on the modes of the training interval; random: the baseline"), .choices = placements},
  {LAC_FIELD(Params, noise), LAC_PARAM_REAL, "%", 0, 100, 1, N_("Noise"), N_("Sensors"), N_("Standard deviation, relative to the rms of the fluctuation")},
  {LAC_FIELD(Params, interval), LAC_PARAM_REAL, "s", 1e-3, 10, 0.2, N_("Time between observations"), N_("Sensors"), N_("A multiple of the time step")},
  {LAC_FIELD(Params, observations), LAC_PARAM_INTEGER, "1", 1, 2000, 150, N_("Observations"), N_("Sensors"), N_("Analysis cycles; at most 40 % of the snapshots")},
  {LAC_FIELD(Params, members), LAC_PARAM_INTEGER, "1", 2, 1024, 64, N_("Ensemble members"), N_("Ensemble Kalman filter"), N_("Copies of the flow that carry the uncertainty")},
  {LAC_FIELD(Params, localisation), LAC_PARAM_REAL, "rad", 0.05, 100, 1.5, N_("Localisation length"), N_("Ensemble Kalman filter"), N_("Standard deviation of the Gaussian taper of covariances; the box is 2π wide"), LAC_PARAM_LIVE},
  {LAC_FIELD(Params, inflation), LAC_PARAM_REAL, "1", 1, 2, 1.05, N_("Inflation"), N_("Ensemble Kalman filter"), N_("Factor of the ensemble's anomalies before each analysis"), LAC_PARAM_LIVE},
  {LAC_FIELD(Params, noise_floor), LAC_PARAM_REAL, "%", 0.01, 100, 2, N_("Assumed noise, at least"), N_("Ensemble Kalman filter"), N_("The filter trusts no sensor more than this, relative to the rms of the fluctuation"), LAC_PARAM_LIVE | LAC_PARAM_ADVANCED},
};

static const LacChannel channels[] = {
  {"vorticity_truth", N_("Truth"), "1/s", "vorticity", LAC_ROLE_TRUTH, "balance", "x", "y", "rad", "rad", TRUE},
  {"vorticity", N_("Ensemble Kalman filter"), "1/s", "vorticity", LAC_ROLE_RECONSTRUCTION, "balance", "x", "y", "rad", "rad", TRUE},
  {"vorticity_static", N_("Static gappy POD"), "1/s", "vorticity", LAC_ROLE_BASELINE, "balance", "x", "y", "rad", "rad", TRUE},
};

enum { METRIC_RESULT, METRIC_STATIC_RESULT, METRIC_ERROR, METRIC_STATIC_ERROR, METRIC_SPREAD };
static const LacMetric metrics[] = {
  [METRIC_RESULT] = {"fluctuation_relative_l2", N_("Fluctuation error, last third"), "1", TRUE, TRUE},
  [METRIC_STATIC_RESULT] = {"static_fluctuation_relative_l2", N_("Static error, last third"), "1", TRUE, TRUE},
  [METRIC_ERROR] = {"error", N_("Ensemble Kalman filter"), "1", TRUE, FALSE},
  [METRIC_STATIC_ERROR] = {"static_error", N_("Static gappy POD"), "1", TRUE, FALSE},
  [METRIC_SPREAD] = {"spread", N_("Ensemble spread"), "1", TRUE, FALSE},
};
/* clang-format on */

/* What a step changes beside the solver's state; kept whole in a checkpoint. */
typedef struct {
  gint64 cycle; /* observations analysed */
  gint64 n_summed;
  double sum, static_sum; /* of errors over the last third */
} Progress;

typedef struct {
  Params              params;
  LacContext          context;
  guint32             name_forecast, name_analysis, name_static;
  LacTwin            *twin;
  LacVorticitySolver *solver; /* of the ensemble */
  LacEnsemble        *ensemble;
  LacGappy           *gappy;
  double             *field;     /* [2][n][n]: the static reconstruction */
  double             *mean;      /* [2][n][n]: the analysis */
  double             *vorticity; /* [n][n] */
  Progress            progress;
} State;

enum { STREAM_MEMBERS = 3, STREAM_PERTURBATIONS = 1 << 24 };

static double
deviation_scale(const Params *params)
{
  return MAX(params->noise, params->noise_floor) / 100;
}

static gboolean
check(const LacExperiment *self G_GNUC_UNUSED, gconstpointer values, GError **error)
{
  const Params *params = values;
  const double  ratio = params->interval / params->time_step;
  const gint64  most =
    params->snapshots - (gint64) (LAC_TWIN_TRAINING * (double) params->snapshots + 1e-9);

  if (params->grid % 2)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "grid = %" G_GINT64_FORMAT " is odd; it takes an even number of points",
                params->grid);
  else if (params->sensors > params->grid * params->grid)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "sensors = %" G_GINT64_FORMAT " is more than the %" G_GINT64_FORMAT
                " points of the grid",
                params->sensors, params->grid * params->grid);
  else if (3 * params->forcing >= params->grid)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "forcing = %" G_GINT64_FORMAT " is not resolved; a grid of %" G_GINT64_FORMAT
                " keeps wavenumbers below %" G_GINT64_FORMAT,
                params->forcing, params->grid, (params->grid + 2) / 3);
  else if (fabs(ratio - round(ratio)) > 1e-6 * ratio || ratio < 0.5)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "interval must be a multiple of time_step");
  else if (params->observations > most)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "observations = %" G_GINT64_FORMAT " is more than the %" G_GINT64_FORMAT
                " snapshots kept from training; raise snapshots or lower observations",
                params->observations, most);
  else
    return TRUE;
  return FALSE;
}

/* Seconds from the operation count at the rate the reference machine reached on one thread. */
static void
estimate(const LacExperiment *self G_GNUC_UNUSED, gconstpointer values, LacEstimate *result)
{
  static const double flops_per_second = 2.2e10, setup_flops_per_second = 1.6e10;
  const Params       *params = values;
  const double        points = (double) (params->grid * params->grid);
  const double        step_flops = 4 * 5 * 2.5 * points * log2(points);
  const double        n_between = round(params->interval / params->time_step);
  const double        members = (double) params->members;
  const double        n_truth =
    (params->spin_up / params->interval + (double) params->snapshots) * n_between;

  result->n_steps = params->observations;
  result->seconds_per_step = members * n_between * step_flops / flops_per_second +
                             2e-9 * members * 2 * points * (double) (8 * params->sensors);
  result->seconds_setup = n_truth * step_flops / setup_flops_per_second;
  result->memory_bytes =
    8 * 2 * points *
      ((double) params->snapshots * 1.6 + 2 * members + 2 * (double) params->sensors * 3) +
    members * 4 * points + 300 * points;
  result->frame_bytes = G_N_ELEMENTS(channels) * points * sizeof(float);
}

static LacVorticitySettings
flow_settings(const Params *params, const LacContext *context, LacType type, gsize n_members)
{
  return (LacVorticitySettings){
    .device = context->device,
    .pool = context->pool,
    .type = type,
    .n = (gsize) params->grid,
    .n_members = n_members,
    .viscosity = 1 / params->reynolds,
    .drag = params->drag,
    .forcing = (gsize) params->forcing,
    .time_step = params->time_step,
    .perf = context->perf,
    .lane = context->lane,
  };
}

/* Members begin as random snapshots of the training interval. */
static gboolean
draw_members(State *state, GError **error)
{
  const LacTwin    *twin = state->twin;
  double           *members = lac_ensemble_get_members(state->ensemble);
  LacRng            rng = lac_rng(state->context.seed, STREAM_MEMBERS);
  const gsize       n_members = (gsize) state->params.members;
  g_autofree gsize *order = g_new(gsize, twin->n_training);

  for (gsize i = 0; i < twin->n_training; i++)
    order[i] = i;
  for (gsize e = 0; e < n_members; e++) {
    if (e % twin->n_training == 0)
      lac_rng_shuffle(&rng, order, twin->n_training);
    memcpy(members + e * twin->n, twin->snapshots + order[e % twin->n_training] * twin->n,
           twin->n * sizeof *members);
  }
  return lac_vorticity_set(state->solver, members, error);
}

static void
destroy(gpointer data)
{
  State *state = data;

  lac_gappy_free(state->gappy);
  lac_ensemble_free(state->ensemble);
  lac_vorticity_free(state->solver);
  lac_twin_free(state->twin);
  g_free(state->field);
  g_free(state->mean);
  g_free(state->vorticity);
  g_free(state);
}

static gboolean
set_up(State *state, GError **error)
{
  const Params              *params = &state->params;
  const gsize                n_sensors = (gsize) params->sensors;
  const LacContext          *context = &state->context;
  const LacType              type = g_str_equal(context->precision, "f32") ? LAC_F32 : LAC_F64;
  const LacVorticitySettings flow = flow_settings(params, context, type, (gsize) params->members);
  const LacTwinSettings      twin = {
         .flow = flow_settings(params, context, LAC_F64, 1),
         .spin_up = params->spin_up,
         .steps_between = (gsize) round(params->interval / params->time_step),
         .n_snapshots = (gsize) params->snapshots,
         .n_sensors = n_sensors,
         .placement = (LacPlacement) params->placement,
         .noise = params->noise / 100,
  };

  state->twin = lac_twin_new(&twin, context, error);
  if (!state->twin)
    return FALSE;
  state->gappy = lac_gappy_new(state->twin->pod, state->twin->rows, 2 * n_sensors,
                               deviation_scale(params) * state->twin->pod->rms);
  if (!state->gappy) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED,
                "the sensors cannot tell the modes apart; move or add sensors");
    return FALSE;
  }
  state->solver = lac_vorticity_new(&flow, error);
  if (!state->solver)
    return FALSE;
  state->ensemble =
    lac_ensemble_new((gsize) params->members, (gsize) params->grid, state->twin->places, n_sensors);
  state->field = g_new0(double, state->twin->n);
  state->mean = g_memdup2(state->twin->pod->mean, state->twin->n * sizeof(double));
  state->vorticity = g_new0(double, state->twin->n / 2);
  lac_gappy_reconstruct(state->gappy, lac_twin_observe(state->twin, 0), state->field);
  return draw_members(state, error);
}

static gpointer
create(const LacExperiment *self G_GNUC_UNUSED,
       gconstpointer             values,
       const LacContext         *context,
       GError                  **error)
{
  State *state = g_new0(State, 1);

  state->params = *(const Params *) values;
  state->context = *context;
  if (context->perf) {
    state->name_forecast = lac_perf_name(context->perf, "ensemble forecast");
    state->name_analysis = lac_perf_name(context->perf, "ensemble analysis");
    state->name_static = lac_perf_name(context->perf, "static gappy POD");
  }
  if (set_up(state, error))
    return state;
  destroy(state);
  return NULL;
}

static LacSpan
begin(State *state, guint32 name)
{
  return lac_span_begin(state->context.lane, name);
}

static void
end(State *state, LacSpan span)
{
  lac_span_end(state->context.lane, span, state->progress.cycle + 1);
}

static void
keep_errors(State *state, LacStepReport *report, double error, double static_error, double spread)
{
  Progress *progress = &state->progress;

  report->metrics[METRIC_ERROR] = error;
  report->metrics[METRIC_STATIC_ERROR] = static_error;
  report->metrics[METRIC_SPREAD] = spread;
  if (3 * (progress->cycle + 1) < 2 * state->params.observations)
    return;
  progress->n_summed++;
  progress->sum += error;
  progress->static_sum += static_error;
  report->metrics[METRIC_RESULT] = progress->sum / (double) progress->n_summed;
  report->metrics[METRIC_STATIC_RESULT] = progress->static_sum / (double) progress->n_summed;
}

static gboolean
forecast(State *state, GError **error)
{
  const gint64 start_ns = lac_clock_ns();

  if (state->progress.cycle > 0 &&
      !lac_vorticity_advance(state->solver, state->twin->settings.steps_between, error))
    return FALSE;
  lac_vorticity_emit_timing(state->solver, start_ns, state->progress.cycle + 1);
  return lac_vorticity_get(state->solver, lac_ensemble_get_members(state->ensemble), error);
}

/* Returns: the spread of the analysis; NaN where the ensemble has left the numbers. */
static double
analyse(State *state, const double *values)
{
  const Params        *params = &state->params;
  const LacObservation observation = {
    .inflation = params->inflation,
    .localisation = params->localisation,
    .deviation = deviation_scale(params) * state->twin->pod->rms,
    .values = values,
  };
  LacRng rng = lac_rng(state->context.seed, STREAM_PERTURBATIONS + (guint64) state->progress.cycle);
  double spread = NAN;

  if (lac_ensemble_analyse(state->ensemble, &observation, &rng))
    memcpy(state->mean, lac_ensemble_get_mean(state->ensemble, &spread),
           state->twin->n * sizeof *state->mean);
  return spread;
}

static gboolean
step(gpointer data, LacStepReport *report, GError **error)
{
  State        *state = data;
  const gsize   k = (gsize) state->progress.cycle;
  const double *values = lac_twin_observe(state->twin, k);
  double        spread;
  LacSpan       span = begin(state, state->name_forecast);

  if (!forecast(state, error))
    return FALSE;
  end(state, span);
  span = begin(state, state->name_analysis);
  span.flops = lac_ensemble_get_flops(state->ensemble);
  span.memory = (gint64) lac_ensemble_get_bytes(state->ensemble);
  spread = analyse(state, values);
  end(state, span);
  if (!isfinite(spread)) {
    report->outcome = LAC_OUTCOME_DIVERGED;
    g_snprintf(report->why, sizeof report->why,
               _("the ensemble left the numbers at observation %d: lower the inflation or the "
                 "time step"),
               (int) k + 1);
    return TRUE;
  }
  if (!lac_vorticity_set(state->solver, lac_ensemble_get_members(state->ensemble), error))
    return FALSE;
  span = begin(state, state->name_static);
  lac_gappy_reconstruct(state->gappy, values, state->field);
  end(state, span);
  keep_errors(state, report, lac_twin_get_error(state->twin, state->mean, k),
              lac_twin_get_error(state->twin, state->field, k), spread / state->twin->pod->rms);
  state->progress.cycle++;
  if (state->progress.cycle == state->params.observations)
    report->outcome = LAC_OUTCOME_FINISHED;
  return TRUE;
}

static gint64
n_steps(gconstpointer data)
{
  return ((const State *) data)->params.observations;
}

static void
shapes(gconstpointer data, gsize (*sizes)[2], gsize *n_markers)
{
  const State *state = data;

  for (gsize i = 0; i < G_N_ELEMENTS(channels); i++)
    sizes[i][0] = sizes[i][1] = (gsize) state->params.grid;
  *n_markers = (gsize) state->params.sensors;
}

static void
fill_plane(State *state, const double *velocity, LacPlane *plane)
{
  const double cell = 2 * G_PI / (double) plane->nx;

  plane->x_min = plane->y_min = 0;
  plane->x_max = plane->y_max = cell * (double) (plane->nx - 1);
  if (!lac_vorticity_curl(state->solver, velocity, state->vorticity, NULL))
    for (gsize i = 0; i < plane->nx * plane->ny; i++)
      state->vorticity[i] = NAN;
  for (gsize i = 0; i < plane->nx * plane->ny; i++)
    plane->data[i] = (float) state->vorticity[i];
  lac_plane_measure(plane);
}

static void
snapshot(gpointer data, LacFrame *frame)
{
  State       *state = data;
  const gsize  k = (gsize) MAX(state->progress.cycle - 1, 0), n = (gsize) state->params.grid;
  const double cell = 2 * G_PI / (double) n;

  fill_plane(state, lac_twin_get_truth(state->twin, k), &frame->planes[0]);
  fill_plane(state, state->mean, &frame->planes[1]);
  fill_plane(state, state->field, &frame->planes[2]);
  for (gsize i = 0; i < frame->n_markers; i++)
    frame->markers[i] = (LacMarker){.x = cell * (double) (state->twin->places[i] % n),
                                    .y = cell * (double) (state->twin->places[i] / n),
                                    .kind = g_intern_static_string("sensor")};
}

static void
save(gpointer data, LacStore *store)
{
  State      *state = data;
  const gsize n_bytes = lac_vorticity_get_state_bytes(state->solver);

  lac_store_put_bytes(store, "progress", &state->progress, sizeof state->progress);
  memcpy(lac_store_put(store, "mean", 2, state->twin->n / 2, sizeof(double)), state->mean,
         state->twin->n * sizeof(double));
  memcpy(lac_store_put(store, "static", 2, state->twin->n / 2, sizeof(double)), state->field,
         state->twin->n * sizeof(double));
  lac_vorticity_save(state->solver, lac_store_put(store, "ensemble", 1, n_bytes, 1), NULL);
}

static gboolean
load(gpointer data, const LacStore *store, GError **error)
{
  State        *state = data;
  const gsize   n_bytes = lac_vorticity_get_state_bytes(state->solver), half = state->twin->n / 2;
  gconstpointer progress = lac_store_get_bytes(store, "progress", sizeof(Progress), error);
  gconstpointer mean = progress ? lac_store_get(store, "mean", 2, half, 8, error) : NULL;
  gconstpointer field = mean ? lac_store_get(store, "static", 2, half, 8, error) : NULL;
  gconstpointer members = field ? lac_store_get_bytes(store, "ensemble", n_bytes, error) : NULL;

  if (!members || !lac_vorticity_load(state->solver, members, error))
    return FALSE;
  memcpy(&state->progress, progress, sizeof state->progress);
  memcpy(state->mean, mean, state->twin->n * sizeof(double));
  memcpy(state->field, field, state->twin->n * sizeof(double));
  return TRUE;
}

static void
retune(gpointer data, gconstpointer values)
{
  State        *state = data;
  const Params *params = values;

  state->params.localisation = params->localisation;
  state->params.inflation = params->inflation;
  state->params.noise_floor = params->noise_floor;
}

const LacExperiment lac_experiment_kolmogorov = {
  .name = "kolmogorov",
  .title = N_("Kolmogorov flow"),
  .laboratory = "flow",
  .summary =
    N_("A whole chaotic velocity field from a dozen noisy sensors, by an ensemble Kalman filter"),
  .source = "Evensen (2003), doi:10.1007/s10236-003-0036-9; Manohar et al. (2018), "
            "doi:10.1109/MCS.2018.2810460",
  .precision = "f32",
  .is_default = TRUE,
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .channels = channels,
  .n_channels = G_N_ELEMENTS(channels),
  .metrics = metrics,
  .n_metrics = G_N_ELEMENTS(metrics),
  .check = check,
  .estimate = estimate,
  .create = create,
  .destroy = destroy,
  .step = step,
  .n_steps = n_steps,
  .shapes = shapes,
  .snapshot = snapshot,
  .save = save,
  .load = load,
  .retune = retune,
};
