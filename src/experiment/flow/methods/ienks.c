/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The method "ienks": an iterative ensemble Kalman smoother. Every observation k is assimilated once, through the state
 * L observations before it, by Gauss-Newton iterations that run the ensemble through the flow's equation again:
 *   J(v) = |v|^2 / 2 + |y_k - H M(x + X v)|^2_R / 2
 * with the normalised anomalies X at the beginning of the window and the solver M up to k; the sensitivities are those
 * of the ensemble, with members as far apart as the posterior of the last iteration. Then the window moves on by one
 * observation. Not localised: the members must span what is uncertain.
 * Source: Bocquet and Sakov (2014), doi:10.1002/qj.2236, algorithm 1 (single data assimilation, transform version) */
#include "backend/dense.h"
#include "base/error.h"
#include "base/memory-part.h"
#include "experiment/flow/forecast.h"
#include "experiment/flow/methods/enkf-unknowns.h"
#include "experiment/flow/methods/ensemble-start.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

typedef struct {
  gint64 ienks_members, ienks_lag;
  double ienks_inflation;
  gint64 ienks_iterations;
  gint64 ienks_smooths; /* switch */
  gint64 ienks_start;   /* LacEnsembleStart */
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, ienks_members), LAC_PARAM_INTEGER, "1", 2, 1024, 60, N_("Ensemble members"), N_("Iterative ensemble smoother"), N_("Number of flow states that sample the uncertainty; without localisation, more than the directions in which errors grow"), LAC_PARAM_LATER},
  {LAC_FIELD(Params, ienks_lag), LAC_PARAM_INTEGER, "1", 0, 100, 4, N_("Lag"), N_("Iterative ensemble smoother"), N_("Observations from the state that is estimated to the reading that it is estimated from"), LAC_PARAM_LATER, .zero = N_("No smoother")},
  {LAC_FIELD(Params, ienks_inflation), LAC_PARAM_REAL, "1", 1, 2, 1.03, N_("Inflation"), N_("Iterative ensemble smoother"), N_("Factor applied to the ensemble's anomalies whenever the window moves on"), LAC_PARAM_LIVE},
  {LAC_FIELD(Params, ienks_iterations), LAC_PARAM_INTEGER, "1", 1, 100, 10, N_("Maximum iterations"), N_("Iterative ensemble smoother"), N_("Gauss-Newton iterations per observation; they end early when they have converged"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, ienks_smooths), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Correct earlier times"), N_("Iterative ensemble smoother"), N_("Shows each time as it is known from the readings up to the lag after it; otherwise from those up to it"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, ienks_start), LAC_PARAM_CHOICE, "1", 0, 0, LAC_ENSEMBLE_SNAPSHOTS, N_("States at the start"), N_("Iterative ensemble smoother"), N_("Initial members: snapshots of the training part, or in a periodic domain random waves with its energy spectrum"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER, .choices = lac_ensemble_starts, .titles = lac_ensemble_start_titles},
};
/* clang-format on */

#define CONVERGED      1e-3 /* RMS change of a weight, relative to a standard deviation */
#define MOST_INFLATION 1.2  /* where innovations exceed spread and noise */
#define BEYOND         3    /* standard deviations of chi-squared */

enum { CURVE_SPREAD, CURVE_CHI_SQUARED, CURVE_ITERATIONS, CURVE_FIRST_UNKNOWN };
enum { FACTOR_TIMES = 20 }; /* innovations of the variance factor */
enum { STREAM_ROTATION = 1 << 24 };

typedef struct {
  Params          params;
  LacProblem      problem;
  guint32         name_forecast, name_analysis;
  gpointer        solver;
  gsize           n, n_model; /* values per snapshot of the grid, and of the solver */
  gsize           n_state;    /* n_model and the logarithms of the unknown coefficients */
  gsize           n_members;
  LacEnkfUnknowns unknowns;
  double         *start;  /* [n_members][n_state]: members at the beginning of the window */
  double         *mean;   /* [n_state]: theirs; then start holds anomalies */
  double         *states; /* [n_members][n_state]: of an iteration */
  double         *models; /* [n_members][n_model]: the same, run through the window */
  double         *history, *spreads; /* [n_times][n_model] */
  double         *chi_squared;       /* [n_times] */
  /* of one window; m: sensors */
  gsize          m;
  double        *observed;                     /* [n_members][m]: scaled anomalies S */
  double        *innovations;                  /* [m]: scaled */
  double        *weights, *best, *right;       /* [n_members] */
  double        *transform, *inverse;          /* [n_members][n_members]: T and its inverse */
  double        *combination, *eigenvectors;   /* [n_members][n_members] */
  double        *eigenvalues, *work, *scratch; /* scratch: [n_members][m] */
  gint64         cycle;                        /* observations analysed */
  LacMemoryClaim claim;
} Method;

static gsize
curves(gconstpointer values G_GNUC_UNUSED, const LacCase *subject, LacCurve *list)
{
  gsize n;

  list[CURVE_SPREAD] = (LacCurve){"spread",
                                  N_("Ensemble spread"),
                                  "1",
                                  TRUE,
                                  FALSE,
                                  NAN,
                                  {LAC_COLUMN_SPREAD, .is_fraction = TRUE}};
  list[CURVE_CHI_SQUARED] = (LacCurve){"chi_squared", N_("Innovation χ²"), "1", TRUE, FALSE, 1};
  list[CURVE_ITERATIONS] = (LacCurve){"iterations", N_("Iterations"), "1", FALSE, FALSE, NAN};
  n = CURVE_FIRST_UNKNOWN + lac_forecast_list_curves(subject, list + CURVE_FIRST_UNKNOWN);
  return n + lac_forecast_list_errors(subject, list + n);
}

static void
estimate(gconstpointer values, const LacCase *subject, gsize n_values, LacEstimate *result)
{
  static const double flops_per_second = 1.5e10;
  const Params       *params = values;
  const double        points = (double) (subject->model.nx * subject->model.ny);
  const double        n = points * subject->solver->n_fields;
  const double        members = (double) params->ienks_members;
  const double        intervals = (double) MAX(1, params->ienks_lag);
  const double        runs = MIN(4, (double) params->ienks_iterations + 1); /* mostly */

  result->n_steps = (gint64) subject->n_times;
  result->seconds_per_step =
    runs *
    (members * intervals * (double) subject->steps_between * 4 * 5 * 2.5 * points * log2(points) +
     2 * members * members * (n + (double) n_values) + 20 * pow(members, 3)) /
    flops_per_second;
  result->memory_bytes = 8 * n * (3 * members + 2 * (double) subject->n_times);
}

static gboolean
check(gconstpointer values, const LacCase *subject, GError **error)
{
  if (!subject->solver)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "engines = ienks needs a solver of the equation, but this scene has none");
  else
    return lac_ensemble_start_check(((const Params *) values)->ienks_start, subject, error);
  return FALSE;
}

static void
destroy(gpointer data)
{
  Method  *method = data;
  double **owned[] = {
    &method->start,       &method->mean,    &method->states,      &method->models,
    &method->history,     &method->spreads, &method->chi_squared, &method->observed,
    &method->innovations, &method->weights, &method->best,        &method->right,
    &method->transform,   &method->inverse, &method->combination, &method->eigenvectors,
    &method->eigenvalues, &method->work,    &method->scratch};

  if (method->solver)
    method->problem.subject->solver->destroy(method->solver);
  for (gsize i = 0; i < G_N_ELEMENTS(owned); i++)
    g_free(*owned[i]);
  lac_enkf_unknowns_clear(&method->unknowns);
  lac_memory_unclaim(&method->claim);
  g_free(method);
}

static void
allocate(Method *method)
{
  const gsize n_members = method->n_members, n_times = method->problem.grid->n_times;
  const gsize m = method->problem.observations->n_sensors;

  method->start = g_new0(double, n_members * method->n_state);
  method->mean = g_new0(double, method->n_state);
  method->states = g_new0(double, n_members * method->n_state);
  method->models = g_new0(double, n_members * method->n_model);
  method->history = g_new0(double, n_times * method->n_model);
  method->spreads = g_new0(double, n_times * method->n_model);
  method->chi_squared = g_new0(double, n_times);
  method->observed = g_new0(double, n_members *(m + 1));
  method->scratch = g_new0(double, n_members *(m + 1));
  method->innovations = g_new0(double, m + 1);
  method->weights = g_new0(double, n_members);
  method->best = g_new0(double, n_members);
  method->right = g_new0(double, n_members);
  method->transform = g_new0(double, n_members *n_members);
  method->inverse = g_new0(double, n_members *n_members);
  method->combination = g_new0(double, n_members *n_members);
  method->eigenvectors = g_new0(double, n_members *n_members);
  method->eigenvalues = g_new0(double, n_members);
  method->work = g_new0(double, LAC_DENSE_EIGH_WORK(n_members));
  lac_memory_claim(&method->claim, LAC_MEMORY_STATES,
                   sizeof(double) * (n_members * (2 * method->n_state + method->n_model) +
                                     2 * n_times * method->n_model));
  /* touch all pages now: gradual first use would look like a memory leak */
  memset(method->history, 0, n_times * method->n_model * sizeof(double));
  memset(method->spreads, 0, n_times * method->n_model * sizeof(double));
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

/* Uses the logarithms of the unknown coefficients that end the rows of @states. */
static void
place_unknowns(Method *method, double *states)
{
  method->unknowns.numbers = states + method->n_model;
  method->unknowns.stride = method->n_state;
}

/* Draws states and unknown coefficients. */
static gboolean
draw_members(Method *method, GError **error)
{
  if (!lac_ensemble_start_draw(&method->problem, (LacEnsembleStart) method->params.ienks_start,
                               method->n_members, method->models, error))
    return FALSE;
  for (gsize e = 0; e < method->n_members; e++)
    memcpy(method->start + e * method->n_state, method->models + e * method->n_model,
           method->n_model * sizeof *method->start);
  place_unknowns(method, method->start);
  lac_enkf_unknowns_draw(&method->unknowns, method->problem.context->seed);
  return TRUE;
}

static gpointer
create(gconstpointer values, const LacProblem *problem, GError **error)
{
  Method *method;

  if (!lac_ensemble_start_is_possible(problem, error))
    return NULL;
  method = g_new0(Method, 1);
  method->params = *(const Params *) values;
  method->problem = *problem;
  method->n = lac_truth_get_length(problem->grid);
  method->n_model = problem->subject->solver->n_fields * problem->grid->nx * problem->grid->ny;
  method->n_members = (gsize) method->params.ienks_members;
  lac_enkf_unknowns_init(&method->unknowns, problem->subject, method->n_members);
  method->n_state = method->n_model + method->unknowns.n;
  allocate(method);
  if (problem->context->perf) {
    method->name_forecast = lac_perf_name(problem->context->perf, "ensemble forecast");
    method->name_analysis = lac_perf_name(problem->context->perf, "ensemble analysis");
  }
  if (make_solver(method, error) && draw_members(method, error))
    return method;
  destroy(method);
  return NULL;
}

static gint64
n_steps(gconstpointer data)
{
  return (gint64) ((const Method *) data)->problem.grid->n_times;
}

/* ---- the ensemble at the beginning of the window ---- */

/* Splits the members into mean and anomalies. */
static void
split(Method *method)
{
  const gsize n = method->n_state, n_members = method->n_members;

  memset(method->mean, 0, n * sizeof *method->mean);
  for (gsize e = 0; e < n_members; e++)
    for (gsize i = 0; i < n; i++)
      method->mean[i] += method->start[e * n + i] / (double) n_members;
  for (gsize e = 0; e < n_members; e++)
    for (gsize i = 0; i < n; i++)
      method->start[e * n + i] -= method->mean[i];
}

static void
set_identity(double *matrix, gsize n)
{
  memset(matrix, 0, n * n * sizeof *matrix);
  for (gsize i = 0; i < n; i++)
    matrix[i * n + i] = 1;
}

/* Computes the members x + X v + X T in states, and their parameters. */
static void
combine(Method *method)
{
  const gsize n = method->n_state, n_members = method->n_members;

  for (gsize e = 0; e < n_members; e++)
    for (gsize f = 0; f < n_members; f++)
      method->combination[e * n_members + f] =
        method->transform[e * n_members + f] + method->weights[f] / sqrt((double) (n_members - 1));
  for (gsize e = 0; e < n_members; e++)
    memcpy(method->states + e * n, method->mean, n * sizeof *method->mean);
  lac_dense_gemm(FALSE, FALSE, n_members, n, n_members, 1, method->combination, n_members,
                 method->start, n, 1, method->states, n);
  for (gsize e = 0; e < n_members; e++)
    memcpy(method->models + e * method->n_model, method->states + e * n,
           method->n_model * sizeof *method->models);
  place_unknowns(method, method->states);
  lac_enkf_unknowns_hand_over(&method->unknowns);
}

static gboolean
advance(Method *method, gsize n_intervals, GError **error)
{
  const LacContext *context = method->problem.context;
  const LacCase    *subject = method->problem.subject;
  const gsize       n = n_intervals * subject->steps_between;
  LacSpan           span;

  if (n == 0)
    return TRUE;
  span = lac_span_begin(context->lane, method->name_forecast);
  span.flops = subject->solver->flops(method->solver) * (double) (method->n_members * n);
  if (!subject->solver->advance(method->solver, method->models, method->n_members,
                                method->unknowns.parameters, n, error))
    return FALSE;
  lac_span_end(context->lane, span, method->cycle + 1);
  return TRUE;
}

/* ---- the iterations ---- */

/* Reads the sensors of observation @k once per member: innovations and anomalies over the noise, these not yet by the
 * inverse of T. */
static void
read_sensors(Method *method, gsize k)
{
  const LacObservations *observations = method->problem.observations;
  const double          *values = observations->values + k * observations->n_sensors;
  const double          *sigma = observations->sigma + k * observations->n_sensors;
  const gsize            n_members = method->n_members;
  gsize                  m = 0;

  for (gsize i = 0; i < observations->n_sensors; i++)
    m += isfinite(values[i]) != 0;
  method->m = m;
  for (gsize i = 0, to = 0; i < observations->n_sensors; i++) {
    double mean = 0;

    if (!isfinite(values[i]))
      continue;
    for (gsize e = 0; e < n_members; e++) {
      double *value = &method->observed[e * m + to];

      *value = lac_sensor_read(&observations->sensors[i], method->models + e * method->n_model);
      mean += *value / (double) n_members;
    }
    for (gsize e = 0; e < n_members; e++)
      method->observed[e * m + to] =
        (method->observed[e * m + to] - mean) / (sigma[i] * sqrt((double) (n_members - 1)));
    method->innovations[to++] = (values[i] - mean) / sigma[i];
  }
}

/* Computes the mean of innovation^2 / (spread^2 + noise^2) before the first iteration. Where it is beyond chance once
 * the window moves, the
 * anomalies are inflated to explain the innovations, so that an ensemble that has lost the truth finds it again. */
static double
compare(Method *method)
{
  const gsize m = method->m;
  double      chi_squared = 0, squares = 0, variances = 0;

  for (gsize k = 0; k < m; k++) {
    double variance = 0;

    for (gsize e = 0; e < method->n_members; e++)
      variance += pow(method->observed[e * m + k], 2);
    chi_squared += pow(method->innovations[k], 2) / (1 + variance) / (double) m;
    squares += pow(method->innovations[k], 2);
    variances += variance;
  }
  if (method->cycle >= method->params.ienks_lag &&
      chi_squared > 1 + BEYOND * sqrt(2 / (double) m) && variances > 0) {
    const double factor = CLAMP(sqrt(fmax(0, squares - (double) m) / variances), 1, MOST_INFLATION);

    for (gsize i = 0; i < method->n_members * method->n_state; i++)
      method->start[i] *= factor;
    for (gsize i = 0; i < method->n_members * m; i++)
      method->observed[i] *= factor;
  }
  return m > 0 ? chi_squared : (double) NAN;
}

/* @matrix: (out): U^T (1 + s^2)^power U */
static void
make_power(const Method *method, double power, double *matrix)
{
  const gsize   n = method->n_members;
  const double *u = method->eigenvectors;

  for (gsize j = 0; j < n; j++)
    for (gsize k = 0; k <= j; k++) {
      double sum = 0;

      for (gsize i = 0; i < n; i++)
        sum += pow(1 + method->eigenvalues[i], power) * u[i * n + j] * u[i * n + k];
      matrix[j * n + k] = matrix[k * n + j] = sum;
    }
}

/* Replaces the weights by U^T (1 + s^2)^-1 U S (d + S^T v). Returns: the RMS change. */
static double
find_weights(Method *method)
{
  const gsize   n = method->n_members, m = method->m;
  const double *s = method->observed, *u = method->eigenvectors;
  double        change = 0;

  for (gsize k = 0; k < m; k++) /* what the readings are from the beginning of the window */
    for (gsize e = 0; e < n; e++)
      method->innovations[k] += s[e * m + k] * method->weights[e];
  for (gsize e = 0; e < n; e++) {
    method->right[e] = 0;
    for (gsize k = 0; k < m; k++)
      method->right[e] += s[e * m + k] * method->innovations[k];
  }
  lac_dense_gemm(FALSE, FALSE, n, 1, n, 1, u, n, method->right, 1, 0, method->combination, 1);
  for (gsize i = 0; i < n; i++)
    method->combination[i] /= 1 + method->eigenvalues[i];
  memcpy(method->right, method->weights, n * sizeof *method->right);
  lac_dense_gemm(TRUE, FALSE, n, 1, n, 1, u, n, method->combination, 1, 0, method->weights, 1);
  for (gsize e = 0; e < n; e++)
    change += pow(method->weights[e] - method->right[e], 2) / (double) n;
  return sqrt(change);
}

/* Performs one Gauss-Newton step with the sensitivities of the ensemble just run. @change: (out). Returns: FALSE when it is
 * not finite. */
static gboolean
iterate(Method *method, double *change)
{
  const gsize n = method->n_members, m = method->m;

  /* S = H X' T^-1, as the members were drawn with T */
  memcpy(method->scratch, method->observed, n * m * sizeof *method->scratch);
  lac_dense_gemm(FALSE, FALSE, n, m, n, 1, method->inverse, n, method->scratch, m, 0,
                 method->observed, m);
  lac_dense_gemm(FALSE, TRUE, n, n, m, 1, method->observed, m, method->observed, m, 0,
                 method->eigenvectors, n);
  for (gsize i = 0; i < n; i++)
    if (!isfinite(method->eigenvectors[i * n + i]))
      return FALSE;
  if (!lac_dense_eigh_within(method->eigenvectors, n, method->eigenvalues, method->work))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    method->eigenvalues[i] = fmax(method->eigenvalues[i], 0);
  *change = find_weights(method);
  make_power(method, -0.5, method->transform);
  make_power(method, 0.5, method->inverse);
  return isfinite(*change) != 0;
}

/* Returns twice the cost of the weights of which the sensors were just read. */
static double
find_cost(const Method *method)
{
  double cost = 0;

  for (gsize e = 0; e < method->n_members; e++)
    cost += method->weights[e] * method->weights[e];
  for (gsize k = 0; k < method->m; k++)
    cost += method->innovations[k] * method->innovations[k];
  return cost;
}

/* Moves the weights half of the way back to those of the least cost. Returns: the RMS change that is left. */
static double
step_back(Method *method)
{
  double change = 0;

  for (gsize e = 0; e < method->n_members; e++) {
    method->weights[e] = (method->weights[e] + method->best[e]) / 2;
    change += pow(method->weights[e] - method->best[e], 2) / (double) method->n_members;
  }
  return sqrt(change);
}

/* Runs the members of the present weights, and finds the next: a Gauss-Newton step, or half of the last one where
 * that raised the cost. @change: (out): its RMS. Returns: FALSE when an ensemble is not finite. */
static gboolean
improve(Method *method, double *least, double *change)
{
  const double cost = find_cost(method);

  if (!isfinite(cost))
    return FALSE;
  if (cost > *least) {
    *change = step_back(method);
    return TRUE;
  }
  *least = cost;
  memcpy(method->best, method->weights, method->n_members * sizeof *method->best);
  return iterate(method, change);
}

/* Fits the weights to observation @k. @n_iterations: (out). Returns: FALSE with an error, or with @is_finite FALSE. */
static gboolean
fit(Method   *method,
    gsize     k,
    gsize     n_intervals,
    gint64   *n_iterations,
    gboolean *is_finite,
    GError  **error)
{
  const LacContext *context = method->problem.context;
  double            change = INFINITY, least = INFINITY;

  memset(method->weights, 0, method->n_members * sizeof *method->weights);
  set_identity(method->transform, method->n_members);
  set_identity(method->inverse, method->n_members);
  for (*n_iterations = 0; *n_iterations < method->params.ienks_iterations && change > CONVERGED;
       (*n_iterations)++) {
    combine(method);
    if (!advance(method, n_intervals, error))
      return FALSE;
    LacSpan span = lac_span_begin(context->lane, method->name_analysis);
    read_sensors(method, k);
    if (*n_iterations == 0)
      method->chi_squared[k] = compare(method);
    *is_finite = method->m == 0 || improve(method, &least, &change);
    lac_span_end(context->lane, span, method->cycle + 1);
    if (!*is_finite)
      return FALSE;
    if (method->m == 0)
      break;
  }
  return TRUE;
}

/* ---- the window ---- */

/* Stores mean and deviation of the models as the estimate at observation @k. */
static void
keep_estimate(Method *method, gsize k)
{
  const gsize n = method->n_model, n_members = method->n_members;
  double     *mean = method->history + k * n, *deviation = method->spreads + k * n;

  memset(mean, 0, n * sizeof *mean);
  memset(deviation, 0, n * sizeof *deviation);
  for (gsize e = 0; e < n_members; e++)
    for (gsize i = 0; i < n; i++)
      mean[i] += method->models[e * n + i] / (double) n_members;
  for (gsize e = 0; e < n_members; e++)
    for (gsize i = 0; i < n; i++)
      deviation[i] += pow(method->models[e * n + i] - mean[i], 2) / (double) (n_members - 1);
  for (gsize i = 0; i < n; i++)
    deviation[i] = sqrt(deviation[i]);
}

/* Rotates the fitted members at random about their mean: neither mean nor covariance change, but the members stay
 * as one distribution rather than one outlier among a cluster. A product of reflections across vectors of mean 0.
 * Source: Sakov and Oke (2008), doi:10.1175/2007MWR2021.1 */
static void
rotate(Method *method, gsize k)
{
  const gsize n = method->n_members;
  double     *axis = method->right, *product = method->eigenvalues;
  LacRng      rng = lac_rng(method->problem.context->seed, STREAM_ROTATION + (guint64) k);

  for (gsize reflection = 0; reflection < n; reflection++) {
    double mean = 0, square = 0;

    lac_rng_normals(&rng, axis, n);
    for (gsize e = 0; e < n; e++)
      mean += axis[e] / (double) n;
    for (gsize e = 0; e < n; e++) {
      axis[e] -= mean;
      square += axis[e] * axis[e];
    }
    lac_dense_gemm(FALSE, FALSE, 1, n, n, 2 / square, axis, n, method->transform, n, 0, product, n);
    for (gsize e = 0; e < n; e++)
      for (gsize f = 0; f < n; f++)
        method->transform[e * n + f] -= axis[e] * product[f];
  }
}

/* Makes the models the members at the beginning of the next window, inflated. */
static void
begin_next(Method *method)
{
  const gsize n = method->n_state, n_members = method->n_members;

  for (gsize e = 0; e < n_members; e++)
    memcpy(method->states + e * n, method->models + e * method->n_model,
           method->n_model * sizeof *method->states);
  memcpy(method->start, method->states, n_members * n * sizeof *method->start);
  split(method);
  for (gsize e = 0; e < n_members; e++)
    for (gsize i = 0; i < n; i++)
      method->start[e * n + i] =
        method->mean[i] + method->params.ienks_inflation * method->start[e * n + i];
}

/* Runs the fitted members through the window from observation @first to @k; estimates within it are corrected. */
static gboolean
pass_window(Method *method, gsize first, gsize k, GError **error)
{
  const gboolean moves = k >= (gsize) method->params.ienks_lag;
  const gsize    last = method->problem.grid->n_times - 1;

  if (method->m > 0)
    rotate(method, k);
  combine(method);
  if (!moves)
    memcpy(method->start, method->states,
           method->n_members * method->n_state * sizeof *method->start);
  for (gsize at = first; at <= k; at++) {
    if (at == k || method->params.ienks_smooths)
      keep_estimate(method, at);
    if ((at < k || (moves && first == k && k < last)) && !advance(method, 1, error))
      return FALSE;
    if (moves && at == first)
      begin_next(method);
  }
  return TRUE;
}

static double
find_spread(const Method *method, gsize k)
{
  double sum = 0;

  for (gsize i = 0; i < method->n_model; i++)
    sum += pow(method->spreads[k * method->n_model + i], 2) / (double) method->n_model;
  return sqrt(sum);
}

/* Computes the coefficients and their standard errors, from the members at the beginning of the next window. */
static void
report_unknowns(Method *method, double *values)
{
  place_unknowns(method, method->start);
  for (guint u = 0; u < method->unknowns.n; u++) {
    values[u] = lac_enkf_unknowns_get_mean(&method->unknowns, u);
    values[method->unknowns.n + u] = lac_enkf_unknowns_get_error(&method->unknowns, u);
  }
}

static gboolean
step(gpointer data, LacMethodReport *report, GError **error)
{
  Method     *method = data;
  const gsize k = (gsize) method->cycle, lag = (gsize) method->params.ienks_lag;
  const gsize first = k > lag ? k - lag : 0;
  gint64      n_iterations = 0;
  gboolean    is_finite = TRUE;

  split(method);
  if (!fit(method, k, k - first, &n_iterations, &is_finite, error) && is_finite)
    return FALSE;
  if (is_finite && !pass_window(method, first, k, error))
    return FALSE;
  const double spread = is_finite ? find_spread(method, k) : (double) NAN;
  if (!isfinite(spread)) {
    report->outcome = LAC_OUTCOME_DIVERGED;
    g_snprintf(report->why, sizeof report->why,
               _("the ensemble became non-finite at observation %d: lower time_step, use more "
                 "members or a shorter lag"),
               (int) method->cycle + 1);
    return TRUE;
  }
  report->epoch = 1; /* one pass over the observations */
  report->batch = (guint) method->cycle + 1;
  report->samples = (double) (method->n_members * (k - first) *
                              method->problem.subject->steps_between * (gsize) (n_iterations + 1));
  report->curves[CURVE_SPREAD] = spread / method->problem.pod->rms;
  report->curves[CURVE_CHI_SQUARED] = method->chi_squared[k];
  report->curves[CURVE_ITERATIONS] = (double) n_iterations;
  report_unknowns(method, report->curves + CURVE_FIRST_UNKNOWN);
  method->cycle++;
  if (method->cycle == n_steps(method))
    report->outcome = LAC_OUTCOME_FINISHED;
  return TRUE;
}

/* Returns the factor of the deviations: the root of the mean chi-squared of the last innovations where it is above 1,
 * as members that have lost the truth agree about something else. */
static double
find_factor(const Method *method)
{
  const gsize last = (gsize) method->cycle;
  double      sum = 0, n = 0;

  for (gsize k = last > FACTOR_TIMES ? last - FACTOR_TIMES : 0; k < last; k++)
    if (isfinite(method->chi_squared[k])) {
      sum += method->chi_squared[k];
      n++;
    }
  return n > 0 ? fmax(1, sqrt(sum / n)) : 1;
}

/* For times not reached yet the estimate is the mean of the training part. */
static gboolean
field(gpointer data, gsize k, double *values, double *deviation, GError **error G_GNUC_UNUSED)
{
  const Method *method = data;
  const gsize   at = k * method->n_model;
  const double *known =
    (gint64) k < method->cycle ? method->history + at : method->problem.pod->mean;

  const double factor = find_factor(method);

  lac_forecast_show(known, method->n_model, method->n, values, deviation);
  for (gsize i = 0; deviation && i < method->n_model; i++)
    deviation[i] =
      (gint64) k < method->cycle ? factor * method->spreads[at + i] : method->problem.pod->rms;
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

static void
visit(gpointer data, LacVisit *visit)
{
  Method *method = data;

  lac_visit_bytes(visit, "cycle", &method->cycle, sizeof method->cycle);
  lac_visit_expect(visit, method->cycle >= 0 && method->cycle <= n_steps(method));

  const gsize cycles = (gsize) MAX(1, method->cycle);

  lac_visit_values(visit, "members", method->start, method->n_members, method->n_state, 8);
  lac_visit_values(visit, "history", method->history, cycles, method->n_model, 8);
  lac_visit_values(visit, "spreads", method->spreads, cycles, method->n_model, 8);
  lac_visit_values(visit, "chi_squared", method->chi_squared, cycles, 1, 8);
}

static void
retune(gpointer data, gconstpointer values)
{
  ((Method *) data)->params.ienks_inflation = ((const Params *) values)->ienks_inflation;
}

const LacFlowMethod lac_flow_method_ienks = {
  .name = "ienks",
  .title = N_("Iterative ensemble smoother"),
  .source = "Bocquet and Sakov (2014), doi:10.1002/qj.2236",
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
  .reached = reached,
  .innovation = innovation,
  .visit = visit,
  .retune = retune,
};
