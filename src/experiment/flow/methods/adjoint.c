/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The method "solver" (4D-Var): coefficients, the initial state of a window of observations, or both, fitted so that
 * the scene's solver reproduces the measurements: L-BFGS with the exact adjoint gradient, one iteration per step.
 * Source: Le Dimet and Talagrand (1986), doi:10.1111/j.1600-0870.1986.tb00459.x; Pires, Vautard, Talagrand (1996),
 * doi:10.1034/j.1600-0870.1996.00006.x (growing window) */
#include "base/error.h"
#include "base/memory-part.h"
#include "experiment/descent.h"
#include "experiment/flow/forecast.h"
#include "experiment/flow/method.h"
#include "experiment/flow/methods/fourier-modes.h"
#include "experiment/flow/methods/reanalysis.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

/* ---- parameters: what is sought, in which windows ---- */

typedef enum { SEEK_AUTO, SEEK_SCALARS, SEEK_INITIAL, SEEK_BOTH } Seek;

typedef enum { BASIS_POD, BASIS_FOURIER } Basis;

typedef struct {
  gint64 seek, window, iterations;
  gint64 control_modes;
  gint64 control_basis; /* Basis */
  double window_spread;
  gint64 standard_errors; /* switch */
  double gradient_tolerance;
} AdjointParams;

static const char *const seeks[] = {[SEEK_AUTO] = "auto",
                                    [SEEK_SCALARS] = "scalars",
                                    [SEEK_INITIAL] = "initial",
                                    [SEEK_BOTH] = "both",
                                    NULL};
static const char *const seek_titles[] = {[SEEK_AUTO] = N_("Automatic"),
                                          [SEEK_SCALARS] = N_("Coefficients"),
                                          [SEEK_INITIAL] = N_("Initial state"),
                                          [SEEK_BOTH] = N_("Coefficients and initial state")};

static const char *const bases[] = {[BASIS_POD] = "pod", [BASIS_FOURIER] = "fourier", NULL};
static const char *const basis_titles[] =
  {[BASIS_POD] = N_("POD"), [BASIS_FOURIER] = N_("Fourier")};

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(AdjointParams, seek), LAC_PARAM_CHOICE, "1", 0, 0, SEEK_AUTO, N_("Estimated quantities"), N_("Differentiable solver"), N_("The initial state includes constant fields; automatic: whatever is unknown"), .choices = seeks, .titles = seek_titles},
  {LAC_FIELD(AdjointParams, window), LAC_PARAM_INTEGER, "1", 0, 5000, 0, N_("Window"), N_("Differentiable solver"), N_("Observations per assimilation window (0: all); in chaotic flows one to three error-growth times")},
  {LAC_FIELD(AdjointParams, iterations), LAC_PARAM_INTEGER, "1", 1, 100000, 100, N_("Iterations per window"), N_("Differentiable solver"), N_("L-BFGS iterations; a window ends early when it has converged")},
  {LAC_FIELD(AdjointParams, control_modes), LAC_PARAM_INTEGER, "1", 0, 2000, 200, N_("Modes of the initial state"), N_("Differentiable solver"), N_("Number of modes for the initial state (0: all of the training part)"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(AdjointParams, control_basis), LAC_PARAM_CHOICE, "1", 0, 0, BASIS_POD, N_("Basis of the initial state"), N_("Differentiable solver"), N_("POD: states like those of the training part; Fourier: any state of a periodic domain, with the training part's energy spectrum as its prior"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER, .choices = bases, .titles = basis_titles},
  {LAC_FIELD(AdjointParams, window_spread), LAC_PARAM_REAL, "1", 1e-4, 10, 0.1, N_("Background spread of later windows"), N_("Differentiable solver"), N_("Prior standard deviation of later windows' initial states, relative to the training part"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(AdjointParams, standard_errors), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Standard errors of coefficients"), N_("Differentiable solver"), N_("From the curvature of the misfit at the end of the run, with the stated noise"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER},
  {LAC_FIELD(AdjointParams, gradient_tolerance), LAC_PARAM_REAL, "1", 0, 1, 1e-3, N_("Gradient tolerance"), N_("Differentiable solver"), N_("An initial state has converged when the gradient norm falls below this fraction of its largest value"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER, .zero = N_("No tolerance")},
};
/* clang-format on */

/* Returns the unknowns to estimate; never SEEK_AUTO. */
static Seek
choose_sought(const AdjointParams *params, const LacCase *subject)
{
  guint          unknowns[LAC_SOLVER_MAX_PARAMETERS];
  const gboolean has_unknowns = lac_case_list_unknowns(subject, unknowns) > 0;

  if (params->seek != SEEK_AUTO)
    return (Seek) params->seek;
  if (!has_unknowns)
    return SEEK_INITIAL;
  return subject->initial && !subject->sought ? SEEK_SCALARS : SEEK_BOTH;
}

/* Returns the number of observations per window. */
static gsize
get_window_length(const AdjointParams *params, const LacCase *subject)
{
  const gsize wanted = params->window ? (gsize) params->window : subject->n_times;

  return MIN(wanted, subject->n_times);
}

/* Consecutive windows are used only if each has its own initial state. */
static gsize
count_windows(const AdjointParams *params, const LacCase *subject)
{
  const gsize length = get_window_length(params, subject);

  return choose_sought(params, subject) == SEEK_SCALARS ? 1
                                                        : (subject->n_times + length - 1) / length;
}

static void
estimate(gconstpointer  values,
         const LacCase *subject,
         gsize n_values G_GNUC_UNUSED,
         LacEstimate   *result)
{
  static const double  flops_per_second = 1.6e10;
  const AdjointParams *params = values;
  const double         n = (double) (subject->model.nx * subject->model.ny);
  const double         n_fields = subject->solver->n_fields;
  const double n_steps = (double) (get_window_length(params, subject) * subject->steps_between);

  result->n_steps = params->iterations * (gint64) count_windows(params, subject);
  /* four stages of six transforms per step; work of five steps and 1.2 evaluations per iteration */
  result->seconds_per_step = 1.2 * 5 * n_steps * 4 * 6 * 2.5 * n * log2(n) / flops_per_second;
  result->memory_bytes =
    8 * n * n_fields * (2 * (double) subject->n_times + 100 + (double) params->control_modes);
}

static gboolean
check(gconstpointer values, const LacCase *subject, GError **error)
{
  const AdjointParams *params = values;
  guint                unknowns[LAC_SOLVER_MAX_PARAMETERS];

  if (!subject->solver || !subject->solver->reverse)
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
      "engines = solver needs a reversible solver of the equation, but this scene has none");
  else if ((params->seek == SEEK_SCALARS || params->seek == SEEK_BOTH) &&
           lac_case_list_unknowns(subject, unknowns) == 0)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "seek = %s needs an unknown coefficient, but all are known; make one unknown or "
                "set seek = initial",
                seeks[params->seek]);
  else if (params->control_basis == BASIS_FOURIER && !lac_fourier_modes_apply(subject))
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "control_basis = fourier needs a domain that is periodic along every axis; use "
                "control_basis = pod");
  else
    return TRUE;
  return FALSE;
}

/* ---- the method ---- */

enum { CURVE_LOSS, CURVE_MISFIT, CURVE_GRADIENT, CURVE_FIRST_UNKNOWN };

typedef struct {
  gint64 window;    /* current window */
  gint64 iteration; /* completed in that window */
} Progress;

typedef struct {
  AdjointParams  params;
  LacProblem     problem;
  guint32        name_step;
  LacPod        *pod; /* the method's own; NULL: the initial state is not estimated */
  LacReanalysis *reanalysis;
  LacDescent    *descent;
  gsize          length, n_model, n_windows, window_length;
  guint          n_unknowns;
  Progress       progress;
  gsize          n_placed; /* observations in the current window so far; 0: not set */
  double  largest; /* gradient norm of the current window since it has its whole extent; 0: none */
  double *control; /* [length] */
  double *background; /* [n_model], then its scalars */
  double *history;    /* [n_times][n_model]: completed windows */
  LacMemoryClaim claim;
} Method;

static gsize
curves(gconstpointer params, const LacCase *subject, LacCurve *list)
{
  list[CURVE_LOSS] = (LacCurve){"loss", N_("Loss"), "1", TRUE, FALSE, NAN};
  list[CURVE_MISFIT] =
    (LacCurve){"misfit", N_("Misfit relative to the noise variance"), "1", TRUE, TRUE, 1};
  list[CURVE_GRADIENT] = (LacCurve){"gradient", N_("Gradient norm"), "1", TRUE, FALSE, NAN};
  if (!subject->solver || choose_sought(params, subject) == SEEK_INITIAL)
    return CURVE_FIRST_UNKNOWN;
  const gsize n = lac_forecast_list_curves(subject, list + CURVE_FIRST_UNKNOWN);
  if (!((const AdjointParams *) params)->standard_errors)
    return CURVE_FIRST_UNKNOWN + n;
  return CURVE_FIRST_UNKNOWN + n +
         lac_forecast_list_errors(subject, list + CURVE_FIRST_UNKNOWN + n);
}

static void
destroy(gpointer data)
{
  Method *method = data;

  lac_descent_free(method->descent);
  lac_reanalysis_free(method->reanalysis);
  lac_pod_free(method->pod);
  g_free(method->control);
  g_free(method->background);
  g_free(method->history);
  lac_memory_unclaim(&method->claim);
  g_free(method);
}

/* Copies the estimated solver fields; the others remain 0, and so do their modes. */
static double *
new_snapshots(const Method *method)
{
  const LacTruth *grid = method->problem.grid;
  const gsize     n = lac_truth_get_length(grid), cells = grid->nx * grid->ny;
  double         *snapshots = g_new0(double, grid->n_training * method->n_model);

  for (gsize i = 0; i < grid->n_training; i++)
    for (guint f = 0; f < method->problem.subject->solver->n_fields; f++)
      if (lac_reanalysis_has_unknowns(method->problem.subject, f))
        memcpy(snapshots + i * method->n_model + f * cells, grid->training + i * n + f * cells,
               cells * sizeof *snapshots);
  return snapshots;
}

/* Returns the fields of the initial state that are known. */
static guint
list_fixed(const LacCase *subject)
{
  guint fixed = 0;

  for (guint f = 0; f < subject->solver->n_fields; f++)
    if (!lac_reanalysis_has_unknowns(subject, f))
      fixed |= 1u << f;
  return fixed;
}

/* Uses more modes than a static reconstruction could: here the time evolution distinguishes them. */
static gboolean
find_modes(Method *method, GError **error)
{
  const LacTruth *grid = method->problem.grid;
  const gsize     most = grid->n_training > 1 ? grid->n_training - 1 : 0;
  const gsize wanted = method->params.control_modes ? (gsize) method->params.control_modes : most;
  g_autofree double *snapshots = NULL;

  if (most == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "engines = solver estimates the initial state in modes of training snapshots, "
                "but this scene has none; set seek = scalars");
    return FALSE;
  }
  if (method->params.control_basis == BASIS_FOURIER)
    return (method->pod = lac_fourier_modes_new_for(
              method->problem.subject, grid, list_fixed(method->problem.subject),
              (gsize) method->params.control_modes, error)) != NULL;
  snapshots = new_snapshots(method);
  method->pod = lac_pod_new_with(&(LacPodSettings){.n_snapshots = grid->n_training,
                                                   .n = method->n_model,
                                                   .n_modes = MIN(wanted, most),
                                                   .snapshots = snapshots,
                                                   .device = &method->problem.context->device},
                                 error);
  if (!method->pod)
    return FALSE;
  if (method->pod->n_modes > 0)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "the training interval has no fluctuation from which to estimate the initial state; "
              "use more snapshots");
  return FALSE;
}

static gboolean
make_window(Method *method, Seek seek, GError **error)
{
  const LacReanalysisSettings settings = {
    .context = method->problem.context,
    .subject = method->problem.subject,
    .grid = method->problem.grid,
    .observations = method->problem.observations,
    .scalars = seek != SEEK_INITIAL,
    .pod = method->pod,
  };

  method->reanalysis = lac_reanalysis_new(&settings, error);
  return method->reanalysis != NULL;
}

static gboolean
evaluate(const double *control, double *gradient, double *loss, gpointer user_data, GError **error)
{
  return lac_reanalysis_evaluate(((Method *) user_data)->reanalysis, control, gradient, loss,
                                 error);
}

static gpointer
create(gconstpointer values, const LacProblem *problem, GError **error)
{
  const Seek seek = choose_sought(values, problem->subject);
  Method    *method = g_new0(Method, 1);
  guint      unknowns[LAC_SOLVER_MAX_PARAMETERS];

  method->params = *(const AdjointParams *) values;
  method->problem = *problem;
  method->n_model = problem->subject->solver->n_fields * problem->grid->nx * problem->grid->ny;
  if (problem->context->perf)
    method->name_step = lac_perf_name(problem->context->perf, "through the solver and back");
  if ((seek != SEEK_SCALARS && !find_modes(method, error)) || !make_window(method, seek, error)) {
    destroy(method);
    return NULL;
  }
  method->n_unknowns =
    seek == SEEK_INITIAL ? 0 : lac_case_list_unknowns(problem->subject, unknowns);
  method->length = lac_reanalysis_get_length(method->reanalysis);
  method->window_length = get_window_length(&method->params, problem->subject);
  method->n_windows = count_windows(&method->params, problem->subject);
  method->control = g_new0(double, method->length);
  method->background = g_new0(double, method->n_model + LAC_SOLVER_MAX_PARAMETERS);
  method->history = g_new0(double, problem->grid->n_times * method->n_model);
  lac_memory_claim(&method->claim, LAC_MEMORY_STATES,
                   sizeof(double) *
                     (method->length + (problem->grid->n_times + 1) * method->n_model));
  method->descent =
    lac_descent_new(method->length, evaluate, method, problem->context->pool, error);
  if (!method->descent) {
    destroy(method);
    return NULL;
  }
  lac_reanalysis_guess(method->reanalysis, method->control);
  return method;
}

static gint64
n_steps(gconstpointer data)
{
  const Method *method = data;

  return method->params.iterations * (gint64) method->n_windows;
}

static gsize
get_first(const Method *method, gint64 window)
{
  return (gsize) window * method->window_length;
}

/* Returns the number of observations in the window at this iteration: the first window with an unknown initial state
 * grows from an eighth, so that the initial state is found before the dynamics make the misfit non-convex. */
static gsize
get_extent(const Method *method, gint64 iteration)
{
  const gsize  first = get_first(method, method->progress.window);
  const gsize  whole = MIN(method->window_length, method->problem.grid->n_times - first);
  const gint64 eighth = iteration * 8 / method->params.iterations;

  if (!method->pod || method->progress.window > 0 || eighth >= 3)
    return whole;
  return MAX(1, whole >> (3 - eighth));
}

static void
place_window(Method *method, gsize extent)
{
  const gboolean            is_later = method->progress.window > 0;
  const LacReanalysisWindow place = {
    .first = get_first(method, method->progress.window),
    .n_times = extent,
    .background = is_later ? method->background : NULL,
    .spread = is_later ? method->params.window_spread : 1,
    .scalars = is_later ? method->background + method->n_model : NULL,
  };

  lac_reanalysis_find_window(method->reanalysis, &place);
  method->n_placed = extent;
}

/* Stores the trajectory up to the next window and passes its end to that window. */
static gboolean
finish_window(Method *method, GError **error)
{
  const gsize n_times = method->problem.grid->n_times;
  const gsize first = get_first(method, method->progress.window);
  const gsize next = MIN(first + method->window_length, n_times);
  const gsize n_bytes = method->n_model * sizeof(double);

  for (gsize k = first; k <= next && k < n_times; k++) {
    const double *state = lac_reanalysis_get_state(method->reanalysis, method->control, k, error);

    if (!state)
      return FALSE;
    memcpy(k < next ? method->history + k * method->n_model : method->background, state, n_bytes);
  }
  memcpy(method->background + method->n_model, method->control,
         method->n_unknowns * sizeof(double));
  memset(method->control + method->n_unknowns, 0,
         (method->length - method->n_unknowns) * sizeof(double));
  method->progress = (Progress){.window = method->progress.window + 1};
  method->largest = 0;
  method->n_placed = 0;
  lac_descent_forget(method->descent);
  return TRUE;
}

static gboolean
report_curves(Method *method, const LacDescentReport *done, LacMethodReport *report, GError **error)
{
  const LacCase *subject = method->problem.subject;
  guint          unknowns[LAC_SOLVER_MAX_PARAMETERS];
  double         parameters[LAC_SOLVER_MAX_PARAMETERS];

  report->epoch = (guint) method->progress.window + 1;
  report->batch = (guint) method->progress.iteration + 1;
  report->curves[CURVE_LOSS] = done->value;
  report->curves[CURVE_GRADIENT] = done->norm;
  report->curves[CURVE_MISFIT] =
    lac_reanalysis_get_misfit(method->reanalysis, method->control, error);
  if (isnan(report->curves[CURVE_MISFIT]))
    return FALSE;
  lac_case_list_unknowns(subject, unknowns);
  lac_reanalysis_get_parameters(method->reanalysis, method->control, parameters);
  for (guint u = 0; u < method->n_unknowns; u++)
    report->curves[CURVE_FIRST_UNKNOWN + u] = parameters[unknowns[u]];
  return TRUE;
}

/* Performs one iteration on the optimiser's control vector; when the window grows the objective changes. */
static gboolean
iterate(Method *method, LacDescentReport *done, GError **error)
{
  const gint64 iteration = method->progress.iteration;
  const gsize  extent = get_extent(method, iteration);

  if (extent != method->n_placed)
    place_window(method, extent);
  if (iteration > 0 && extent != get_extent(method, iteration - 1))
    lac_descent_refresh(method->descent);
  return lac_descent_step(method->descent, method->control, done, error);
}

/* Returns TRUE when the whole window can be fitted no better, or not enough to matter. */
static gboolean
has_converged(Method *method, const LacDescentReport *done)
{
  if (method->n_placed < get_extent(method, method->params.iterations))
    return FALSE;
  method->largest = fmax(method->largest, done->norm);
  return done->stalled || (method->pod && /* coefficients alone need few iterations */
                           done->norm < method->params.gradient_tolerance * method->largest);
}

static gboolean
step(gpointer data, LacMethodReport *report, GError **error)
{
  Method          *method = data;
  LacDescentReport done;
  LacSpan          span = lac_span_begin(method->problem.context->lane, method->name_step);

  if (!iterate(method, &done, error))
    return FALSE;
  span.flops = lac_reanalysis_get_flops(method->reanalysis) * (double) done.n_evaluations;
  span.bytes = (double) lac_reanalysis_get_bytes(method->reanalysis);
  lac_span_end(method->problem.context->lane, span,
               method->progress.window * method->params.iterations + method->progress.iteration +
                 1);
  if (!isfinite(done.value)) {
    report->outcome = LAC_OUTCOME_DIVERGED;
    g_snprintf(
      report->why, sizeof report->why,
      _("the solver diverged at iteration %d: lower time_step or change the initial guesses"),
      (int) method->progress.iteration + 1);
    return TRUE;
  }
  if (!report_curves(method, &done, report, error))
    return FALSE;
  method->progress.iteration++;
  if (has_converged(method, &done))
    method->progress.iteration = method->params.iterations;
  if (method->progress.iteration < method->params.iterations)
    return TRUE;
  if (method->progress.window + 1 < (gint64) method->n_windows)
    return finish_window(method, error);
  if (method->params.standard_errors && method->n_unknowns > 0 &&
      !lac_reanalysis_find_deviations(method->reanalysis, method->control,
                                      report->curves + CURVE_FIRST_UNKNOWN + method->n_unknowns,
                                      error))
    return FALSE;
  report->outcome = LAC_OUTCOME_FINISHED;
  return TRUE;
}

/* Completed windows are stored; the current one and its forecast follow from the current optimum. */
static gboolean
field(gpointer data, gsize k, double *values, double *deviation, GError **error)
{
  Method       *method = data;
  const gsize   n = lac_truth_get_length(method->problem.grid);
  const gsize   first = get_first(method, method->progress.window);
  const double *state = method->history + k * method->n_model;

  if (method->n_placed == 0)
    place_window(method, get_extent(method, method->progress.iteration));
  if (k >= first)
    state = lac_reanalysis_get_state(method->reanalysis, method->control, k, error);
  if (!state)
    return FALSE;
  lac_forecast_show(state, method->n_model, n, values, deviation);
  return TRUE;
}

/* Times after the present window have a forecast only. */
static gsize
reached(gconstpointer data)
{
  const Method *method = data;
  const gint64  done = method->progress.iteration;

  return get_first(method, method->progress.window) + (done > 0 ? get_extent(method, done - 1) : 0);
}

static void
visit(gpointer data, LacVisit *visit)
{
  Method *method = data;

  lac_visit_bytes(visit, "progress", &method->progress, sizeof method->progress);
  /* older ones: no tolerance */
  lac_visit_later_bytes(visit, "largest_gradient", &method->largest, sizeof method->largest);
  lac_visit_packed(visit, "optimiser", lac_descent_pack, method->descent);
  lac_visit_values(visit, "control", method->control, 1, method->length, 8);
  lac_visit_values(visit, "background", method->background, 1,
                   method->n_model + LAC_SOLVER_MAX_PARAMETERS, 8);
  lac_visit_expect(visit, method->progress.window >= 0 &&
                            method->progress.window < (gint64) method->n_windows);
  lac_visit_values(visit, "history", method->history,
                   MAX(1, get_first(method, method->progress.window)), method->n_model, 8);
  if (!lac_visit_restores(visit))
    return;
  method->n_placed = 0;
}

const LacFlowMethod lac_flow_method_adjoint = {
  .name = "solver",
  .title = N_("Differentiable solver"),
  .source = "Le Dimet and Talagrand (1986), doi:10.1111/j.1600-0870.1986.tb00459.x",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(AdjointParams)},
  .in_double = TRUE,
  .needs_sensors = TRUE,
  .forecasts = TRUE,
  .check = check,
  .estimate = estimate,
  .curves = curves,
  .create = create,
  .destroy = destroy,
  .n_steps = n_steps,
  .step = step,
  .field = field,
  .reached = reached,
  .visit = visit,
};
