/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine "enkf": an ensemble of forecasts through the flow's own equation, corrected at every observation.
 * Source: Evensen (2003), doi:10.1007/s10236-003-0036-9 */
#include "base/error.h"
#include "experiment/flow/engines/enkf-unknowns.h"
#include "experiment/flow/forecast.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

typedef struct {
  gint64 members;
  double localisation, inflation, most_inflation, noise_floor;
  double parameter_damping, parameter_spread;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, members), LAC_PARAM_INTEGER, "1", 2, 1024, 64, N_("Ensemble members"), N_("Ensemble Kalman filter"), N_("Copies of the flow that carry the uncertainty")},
  {LAC_FIELD(Params, localisation), LAC_PARAM_REAL, "1", 1e-3, 1e4, 1.5, N_("Localisation length"), N_("Ensemble Kalman filter"), N_("Standard deviation of the Gaussian taper of covariances, in the lengths of the scene"), LAC_PARAM_LIVE},
  {LAC_FIELD(Params, inflation), LAC_PARAM_REAL, "1", 1, 2, 1.05, N_("Inflation"), N_("Ensemble Kalman filter"), N_("Factor of the ensemble's anomalies before each analysis"), LAC_PARAM_LIVE},
  {LAC_FIELD(Params, most_inflation), LAC_PARAM_REAL, "1", 1, 10, 2, N_("Inflation, at most"), N_("Ensemble Kalman filter"), N_("It grows up to here while the innovations are larger than spread and noise explain"), LAC_PARAM_LIVE | LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, noise_floor), LAC_PARAM_REAL, "%", 0.01, 100, 2, N_("Assumed noise, at least"), N_("Ensemble Kalman filter"), N_("The filter trusts no sensor more than this, relative to the rms of the fluctuation"), LAC_PARAM_LIVE | LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, parameter_damping), LAC_PARAM_REAL, "1", 0, 1, 0.5, N_("Damping of unknowns"), N_("Ensemble Kalman filter"), N_("Share of its update that an unknown coefficient takes at each analysis"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, parameter_spread), LAC_PARAM_REAL, "%", 0, 100, 1, N_("Spread of unknowns, at least"), N_("Ensemble Kalman filter"), N_("The members' unknown coefficients are kept at least this far apart, so that they go on learning"), LAC_PARAM_ADVANCED},
};
/* clang-format on */

#define KNOWN_SPREAD \
  0.05 /* of members around a beginning that is known, as a share of the fluctuation */

enum { CURVE_SPREAD, CURVE_CHI_SQUARED, CURVE_INFLATION, CURVE_FIRST_UNKNOWN };
enum { STREAM_MEMBERS = 3, STREAM_PERTURBATIONS = 1 << 24 };

typedef struct {
  Params       params;
  LacProblem   problem;
  guint32      name_forecast, name_analysis;
  gpointer     solver;
  LacEnsemble *ensemble;
  gsize n, n_model; /* numbers a snapshot of the grid, and of the solver: its fields come first */
  LacEnkfUnknowns unknowns;
  double          rms;
  double         *deviations; /* [n_sensors] as believed */
  double         *history;    /* [n_times][n_model]: the analyses */
  double *spreads;     /* likewise their deviations, where all times are shown at once; else NULL */
  double *chi_squared; /* [n_times] of the innovations */
  gint64  cycle;       /* observations analysed */
} Engine;

static gsize
curves(gconstpointer params G_GNUC_UNUSED, const LacCase *subject, LacCurve *list)
{
  list[CURVE_SPREAD] = (LacCurve){"spread", N_("Ensemble spread"), "1", TRUE, FALSE, NAN};
  list[CURVE_CHI_SQUARED] = (LacCurve){"chi_squared", N_("Innovation χ²"), "1", TRUE, FALSE, 1};
  list[CURVE_INFLATION] = (LacCurve){"inflation", N_("Inflation"), "1", FALSE, FALSE, NAN};
  return CURVE_FIRST_UNKNOWN + lac_forecast_list_curves(subject, list + CURVE_FIRST_UNKNOWN);
}

static void
estimate(gconstpointer values, const LacCase *subject, gsize n_values, LacEstimate *result)
{
  static const double flops_per_second = 2.2e10;
  const Params       *params = values;
  const double        points = (double) (subject->model.nx * subject->model.ny);
  const double        n = points * subject->solver->n_fields, members = (double) params->members;

  result->n_steps = (gint64) subject->n_times;
  result->seconds_per_step = members * (double) subject->steps_between * 4 * 5 * 2.5 * points *
                               log2(points) / flops_per_second +
                             2e-9 * members * n * 4 * (double) n_values;
  result->memory_bytes = 8 * n * (2 * members + 2 * (double) n_values + (double) subject->n_times);
}

static gboolean
check(gconstpointer values G_GNUC_UNUSED, const LacCase *subject, GError **error)
{
  if (subject->solver)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "engines = enkf needs a solver of the equation, and this scene has none");
  return FALSE;
}

static void
destroy(gpointer data)
{
  Engine *engine = data;

  if (engine->solver)
    engine->problem.subject->solver->destroy(engine->solver);
  lac_ensemble_free(engine->ensemble);
  lac_enkf_unknowns_clear(&engine->unknowns);
  g_free(engine->deviations);
  g_free(engine->history);
  g_free(engine->spreads);
  g_free(engine->chi_squared);
  g_free(engine);
}

static void
place_member(const Engine *engine, const double *snapshot, const double *beginning, double *member)
{
  const double *mean = engine->problem.pod->mean;

  if (!engine->problem.subject->initial)
    memcpy(member, snapshot, engine->n_model * sizeof *member);
  else
    for (gsize i = 0; i < engine->n_model; i++)
      member[i] = beginning[i] + KNOWN_SPREAD * (snapshot[i] - mean[i]);
}

/* Members begin as random snapshots of the training part; where the beginning is known, a small share of their
 * fluctuation away from it. */
static void
draw_members(Engine *engine)
{
  const LacTruth    *grid = engine->problem.grid;
  double            *members = lac_ensemble_get_members(engine->ensemble);
  LacRng             rng = lac_rng(engine->problem.context->seed, STREAM_MEMBERS);
  g_autofree gsize  *order = g_new(gsize, grid->n_training);
  const LacCase     *subject = engine->problem.subject;
  g_autofree double *beginning = g_new0(double, engine->n_model);

  if (subject->initial)
    subject->initial(subject, beginning);
  for (gsize i = 0; i < grid->n_training; i++)
    order[i] = i;
  for (gsize e = 0; e < (gsize) engine->params.members; e++) {
    if (e % grid->n_training == 0)
      lac_rng_shuffle(&rng, order, grid->n_training);
    place_member(engine, grid->training + order[e % grid->n_training] * engine->n, beginning,
                 members + e * engine->n_model);
  }
}

static gboolean
make_solver(Engine *engine, GError **error)
{
  const LacContext *context = engine->problem.context;
  const LacType     type = g_str_equal(context->precision, "f32") ? LAC_F32 : LAC_F64;

  engine->solver = lac_forecast_new(engine->problem.subject, context, context->device, type,
                                    (gsize) engine->params.members, error);
  return engine->solver != NULL;
}

static void
make_ensemble(Engine *engine)
{
  const LacTruth     *grid = engine->problem.grid;
  LacEnsembleSettings settings = {
    .n_members = (gsize) engine->params.members,
    .n_fields = engine->problem.subject->solver->n_fields,
    .nx = grid->nx,
    .ny = grid->ny,
    .lower = {grid->lower[0], grid->lower[1]},
    .periodic = {grid->periodic[0], grid->periodic[1]},
    .observations = engine->problem.observations,
    .n_numbers = engine->unknowns.n,
  };

  settings.cell[0] = (grid->upper[0] - grid->lower[0]) / (double) MAX(1, grid->nx - 1);
  settings.cell[1] = (grid->upper[1] - grid->lower[1]) / (double) MAX(1, grid->ny - 1);
  engine->ensemble = engine->unknowns.ensemble = lac_ensemble_new(&settings);
}

/* Of times that are still to come it knows the spread that it begins with. */
static void
keep_spreads(Engine *engine)
{
  const gsize n_times = engine->problem.grid->n_times, n = engine->n_model;

  engine->spreads = g_new(double, n_times *n);
  lac_ensemble_get_deviation(engine->ensemble, engine->spreads);
  for (gsize k = 1; k < n_times; k++)
    memcpy(engine->spreads + k * n, engine->spreads, n * sizeof *engine->spreads);
}

static gpointer
create(gconstpointer values, const LacProblem *problem, GError **error)
{
  const LacSolver *solver = problem->subject->solver;
  Engine          *engine;

  if (!problem->grid->n_training) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "engines = enkf begins from snapshots of earlier times, and this scene has none");
    return NULL;
  }
  engine = g_new0(Engine, 1);
  engine->params = *(const Params *) values;
  engine->problem = *problem;
  engine->n = lac_truth_get_length(problem->grid);
  engine->n_model = solver->n_fields * problem->grid->nx * problem->grid->ny;
  lac_enkf_unknowns_init(&engine->unknowns, problem->subject, (gsize) engine->params.members);
  engine->rms = problem->pod->rms;
  engine->deviations = g_new0(double, problem->observations->n_sensors);
  engine->history = g_new(double, problem->grid->n_times * engine->n_model);
  /* resident from the beginning: filled step by step it would look like a leak */
  memset(engine->history, 0, problem->grid->n_times * engine->n_model * sizeof(double));
  engine->chi_squared = g_new0(double, problem->grid->n_times);
  if (problem->context->perf) {
    engine->name_forecast = lac_perf_name(problem->context->perf, "ensemble forecast");
    engine->name_analysis = lac_perf_name(problem->context->perf, "ensemble analysis");
  }
  make_ensemble(engine);
  if (!make_solver(engine, error)) {
    destroy(engine);
    return NULL;
  }
  draw_members(engine);
  lac_enkf_unknowns_draw(&engine->unknowns, problem->context->seed);
  lac_enkf_unknowns_spread(&engine->unknowns, engine->params.parameter_spread / 100);
  if (problem->grid->ny == 1)
    keep_spreads(engine);
  return engine;
}

static gint64
n_steps(gconstpointer data)
{
  return (gint64) ((const Engine *) data)->problem.grid->n_times;
}

static gboolean
forecast(Engine *engine, GError **error)
{
  const LacContext *context = engine->problem.context;
  const LacCase    *subject = engine->problem.subject;
  LacSpan           span;

  if (engine->cycle == 0)
    return TRUE;
  span = lac_span_begin(context->lane, engine->name_forecast);
  span.flops = subject->solver->flops(engine->solver) * (double) engine->params.members *
               (double) subject->steps_between;
  if (!subject->solver->advance(engine->solver, lac_ensemble_get_members(engine->ensemble),
                                (gsize) engine->params.members, engine->unknowns.parameters,
                                subject->steps_between, error))
    return FALSE;
  lac_span_end(context->lane, span, engine->cycle + 1);
  return TRUE;
}

/* Returns: FALSE where the ensemble has left the numbers. */
static gboolean
analyse(Engine *engine, double *spread)
{
  const LacObservations *observations = engine->problem.observations;
  const gsize            k = (gsize) engine->cycle, m = observations->n_sensors;
  const double           least = engine->params.noise_floor / 100 * engine->rms;
  const LacAnalysis      analysis = {
         .inflation = engine->params.inflation,
         .most_inflation = engine->params.most_inflation,
         .localisation = engine->params.localisation,
         .damping = engine->params.parameter_damping,
         .values = observations->values + k * m,
         .deviations = engine->deviations,
  };
  LacRng rng = lac_rng(engine->problem.context->seed, STREAM_PERTURBATIONS + (guint64) k);

  for (gsize i = 0; i < m; i++)
    engine->deviations[i] = MAX(observations->sigma[k * m + i], least);
  if (!lac_ensemble_analyse(engine->ensemble, &analysis, &rng))
    return FALSE;
  memcpy(engine->history + k * engine->n_model, lac_ensemble_get_mean(engine->ensemble, spread),
         engine->n_model * sizeof(double));
  if (engine->spreads)
    lac_ensemble_get_deviation(engine->ensemble, engine->spreads + k * engine->n_model);
  lac_enkf_unknowns_spread(&engine->unknowns, engine->params.parameter_spread / 100);
  return isfinite(*spread);
}

static gboolean
step(gpointer data, LacTurnReport *report, GError **error)
{
  Engine  *engine = data;
  double   spread = NAN;
  LacSpan  span;
  gboolean is_finite;

  if (!forecast(engine, error))
    return FALSE;
  if (engine->cycle > 0)
    report->samples =
      (double) engine->params.members * (double) engine->problem.subject->steps_between;
  span = lac_span_begin(engine->problem.context->lane, engine->name_analysis);
  span.flops = lac_ensemble_get_flops(engine->ensemble);
  span.bytes = (double) lac_ensemble_get_bytes(engine->ensemble);
  is_finite = analyse(engine, &spread);
  lac_span_end(engine->problem.context->lane, span, engine->cycle + 1);
  if (!is_finite) {
    report->outcome = LAC_OUTCOME_DIVERGED;
    g_snprintf(report->why, sizeof report->why,
               _("the ensemble left the numbers at observation %d: lower time_step or inflation"),
               (int) engine->cycle + 1);
    return TRUE;
  }
  report->curves[CURVE_SPREAD] = spread / engine->rms;
  engine->chi_squared[engine->cycle] = lac_ensemble_get_innovation(engine->ensemble).chi_squared;
  report->curves[CURVE_CHI_SQUARED] = engine->chi_squared[engine->cycle];
  report->curves[CURVE_INFLATION] = lac_ensemble_get_innovation(engine->ensemble).inflation;
  for (guint u = 0; u < engine->unknowns.n; u++)
    report->curves[CURVE_FIRST_UNKNOWN + u] = lac_enkf_unknowns_get_mean(&engine->unknowns, u);
  engine->cycle++;
  if (engine->cycle == n_steps(engine))
    report->outcome = LAC_OUTCOME_FINISHED;
  return TRUE;
}

/* Of times that it has not come to yet it knows the mean of the training part. */
static gboolean
field(gpointer data, gsize k, double *values, double *deviation, GError **error G_GNUC_UNUSED)
{
  Engine       *engine = data;
  const double *known =
    (gint64) k < engine->cycle ? engine->history + k * engine->n_model : engine->problem.pod->mean;

  lac_forecast_show(known, engine->n_model, engine->n, values, deviation);
  if (deviation && engine->spreads)
    memcpy(deviation, engine->spreads + k * engine->n_model, engine->n_model * sizeof *deviation);
  else if (deviation && (engine->cycle == 0 || (gint64) k + 1 == engine->cycle))
    lac_ensemble_get_deviation(engine->ensemble, deviation);
  return TRUE;
}

static double
innovation(gpointer data, gsize k)
{
  const Engine *engine = data;

  return (gint64) k < engine->cycle ? engine->chi_squared[k] : (double) NAN;
}

static void
save(gpointer data, LacStore *store)
{
  Engine     *engine = data;
  const gsize members = (gsize) engine->params.members, cycle = (gsize) engine->cycle;

  lac_store_put_bytes(store, "cycle", &engine->cycle, sizeof engine->cycle);
  memcpy(lac_store_put(store, "members", members, engine->n_model, sizeof(double)),
         lac_ensemble_get_members(engine->ensemble), members * engine->n_model * sizeof(double));
  memcpy(lac_store_put(store, "numbers", members, engine->unknowns.n + 1, sizeof(double)),
         lac_ensemble_get_numbers(engine->ensemble),
         (members * engine->unknowns.n + 1) * sizeof(double));
  memcpy(lac_store_put(store, "history", MAX(1, cycle), engine->n_model, sizeof(double)),
         engine->history, cycle * engine->n_model * sizeof(double));
  if (engine->spreads)
    memcpy(lac_store_put(store, "spreads", MAX(1, cycle), engine->n_model, sizeof(double)),
           engine->spreads, MAX(1, cycle) * engine->n_model * sizeof(double));
  memcpy(lac_store_put(store, "chi_squared", MAX(1, cycle), 1, sizeof(double)), engine->chi_squared,
         MAX(1, cycle) * sizeof(double));
}

static gboolean
load(gpointer data, const LacStore *store, GError **error)
{
  Engine       *engine = data;
  const gsize   members = (gsize) engine->params.members;
  const gint64 *cycle = lac_store_get_bytes(store, "cycle", sizeof *cycle, error);
  gconstpointer states =
    cycle ? lac_store_get(store, "members", members, engine->n_model, 8, error) : NULL;
  gconstpointer numbers =
    states ? lac_store_get(store, "numbers", members, engine->unknowns.n + 1, 8, error) : NULL;
  gconstpointer history =
    numbers ? lac_store_get(store, "history", (gsize) MAX(1, *cycle), engine->n_model, 8, error)
            : NULL;
  gconstpointer chi_squared =
    history ? lac_store_get(store, "chi_squared", (gsize) MAX(1, *cycle), 1, 8, error) : NULL;

  gconstpointer spreads =
    chi_squared && engine->spreads
      ? lac_store_get(store, "spreads", (gsize) MAX(1, *cycle), engine->n_model, 8, error)
      : chi_squared;

  if (!spreads)
    return FALSE;
  if (engine->spreads)
    memcpy(engine->spreads, spreads, (gsize) MAX(1, *cycle) * engine->n_model * 8);
  engine->cycle = *cycle;
  memcpy(lac_ensemble_get_members(engine->ensemble), states, members * engine->n_model * 8);
  memcpy(lac_ensemble_get_numbers(engine->ensemble), numbers,
         (members * engine->unknowns.n + 1) * 8);
  memcpy(engine->history, history, (gsize) *cycle * engine->n_model * 8);
  memcpy(engine->chi_squared, chi_squared, (gsize) *cycle * 8);
  lac_enkf_unknowns_hand_over(&engine->unknowns);
  return TRUE;
}

static void
retune(gpointer data, gconstpointer values)
{
  Engine       *engine = data;
  const Params *params = values;

  engine->params.localisation = params->localisation;
  engine->params.inflation = params->inflation;
  engine->params.most_inflation = params->most_inflation;
  engine->params.noise_floor = params->noise_floor;
}

const LacEngine lac_engine_enkf = {
  .name = "enkf",
  .title = N_("Ensemble Kalman filter"),
  .source = "Evensen (2003), doi:10.1007/s10236-003-0036-9",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .gives_deviation = TRUE,
  .needs_sensors = TRUE,
  .forecasts = TRUE,
  .needs_training = TRUE,
  .check = check,
  .estimate = estimate,
  .curves = curves,
  .create = create,
  .destroy = destroy,
  .n_steps = n_steps,
  .step = step,
  .field = field,
  .save = save,
  .load = load,
  .innovation = innovation,
  .retune = retune,
};
