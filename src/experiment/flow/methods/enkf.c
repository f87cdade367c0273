/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The method "enkf": an ensemble Kalman filter with forecasts by the flow's equation and an update at every
 * observation.
 * Source: Evensen (2003), doi:10.1007/s10236-003-0036-9 */
#include "base/error.h"
#include "base/memory-part.h"
#include "experiment/flow/forecast.h"
#include "experiment/flow/methods/enkf-smoother.h"
#include "experiment/flow/methods/enkf-unknowns.h"
#include "experiment/flow/methods/ensemble-start.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

typedef struct {
  gint64 members;
  double localisation, inflation, most_inflation, noise_floor;
  double parameter_damping, parameter_spread;
  gint64 check_readings; /* switch */
  gint64 analysis;       /* LacEnkfKind */
  gint64 lag;
  double smoother_localisation;
  gint64 start_members, start_times;
  gint64 start_states;          /* StartStates */
  gint64 scale_bands, diagnose; /* switches */
} Params;

static const char *const kinds[] = {[LAC_ENKF_STOCHASTIC] = "stochastic",
                                    [LAC_ENKF_SQUARE_ROOT] = "square-root",
                                    [LAC_ENKF_DETERMINISTIC] = "denkf",
                                    [LAC_ENKF_LOCAL] = "letkf",
                                    NULL};
static const char *const kind_titles[] = {[LAC_ENKF_STOCHASTIC] = N_("Stochastic"),
                                          [LAC_ENKF_SQUARE_ROOT] = N_("Square root"),
                                          [LAC_ENKF_DETERMINISTIC] = N_("Deterministic (DEnKF)"),
                                          [LAC_ENKF_LOCAL] = N_("Local (LETKF)")};

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, members), LAC_PARAM_INTEGER, "1", 2, 1024, 64, N_("Ensemble members"), N_("Ensemble Kalman filter"), N_("Number of flow states that sample the uncertainty")},
  {LAC_FIELD(Params, localisation), LAC_PARAM_REAL, "1", 1e-3, 1e4, 1.5, N_("Localisation length"), N_("Ensemble Kalman filter"), N_("Standard deviation of the Gaussian covariance taper, in the scene's unit of length"), LAC_PARAM_LIVE},
  {LAC_FIELD(Params, inflation), LAC_PARAM_REAL, "1", 1, 2, 1.05, N_("Inflation"), N_("Ensemble Kalman filter"), N_("Factor applied to the ensemble's anomalies before each analysis"), LAC_PARAM_LIVE},
  {LAC_FIELD(Params, most_inflation), LAC_PARAM_REAL, "1", 1, 10, 2, N_("Maximum inflation"), N_("Ensemble Kalman filter"), N_("Upper bound of the adaptive inflation, used when innovations exceed spread and noise"), LAC_PARAM_LIVE | LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, noise_floor), LAC_PARAM_REAL, "%", 0.01, 100, 2, N_("Minimum assumed noise"), N_("Ensemble Kalman filter"), N_("Lower bound on the assumed sensor noise, relative to the RMS fluctuation"), LAC_PARAM_LIVE | LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, parameter_damping), LAC_PARAM_REAL, "1", 0, 1, 0.5, N_("Damping of unknowns"), N_("Ensemble Kalman filter"), N_("Fraction of the update applied to unknown coefficients at each analysis"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, parameter_spread), LAC_PARAM_REAL, "%", 0, 100, 1, N_("Minimum spread of unknowns"), N_("Ensemble Kalman filter"), N_("Lower bound on the ensemble spread of unknown coefficients, so that they keep adapting"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, check_readings), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Check the readings"), N_("Ensemble Kalman filter"), N_("Leaves out readings beyond three standard deviations of what the ensemble expects, and names the sensor"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER},
  {LAC_FIELD(Params, analysis), LAC_PARAM_CHOICE, "1", 0, 0, LAC_ENKF_STOCHASTIC, N_("Analysis"), N_("Ensemble Kalman filter"), N_("How members are updated: with perturbed observations; deterministically, which needs no random numbers; or by a transform of its own at each point (LETKF), which is slower"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER, .choices = kinds, .titles = kind_titles},
  {LAC_FIELD(Params, lag), LAC_PARAM_INTEGER, "1", 0, 100, 15, N_("Smoother lag"), N_("Ensemble Kalman filter"), N_("Number of earlier observation times that each analysis also corrects"), LAC_PARAM_LATER, .zero = N_("No smoother")},
  {LAC_FIELD(Params, smoother_localisation), LAC_PARAM_REAL, "1", 0.1, 100, 1.7, N_("Localisation of the smoother"), N_("Ensemble Kalman filter"), N_("Length of the smoother's covariance taper, relative to that of the filter"), LAC_PARAM_LIVE | LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, start_members), LAC_PARAM_INTEGER, "1", 0, 4096, 256, N_("Members at the start"), N_("Ensemble Kalman filter"), N_("Size of the ensemble until the filter has found the flow, where the initial state is unknown"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER, .zero = N_("As later")},
  {LAC_FIELD(Params, start_times), LAC_PARAM_INTEGER, "1", 1, 10000, 15, N_("Observations of the start"), N_("Ensemble Kalman filter"), N_("Number of observation times with the members of the start"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, start_states), LAC_PARAM_CHOICE, "1", 0, 0, LAC_ENSEMBLE_SNAPSHOTS, N_("States at the start"), N_("Ensemble Kalman filter"), N_("Initial members: snapshots of the training part, or in a periodic domain random waves with its energy spectrum"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER, .choices = lac_ensemble_starts, .titles = lac_ensemble_start_titles},
  {LAC_FIELD(Params, scale_bands), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Scale error bars"), N_("Ensemble Kalman filter"), N_("Scales the ensemble's standard deviations to what the last innovations explain; smooths them in one dimension"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER},
  {LAC_FIELD(Params, diagnose), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Innovation diagnostics"), N_("Ensemble Kalman filter"), N_("Rank histogram of the readings among the members, leave-one-out χ², and an estimate of the sensor noise"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER},
};
/* clang-format on */

#define FIRST_GUESS 3 /* standard deviations */
/* A sensor whose readings of late were often unexpected is left out until they are not: in between, a faulty one
 * would be believed by chance. */
#define DOUBT      0.25
#define DOUBT_GAIN 0.15

/* The variance factor is a mean over the last innovations; a filter may know less than they say, but not much more. */
enum { FACTOR_TIMES = 20 };
#define LEAST_FACTOR 0.2

enum { CURVE_SPREAD, CURVE_CHI_SQUARED, CURVE_INFLATION, CURVE_FIRST_UNKNOWN };
/* after the unknowns, with check_readings */
enum { CHECK_LEFT_OUT, CHECK_STATION, CHECK_STATION_LEFT_OUT, N_CHECKS };
/* last, with diagnose */
enum { DIAGNOSIS_LEFT_OUT, DIAGNOSIS_NOISE, DIAGNOSIS_RANKS, N_DIAGNOSES };
enum { STREAM_PERTURBATIONS = 1 << 24, STREAM_RANKS = 1 << 25 };

typedef struct {
  Params           params;
  LacProblem       problem;
  guint32          name_forecast, name_analysis, name_smoother;
  gpointer         solver;
  LacEnsemble     *ensemble;
  LacEnkfSmoother *smoother;  /* NULL: none */
  gsize            n_members; /* now */
  gsize            n,
    n_model; /* values per snapshot of the grid, and of the solver, whose fields come first */
  LacEnkfUnknowns unknowns;
  double          rms;
  double         *deviations; /* [n_sensors], assumed by the filter */
  double         *history;    /* [n_times][n_model]: the analyses */
  double *
    spreads; /* [n_times][n_model]: their deviations, if all times are displayed at once; else NULL */
  double *chi_squared;         /* [n_times] of the innovations */
  gint64 *n_read, *n_left_out; /* [n_stations]: readings so far, and those of them left out */
  double *doubts;              /* [n_stations]: running share of unexpected readings */
  guint8 *distrusted;          /* [n_sensors] */
  LacEnkfDiagnostics diagnostics;
  gint64             cycle; /* observations analysed */
  LacMemoryClaim     claim;
} Method;

/* Returns the number of members at observation @k. */
static gsize
count_members(const Params *params, const LacCase *subject, gint64 k)
{
  const gboolean is_start = !subject->initial && k < params->start_times;

  return (gsize) (is_start ? MAX(params->members, params->start_members) : params->members);
}

static gsize
curves(gconstpointer values, const LacCase *subject, LacCurve *list)
{
  static const LacCurve checks[N_CHECKS] = {
    [CHECK_LEFT_OUT] = {"left_out_percent", N_("Readings left out"), "%", FALSE, TRUE, NAN},
    [CHECK_STATION] = {"suspect_sensor", N_("Sensor left out most (0: none)"), "1", FALSE, TRUE,
                       NAN},
    [CHECK_STATION_LEFT_OUT] = {"suspect_left_out_percent", N_("Its readings left out"), "%", FALSE,
                                TRUE, NAN},
  };
  static const LacCurve diagnoses[N_DIAGNOSES] = {
    [DIAGNOSIS_LEFT_OUT] = {"leave_one_out_chi_squared", N_("Leave-one-out χ² (1: calibrated)"),
                            "1", FALSE, TRUE, NAN},
    [DIAGNOSIS_NOISE] = {"noise_over_assumed", N_("Sensor noise estimated over assumed"), "1",
                         FALSE, TRUE, NAN},
    [DIAGNOSIS_RANKS] = {"outer_ranks", N_("Readings of outer ranks (1: calibrated)"), "1", FALSE,
                         TRUE, NAN},
  };
  const Params *params = values;
  gsize         n;

  list[CURVE_SPREAD] = (LacCurve){"spread",
                                  N_("Ensemble spread"),
                                  "1",
                                  TRUE,
                                  FALSE,
                                  NAN,
                                  {LAC_COLUMN_SPREAD, .is_fraction = TRUE}};
  list[CURVE_CHI_SQUARED] = (LacCurve){"chi_squared", N_("Innovation χ²"), "1", TRUE, FALSE, 1};
  list[CURVE_INFLATION] = (LacCurve){"inflation", N_("Inflation"), "1", FALSE, FALSE, NAN};
  n = CURVE_FIRST_UNKNOWN + lac_forecast_list_curves(subject, list + CURVE_FIRST_UNKNOWN);
  for (guint i = 0; i < N_CHECKS && params->check_readings; i++)
    list[n++] = checks[i];
  for (guint i = 0; i < N_DIAGNOSES && params->diagnose; i++)
    list[n++] = diagnoses[i];
  if (params->diagnose)
    n += lac_forecast_list_errors(subject, list + n);
  return n;
}

static void
estimate(gconstpointer values, const LacCase *subject, gsize n_values, LacEstimate *result)
{
  static const double flops_per_second = 2.2e10;
  static const double analysis = 7e-11, smoother = 1.5e-11; /* seconds per operation */
  const Params       *params = values;
  const double        points = (double) (subject->model.nx * subject->model.ny);
  const double        n = points * subject->solver->n_fields;
  const double        first = (double) count_members(params, subject, 0);
  const double        share = MIN(1, (double) params->start_times / (double) subject->n_times);
  const double        members = share * first + (1 - share) * (double) params->members;

  result->n_steps = (gint64) subject->n_times;
  result->seconds_per_step =
    members * (double) subject->steps_between * 4 * 5 * 2.5 * points * log2(points) /
      flops_per_second +
    4 * members * n * (double) n_values * (analysis + smoother * (double) params->lag);
  result->memory_bytes =
    8 * n * (members + 1 + (double) subject->n_times) + 4 * n * members * (double) params->lag;
}

static gboolean
check(gconstpointer values, const LacCase *subject, GError **error)
{
  if (!subject->solver)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "engines = enkf needs a solver of the equation, but this scene has none");
  else
    return lac_ensemble_start_check(((const Params *) values)->start_states, subject, error);
  return FALSE;
}

static void
destroy(gpointer data)
{
  Method *method = data;

  if (method->solver)
    method->problem.subject->solver->destroy(method->solver);
  lac_ensemble_free(method->ensemble);
  lac_enkf_smoother_free(method->smoother);
  lac_enkf_unknowns_clear(&method->unknowns);
  g_free(method->deviations);
  g_free(method->history);
  lac_memory_unclaim(&method->claim);
  g_free(method->spreads);
  g_free(method->chi_squared);
  g_free(method->n_read);
  g_free(method->n_left_out);
  g_free(method->doubts);
  g_free(method->distrusted);
  g_free(method);
}

static gboolean
make_solver(Method *method, GError **error)
{
  const LacContext *context = method->problem.context;
  const LacType     type = g_str_equal(context->precision, "f32") ? LAC_F32 : LAC_F64;

  method->solver = lac_forecast_new(
    method->problem.subject, context,
    &(LacForecastSettings){.device = context->device, .type = type, .n_members = method->n_members},
    error);
  return method->solver != NULL;
}

static gboolean
make_ensemble(Method *method, GError **error)
{
  const LacTruth     *grid = method->problem.grid;
  LacEnsembleSettings settings = {
    .n_members = method->n_members,
    .n_fields = method->problem.subject->solver->n_fields,
    .grid = {.nx = grid->nx,
             .ny = grid->ny,
             .lower = {grid->lower[0], grid->lower[1]},
             .periodic = {grid->periodic[0], grid->periodic[1]}},
    .observations = method->problem.observations,
    .n_numbers = method->unknowns.n,
  };

  settings.grid.cell[0] = (grid->upper[0] - grid->lower[0]) / (double) MAX(1, grid->nx - 1);
  settings.grid.cell[1] = (grid->upper[1] - grid->lower[1]) / (double) MAX(1, grid->ny - 1);
  method->ensemble = lac_ensemble_new(&settings);
  method->unknowns.numbers = lac_ensemble_get_numbers(method->ensemble);
  method->unknowns.stride = method->unknowns.n;
  if (method->params.lag > 0)
    method->smoother = lac_enkf_smoother_new(&settings, (gsize) method->params.lag,
                                             method->problem.context->pool, error);
  return method->params.lag == 0 || method->smoother != NULL;
}

/* Fills all times with the initial spread; later analyses replace it. */
static void
keep_spreads(Method *method)
{
  const gsize n_times = method->problem.grid->n_times, n = method->n_model;

  method->spreads = g_new(double, n_times *n);
  lac_ensemble_get_deviation(method->ensemble, method->spreads);
  for (gsize k = 1; k < n_times; k++)
    memcpy(method->spreads + k * n, method->spreads, n * sizeof *method->spreads);
}

static gpointer
create(gconstpointer values, const LacProblem *problem, GError **error)
{
  const LacSolver *solver = problem->subject->solver;
  Method          *method;

  if (!lac_ensemble_start_is_possible(problem, error))
    return NULL;
  method = g_new0(Method, 1);
  method->params = *(const Params *) values;
  method->problem = *problem;
  method->n = lac_truth_get_length(problem->grid);
  method->n_model = solver->n_fields * problem->grid->nx * problem->grid->ny;
  method->n_members = count_members(&method->params, problem->subject, 0);
  lac_enkf_unknowns_init(&method->unknowns, problem->subject, method->n_members);
  method->rms = problem->pod->rms;
  method->deviations = g_new0(double, problem->observations->n_sensors);
  method->history = g_new(double, problem->grid->n_times * method->n_model);
  lac_memory_claim(&method->claim, LAC_MEMORY_STATES,
                   problem->grid->n_times * method->n_model * sizeof(double));
  /* touch all pages now: gradual first use would look like a memory leak */
  memset(method->history, 0, problem->grid->n_times * method->n_model * sizeof(double));
  method->chi_squared = g_new0(double, problem->grid->n_times);
  method->n_read = g_new0(gint64, problem->observations->n_stations + 1);
  method->n_left_out = g_new0(gint64, problem->observations->n_stations + 1);
  method->doubts = g_new0(double, problem->observations->n_stations + 1);
  method->distrusted = g_new0(guint8, problem->observations->n_sensors + 1);
  if (problem->context->perf) {
    method->name_forecast = lac_perf_name(problem->context->perf, "ensemble forecast");
    method->name_analysis = lac_perf_name(problem->context->perf, "ensemble analysis");
    method->name_smoother = lac_perf_name(problem->context->perf, "ensemble smoother");
  }
  if (!make_ensemble(method, error) || !make_solver(method, error) ||
      !lac_ensemble_start_draw(problem, (LacEnsembleStart) method->params.start_states,
                               method->n_members, lac_ensemble_get_members(method->ensemble),
                               error)) {
    destroy(method);
    return NULL;
  }
  lac_enkf_unknowns_draw(&method->unknowns, problem->context->seed);
  lac_enkf_unknowns_spread(&method->unknowns, method->params.parameter_spread / 100);
  if (problem->grid->ny == 1)
    keep_spreads(method);
  return method;
}

static gint64
n_steps(gconstpointer data)
{
  return (gint64) ((const Method *) data)->problem.grid->n_times;
}

/* Gives up the members of the start before the forecast to observation @k. */
static void
reduce(Method *method, gint64 k)
{
  const gsize n_members = count_members(&method->params, method->problem.subject, k);

  if (n_members >= method->n_members)
    return;
  method->n_members = n_members;
  lac_ensemble_reduce(method->ensemble, n_members);
  lac_enkf_unknowns_reduce(&method->unknowns, n_members);
  if (method->smoother)
    lac_enkf_smoother_reduce(method->smoother, n_members);
}

static gboolean
forecast(Method *method, GError **error)
{
  const LacContext *context = method->problem.context;
  const LacCase    *subject = method->problem.subject;
  LacSpan           span;

  if (method->cycle == 0)
    return TRUE;
  reduce(method, method->cycle);
  span = lac_span_begin(context->lane, method->name_forecast);
  span.flops = subject->solver->flops(method->solver) * (double) method->n_members *
               (double) subject->steps_between;
  if (!subject->solver->advance(method->solver, lac_ensemble_get_members(method->ensemble),
                                method->n_members, method->unknowns.parameters,
                                subject->steps_between, error))
    return FALSE;
  lac_span_end(context->lane, span, method->cycle + 1);
  return TRUE;
}

/* While the members are far apart, they are far from Gaussian, where perturbed observations keep an ensemble from
 * degenerating (Lawson, Hansen 2004, doi:10.1175/1520-0493(2004)132<1966:IOSADF>2.0.CO;2). */
static LacEnkfKind
choose_kind(const Method *method)
{
  const gsize later =
    count_members(&method->params, method->problem.subject, method->params.start_times);

  return method->n_members > later ? LAC_ENKF_STOCHASTIC : (LacEnkfKind) method->params.analysis;
}

/* Returns: FALSE if the ensemble is not finite. */
static gboolean
analyse(Method *method, double *spread)
{
  const LacObservations *observations = method->problem.observations;
  const gsize            k = (gsize) method->cycle, m = observations->n_sensors;
  const double           least = method->params.noise_floor / 100 * method->rms;
  const guint64          seed = method->problem.context->seed;
  LacRng                 rng = lac_rng(seed, STREAM_PERTURBATIONS + (guint64) k);
  LacRng                 rank_rng = lac_rng(seed, STREAM_RANKS + (guint64) k);
  const LacAnalysis      analysis = {
         .kind = choose_kind(method),
         .inflation = method->params.inflation,
         .most_inflation = method->params.most_inflation,
         .localisation = method->params.localisation,
         .damping = method->params.parameter_damping,
         .values = observations->values + k * m,
         .deviations = method->deviations,
         .first_guess = method->params.check_readings ? FIRST_GUESS : 0,
         .distrusted = method->distrusted,
         .diagnostics = method->params.diagnose ? &method->diagnostics : NULL,
         .diagnostics_rng = &rank_rng,
  };

  for (gsize i = 0; i < m; i++)
    method->distrusted[i] = method->doubts[observations->sensors[i].station] > DOUBT;
  for (gsize i = 0; i < m; i++)
    method->deviations[i] = MAX(observations->sigma[k * m + i], least);
  if (!lac_ensemble_analyse(method->ensemble, &analysis, &rng))
    return FALSE;
  memcpy(method->history + k * method->n_model, lac_ensemble_get_mean(method->ensemble, spread),
         method->n_model * sizeof(double));
  if (method->spreads)
    lac_ensemble_get_deviation(method->ensemble, method->spreads + k * method->n_model);
  lac_enkf_unknowns_spread(&method->unknowns, method->params.parameter_spread / 100);
  lac_enkf_unknowns_follow(&method->unknowns);
  return isfinite(*spread);
}

/* Corrects the estimates of earlier observations by the analysis of this one. */
static void
smooth(Method *method)
{
  const LacContext        *context = method->problem.context;
  const gsize              k = (gsize) method->cycle;
  const LacEnsembleWeights weights = lac_ensemble_get_weights(method->ensemble);
  LacSpan                  span;

  if (!method->smoother)
    return;
  span = lac_span_begin(context->lane, method->name_smoother);
  span.flops = lac_enkf_smoother_get_flops(method->smoother, k, weights.n);
  span.bytes = (double) lac_enkf_smoother_get_bytes(method->smoother);
  lac_enkf_smoother_update(method->smoother, k, &weights,
                           method->params.localisation * method->params.smoother_localisation,
                           method->history, method->params.scale_bands ? method->spreads : NULL);
  lac_enkf_smoother_keep(method->smoother, k, lac_ensemble_get_members(method->ensemble));
  lac_span_end(context->lane, span, method->cycle + 1);
}

/* Counts the readings of this cycle. */
static void
count_readings(Method *method)
{
  const LacObservations *observations = method->problem.observations;
  const guint8          *left_out = lac_ensemble_get_left_out(method->ensemble);
  const double *values = observations->values + (gsize) method->cycle * observations->n_sensors;

  for (gsize i = 0; i < observations->n_sensors; i++) {
    const gsize station = observations->sensors[i].station;

    method->n_read[station] += isfinite(values[i]) != 0;
    method->n_left_out[station] += (left_out[i] & LAC_READING_LEFT_OUT) != 0;
    if (isfinite(values[i]))
      method->doubts[station] +=
        DOUBT_GAIN * (((left_out[i] & LAC_READING_UNEXPECTED) != 0) - method->doubts[station]);
  }
}

/* @curves: [N_DIAGNOSES] */
static void
report_diagnostics(const LacEnkfDiagnostics *diagnostics, double *curves)
{
  curves[DIAGNOSIS_LEFT_OUT] = diagnostics->left_out;
  curves[DIAGNOSIS_NOISE] = sqrt(diagnostics->noise);
  curves[DIAGNOSIS_RANKS] = lac_enkf_diagnostics_get_outer(diagnostics);
}

/* @curves: [N_CHECKS] */
static void
report_readings(const Method *method, double *curves)
{
  double read = 0, left_out = 0, most = 0;
  gsize  station = 0;

  for (gsize s = 0; s < method->problem.observations->n_stations; s++) {
    const double share =
      method->n_read[s] > 0 ? (double) method->n_left_out[s] / (double) method->n_read[s] : 0;

    read += (double) method->n_read[s];
    left_out += (double) method->n_left_out[s];
    station = share > most ? s + 1 : station;
    most = fmax(most, share);
  }
  curves[CHECK_LEFT_OUT] = read > 0 ? 100 * left_out / read : 0;
  curves[CHECK_STATION] = (double) station;
  curves[CHECK_STATION_LEFT_OUT] = 100 * most;
}

/* Returns the factor of the deviations at observation @k: the root of the a posteriori variance factor, since assumed
 * noise and spread that are too large by one factor leave the analysis unchanged. */
static double
find_factor(const Method *method, gsize k)
{
  const gsize last = MIN(k, (gsize) MAX(1, method->cycle) - 1);
  const gsize first = last >= FACTOR_TIMES ? last + 1 - FACTOR_TIMES : 0;
  double      sum = 0;

  if (!method->params.scale_bands || method->cycle == 0)
    return 1;
  for (gsize i = first; i <= last; i++)
    sum += method->chi_squared[i] / (double) (last + 1 - first);
  return fmax(LEAST_FACTOR, sqrt(sum));
}

static gboolean
step(gpointer data, LacMethodReport *report, GError **error)
{
  Method  *method = data;
  double   spread = NAN;
  LacSpan  span;
  gboolean is_finite;

  if (!forecast(method, error))
    return FALSE;
  if (method->cycle > 0)
    report->samples = (double) method->n_members * (double) method->problem.subject->steps_between;
  span = lac_span_begin(method->problem.context->lane, method->name_analysis);
  span.flops = lac_ensemble_get_flops(method->ensemble);
  span.bytes = (double) lac_ensemble_get_bytes(method->ensemble);
  is_finite = analyse(method, &spread);
  lac_span_end(method->problem.context->lane, span, method->cycle + 1);
  if (!is_finite) {
    report->outcome = LAC_OUTCOME_DIVERGED;
    g_snprintf(report->why, sizeof report->why,
               _("the ensemble became non-finite at observation %d: lower time_step or inflation"),
               (int) method->cycle + 1);
    return TRUE;
  }
  smooth(method);
  report->epoch = 1; /* one pass over the observations */
  report->batch = (guint) method->cycle + 1;
  report->curves[CURVE_SPREAD] = spread / method->rms;
  method->chi_squared[method->cycle] = lac_ensemble_get_innovation(method->ensemble).chi_squared;
  report->curves[CURVE_CHI_SQUARED] = method->chi_squared[method->cycle];
  report->curves[CURVE_INFLATION] = lac_ensemble_get_innovation(method->ensemble).inflation;
  for (guint u = 0; u < method->unknowns.n; u++)
    report->curves[CURVE_FIRST_UNKNOWN + u] = lac_enkf_unknowns_get_mean(&method->unknowns, u);
  double *curve = report->curves + CURVE_FIRST_UNKNOWN + method->unknowns.n;
  if (method->params.check_readings) {
    count_readings(method);
    report_readings(method, curve);
    curve += N_CHECKS;
  }
  if (method->params.diagnose) {
    report_diagnostics(&method->diagnostics, curve);
    for (guint u = 0; u < method->unknowns.n; u++)
      curve[N_DIAGNOSES + u] = fmax(1, find_factor(method, (gsize) method->cycle)) *
                               lac_enkf_unknowns_get_error(&method->unknowns, u);
  }
  method->cycle++;
  if (method->cycle == n_steps(method))
    report->outcome = LAC_OUTCOME_FINISHED;
  return TRUE;
}

/* For times not reached yet the estimate is the mean of the training part. */
static gboolean
field(gpointer data, gsize k, double *values, double *deviation, GError **error G_GNUC_UNUSED)
{
  Method       *method = data;
  const double *known =
    (gint64) k < method->cycle ? method->history + k * method->n_model : method->problem.pod->mean;

  lac_forecast_show(known, method->n_model, method->n, values, deviation);
  if (deviation && method->spreads)
    memcpy(deviation, method->spreads + k * method->n_model, method->n_model * sizeof *deviation);
  else if (deviation && (method->cycle == 0 || (gint64) k + 1 == method->cycle))
    lac_ensemble_get_deviation(method->ensemble, deviation);
  if (deviation) {
    const double factor = find_factor(method, k);

    for (gsize i = 0; i < method->n_model; i++)
      deviation[i] *= factor;
  }
  return TRUE;
}

static gsize
reached(gconstpointer data)
{
  return (gsize) ((const Method *) data)->cycle;
}

static double
innovation(gpointer data, gsize k)
{
  const Method *method = data;

  return (gint64) k < method->cycle ? method->chi_squared[k] : (double) NAN;
}

static gboolean
ranked(gconstpointer params)
{
  return ((const Params *) params)->diagnose != 0;
}

static void
ranks(gconstpointer data, double *shares)
{
  lac_enkf_diagnostics_get_ranks(&((const Method *) data)->diagnostics, shares);
}

/* Visits what the check of the readings counts. */
static void
visit_readings(Method *method, LacVisit *visit)
{
  const gsize n = (method->problem.observations->n_stations + 1) * sizeof(gint64);

  lac_visit_bytes(visit, "n_read", method->n_read, n);
  lac_visit_bytes(visit, "n_left_out", method->n_left_out, n);
  lac_visit_later_bytes(visit, "doubts", method->doubts, n);
}

static void
visit(gpointer data, LacVisit *visit)
{
  Method *method = data;

  lac_visit_bytes(visit, "cycle", &method->cycle, sizeof method->cycle);
  lac_visit_expect(visit, method->cycle >= 0 && method->cycle <= n_steps(method));
  if (lac_visit_restores(visit))
    reduce(method, MAX(0, method->cycle - 1));

  const gsize members = method->n_members, n_model = method->n_model;
  const gsize cycles = (gsize) MAX(1, method->cycle);

  lac_visit_values(visit, "members", lac_ensemble_get_members(method->ensemble), members, n_model,
                   8);
  lac_visit_values(visit, "numbers", lac_ensemble_get_numbers(method->ensemble), members,
                   method->unknowns.n + 1, 8);
  lac_visit_values(visit, "history", method->history, cycles, n_model, 8);
  if (method->spreads)
    lac_visit_values(visit, "spreads", method->spreads, cycles, n_model, 8);
  lac_visit_values(visit, "chi_squared", method->chi_squared, cycles, 1, 8);
  if (method->smoother)
    lac_enkf_smoother_visit(method->smoother, (gsize) method->cycle, visit);
  if (method->params.diagnose) {
    lac_visit_bytes(visit, "diagnostics", &method->diagnostics, sizeof method->diagnostics);
    lac_visit_bytes(visit, "trail", &method->unknowns.trail, sizeof method->unknowns.trail);
  }
  if (method->params.check_readings)
    visit_readings(method, visit);
  if (lac_visit_restores(visit))
    lac_enkf_unknowns_hand_over(&method->unknowns);
}

static void
retune(gpointer data, gconstpointer values)
{
  Method       *method = data;
  const Params *params = values;

  method->params.localisation = params->localisation;
  method->params.inflation = params->inflation;
  method->params.most_inflation = params->most_inflation;
  method->params.noise_floor = params->noise_floor;
  method->params.smoother_localisation = params->smoother_localisation;
}

const LacFlowMethod lac_flow_method_enkf = {
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
  .visit = visit,
  .reached = reached,
  .innovation = innovation,
  .ranked = ranked,
  .ranks = ranks,
  .retune = retune,
};
