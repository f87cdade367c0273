/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine "solver": coefficients, the state that a window of observations begins with, or both, such that the scene's own
 * solver runs past all that the sensors say: L-BFGS with the exact gradient through the solver, one iteration a step.
 * Source: Le Dimet and Talagrand (1986), doi:10.1111/j.1600-0870.1986.tb00459.x; Pires, Vautard, Talagrand (1996),
 * doi:10.1034/j.1600-0870.1996.00006.x (the window grows) */
#include "base/error.h"
#include "experiment/descent.h"
#include "experiment/flow/engines/adjoint-params.h"
#include "experiment/flow/engines/hindcast.h"
#include "experiment/flow/forecast.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

enum { CURVE_LOSS, CURVE_MISFIT, CURVE_GRADIENT, CURVE_FIRST_UNKNOWN };

typedef struct {
  gint64 window;    /* under way */
  gint64 iteration; /* done in it */
} Progress;

typedef struct {
  LacAdjointParams params;
  LacProblem       problem;
  guint32          name_step;
  LacPod          *pod; /* the engine's own; NULL: the beginning is not sought */
  LacHindcast     *hindcast;
  LacDescent      *descent;
  gsize            length, n_model, n_windows, window_length;
  guint            n_unknowns;
  Progress         progress;
  gsize            n_placed;   /* observations of the window as it stands; 0: not yet */
  double          *control;    /* [length] */
  double          *background; /* [n_model], then the scalars it came with */
  double          *history;    /* [n_times][n_model]: of the windows that are done */
} Engine;

static gsize
curves(gconstpointer params, const LacCase *subject, LacCurve *list)
{
  list[CURVE_LOSS] = (LacCurve){"loss", N_("Loss"), "1", TRUE, FALSE, NAN};
  list[CURVE_MISFIT] =
    (LacCurve){"misfit", N_("Misfit in variances of the noise"), "1", TRUE, TRUE, 1};
  list[CURVE_GRADIENT] = (LacCurve){"gradient", N_("Norm of the gradient"), "1", TRUE, FALSE, NAN};
  if (!subject->solver || lac_adjoint_choose(params, subject) == LAC_SEEK_INITIAL)
    return CURVE_FIRST_UNKNOWN;
  return CURVE_FIRST_UNKNOWN + lac_forecast_list_curves(subject, list + CURVE_FIRST_UNKNOWN);
}

static void
destroy(gpointer data)
{
  Engine *engine = data;

  lac_descent_free(engine->descent);
  lac_hindcast_free(engine->hindcast);
  lac_pod_free(engine->pod);
  g_free(engine->control);
  g_free(engine->background);
  g_free(engine->history);
  g_free(engine);
}

/* Of the solver's fields that are sought; the others stand still at 0, and so do their modes. */
static double *
new_snapshots(const Engine *engine)
{
  const LacTruth *grid = engine->problem.grid;
  const gsize     n = lac_truth_get_length(grid), cells = grid->nx * grid->ny;
  double         *snapshots = g_new0(double, grid->n_training * engine->n_model);

  for (gsize i = 0; i < grid->n_training; i++)
    for (guint f = 0; f < engine->problem.subject->solver->n_fields; f++)
      if (lac_hindcast_seeks(engine->problem.subject, f))
        memcpy(snapshots + i * engine->n_model + f * cells, grid->training + i * n + f * cells,
               cells * sizeof *snapshots);
  return snapshots;
}

/* More modes than a static reconstruction could use: here time tells them apart. */
static gboolean
find_modes(Engine *engine, GError **error)
{
  const LacTruth *grid = engine->problem.grid;
  const gsize     most = grid->n_training > 1 ? grid->n_training - 1 : 0;
  const gsize wanted = engine->params.control_modes ? (gsize) engine->params.control_modes : most;
  g_autofree double *snapshots = NULL;

  if (most == 0) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
      "engines = solver seeks the field at the beginning in the modes of earlier snapshots, "
      "and this scene has none; take seek = scalars");
    return FALSE;
  }
  snapshots = new_snapshots(engine);
  engine->pod = lac_pod_new(snapshots, grid->n_training, engine->n_model, MIN(wanted, most));
  if (engine->pod && engine->pod->n_modes > 0)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "the training interval has no fluctuation to seek the beginning in; take more "
              "snapshots");
  return FALSE;
}

static gboolean
make_window(Engine *engine, LacSeek seek, GError **error)
{
  const LacHindcastSettings settings = {
    .context = engine->problem.context,
    .subject = engine->problem.subject,
    .grid = engine->problem.grid,
    .observations = engine->problem.observations,
    .scalars = seek != LAC_SEEK_INITIAL,
    .pod = engine->pod,
  };

  engine->hindcast = lac_hindcast_new(&settings, error);
  return engine->hindcast != NULL;
}

static gboolean
evaluate(const double *control, double *gradient, double *loss, gpointer user_data, GError **error)
{
  return lac_hindcast_evaluate(((Engine *) user_data)->hindcast, control, gradient, loss, error);
}

static gpointer
create(gconstpointer values, const LacProblem *problem, GError **error)
{
  const LacSeek seek = lac_adjoint_choose(values, problem->subject);
  Engine       *engine = g_new0(Engine, 1);
  guint         unknowns[LAC_SOLVER_MAX_PARAMETERS];

  engine->params = *(const LacAdjointParams *) values;
  engine->problem = *problem;
  engine->n_model = problem->subject->solver->n_fields * problem->grid->nx * problem->grid->ny;
  if (problem->context->perf)
    engine->name_step = lac_perf_name(problem->context->perf, "through the solver and back");
  if ((seek != LAC_SEEK_SCALARS && !find_modes(engine, error)) ||
      !make_window(engine, seek, error)) {
    destroy(engine);
    return NULL;
  }
  engine->n_unknowns =
    seek == LAC_SEEK_INITIAL ? 0 : lac_case_list_unknowns(problem->subject, unknowns);
  engine->length = lac_hindcast_get_length(engine->hindcast);
  engine->window_length = lac_adjoint_get_window_length(&engine->params, problem->subject);
  engine->n_windows = lac_adjoint_count_windows(&engine->params, problem->subject);
  engine->control = g_new0(double, engine->length);
  engine->background = g_new0(double, engine->n_model + LAC_SOLVER_MAX_PARAMETERS);
  engine->history = g_new0(double, problem->grid->n_times * engine->n_model);
  engine->descent =
    lac_descent_new(engine->length, evaluate, engine, problem->context->pool, error);
  if (!engine->descent) {
    destroy(engine);
    return NULL;
  }
  lac_hindcast_guess(engine->hindcast, engine->control);
  return engine;
}

static gint64
n_steps(gconstpointer data)
{
  const Engine *engine = data;

  return engine->params.iterations * (gint64) engine->n_windows;
}

static gsize
get_first(const Engine *engine, gint64 window)
{
  return (gsize) window * engine->window_length;
}

/* How many of its observations the window holds at this iteration: the first one that seeks its beginning grows from an
 * eighth, so that the beginning is found before time has bent the misfit. */
static gsize
get_extent(const Engine *engine, gint64 iteration)
{
  const gsize  first = get_first(engine, engine->progress.window);
  const gsize  whole = MIN(engine->window_length, engine->problem.grid->n_times - first);
  const gint64 eighth = iteration * 8 / engine->params.iterations;

  if (!engine->pod || engine->progress.window > 0 || eighth >= 3)
    return whole;
  return MAX(1, whole >> (3 - eighth));
}

static void
place_window(Engine *engine, gsize extent)
{
  const gboolean         is_later = engine->progress.window > 0;
  const LacHindcastPlace place = {
    .first = get_first(engine, engine->progress.window),
    .n_times = extent,
    .background = is_later ? engine->background : NULL,
    .spread = is_later ? engine->params.window_spread : 1,
    .scalars = is_later ? engine->background + engine->n_model : NULL,
  };

  lac_hindcast_place(engine->hindcast, &place);
  engine->n_placed = extent;
}

/* Keeps the trajectory up to the next window and hands its end over. */
static gboolean
finish_window(Engine *engine, GError **error)
{
  const gsize n_times = engine->problem.grid->n_times;
  const gsize first = get_first(engine, engine->progress.window);
  const gsize next = MIN(first + engine->window_length, n_times);
  const gsize n_bytes = engine->n_model * sizeof(double);

  for (gsize k = first; k <= next && k < n_times; k++) {
    const double *state = lac_hindcast_get_state(engine->hindcast, engine->control, k, error);

    if (!state)
      return FALSE;
    memcpy(k < next ? engine->history + k * engine->n_model : engine->background, state, n_bytes);
  }
  memcpy(engine->background + engine->n_model, engine->control,
         engine->n_unknowns * sizeof(double));
  memset(engine->control + engine->n_unknowns, 0,
         (engine->length - engine->n_unknowns) * sizeof(double));
  engine->progress = (Progress){.window = engine->progress.window + 1};
  engine->n_placed = 0;
  return lac_descent_forget(engine->descent, error);
}

static gboolean
report_curves(Engine *engine, const LacDescentReport *done, LacTurnReport *report, GError **error)
{
  const LacCase *subject = engine->problem.subject;
  guint          unknowns[LAC_SOLVER_MAX_PARAMETERS];
  double         parameters[LAC_SOLVER_MAX_PARAMETERS];

  report->curves[CURVE_LOSS] = done->value;
  report->curves[CURVE_GRADIENT] = done->norm;
  report->curves[CURVE_MISFIT] = lac_hindcast_get_misfit(engine->hindcast, engine->control, error);
  if (isnan(report->curves[CURVE_MISFIT]))
    return FALSE;
  lac_case_list_unknowns(subject, unknowns);
  lac_hindcast_get_parameters(engine->hindcast, engine->control, parameters);
  for (guint u = 0; u < engine->n_unknowns; u++)
    report->curves[CURVE_FIRST_UNKNOWN + u] = parameters[unknowns[u]];
  return TRUE;
}

/* One iteration. The control is what the optimiser leaves; a window that grows is another objective. */
static gboolean
iterate(Engine *engine, LacDescentReport *done, GError **error)
{
  const gint64 iteration = engine->progress.iteration;
  const gsize  extent = get_extent(engine, iteration);

  if (extent != engine->n_placed)
    place_window(engine, extent);
  if (iteration > 0 && extent != get_extent(engine, iteration - 1))
    lac_descent_refresh(engine->descent);
  return lac_descent_step(engine->descent, engine->control, done, error);
}

static gboolean
step(gpointer data, LacTurnReport *report, GError **error)
{
  Engine          *engine = data;
  LacDescentReport done;
  LacSpan          span = lac_span_begin(engine->problem.context->lane, engine->name_step);

  if (!iterate(engine, &done, error))
    return FALSE;
  span.flops = lac_hindcast_get_flops(engine->hindcast) * (double) done.n_evaluations;
  span.bytes = (double) lac_hindcast_get_bytes(engine->hindcast);
  lac_span_end(engine->problem.context->lane, span,
               engine->progress.window * engine->params.iterations + engine->progress.iteration +
                 1);
  if (!isfinite(done.value)) {
    report->outcome = LAC_OUTCOME_DIVERGED;
    g_snprintf(
      report->why, sizeof report->why,
      _("the solver left the numbers at iteration %d: lower time_step or move the guesses"),
      (int) engine->progress.iteration + 1);
    return TRUE;
  }
  if (!report_curves(engine, &done, report, error))
    return FALSE;
  engine->progress.iteration++;
  if (done.stalled && engine->n_placed == get_extent(engine, engine->params.iterations))
    engine->progress.iteration = engine->params.iterations;
  if (engine->progress.iteration < engine->params.iterations)
    return TRUE;
  if (engine->progress.window + 1 < (gint64) engine->n_windows)
    return finish_window(engine, error);
  report->outcome = LAC_OUTCOME_FINISHED;
  return TRUE;
}

/* Windows that are done are history; the one under way, and what it foretells, is the trajectory of the present optimum. */
static gboolean
field(gpointer data, gsize k, double *values, double *deviation, GError **error)
{
  Engine       *engine = data;
  const gsize   n = lac_truth_get_length(engine->problem.grid);
  const gsize   first = get_first(engine, engine->progress.window);
  const double *state = engine->history + k * engine->n_model;

  if (engine->n_placed == 0)
    place_window(engine, get_extent(engine, engine->progress.iteration));
  if (k >= first)
    state = lac_hindcast_get_state(engine->hindcast, engine->control, k, error);
  if (!state)
    return FALSE;
  lac_forecast_show(state, engine->n_model, n, values, deviation);
  return TRUE;
}

static void
save(gpointer data, LacStore *store)
{
  Engine     *engine = data;
  const gsize n_state = lac_descent_get_state_length(engine->descent);
  const gsize n_history = get_first(engine, engine->progress.window);

  lac_store_put_bytes(store, "progress", &engine->progress, sizeof engine->progress);
  lac_descent_save(engine->descent, lac_store_put(store, "optimiser", 1, n_state, 8));
  memcpy(lac_store_put(store, "control", 1, engine->length, 8), engine->control,
         engine->length * sizeof(double));
  memcpy(lac_store_put(store, "background", 1, engine->n_model + LAC_SOLVER_MAX_PARAMETERS, 8),
         engine->background, (engine->n_model + LAC_SOLVER_MAX_PARAMETERS) * sizeof(double));
  memcpy(lac_store_put(store, "history", MAX(1, n_history), engine->n_model, 8), engine->history,
         n_history * engine->n_model * sizeof(double));
}

static gboolean
load(gpointer data, const LacStore *store, GError **error)
{
  Engine         *engine = data;
  const gsize     n_state = lac_descent_get_state_length(engine->descent);
  const gsize     n_background = engine->n_model + LAC_SOLVER_MAX_PARAMETERS;
  const Progress *progress = lac_store_get_bytes(store, "progress", sizeof *progress, error);
  const double   *state = progress ? lac_store_get(store, "optimiser", 1, n_state, 8, error) : NULL;
  const double   *control =
    state ? lac_store_get(store, "control", 1, engine->length, 8, error) : NULL;
  const double *background =
    control ? lac_store_get(store, "background", 1, n_background, 8, error) : NULL;
  const gsize   n_history = background ? get_first(engine, progress->window) : 0;
  const double *history =
    background ? lac_store_get(store, "history", MAX(1, n_history), engine->n_model, 8, error)
               : NULL;

  if (!history || !lac_descent_load(engine->descent, state, error))
    return FALSE;
  engine->progress = *progress;
  memcpy(engine->control, control, engine->length * sizeof(double));
  memcpy(engine->background, background, n_background * sizeof(double));
  memcpy(engine->history, history, n_history * engine->n_model * sizeof(double));
  engine->n_placed = 0;
  return TRUE;
}

const LacEngine lac_engine_adjoint = {
  .name = "solver",
  .title = N_("Differentiable solver"),
  .source = "Le Dimet and Talagrand (1986), doi:10.1111/j.1600-0870.1986.tb00459.x",
  .params = {lac_adjoint_rows, LAC_ADJOINT_N_ROWS, sizeof(LacAdjointParams)},
  .processor_only = TRUE,
  .needs_sensors = TRUE,
  .forecasts = TRUE,
  .check = lac_adjoint_check,
  .estimate = lac_adjoint_estimate,
  .curves = curves,
  .create = create,
  .destroy = destroy,
  .n_steps = n_steps,
  .step = step,
  .field = field,
  .save = save,
  .load = load,
};
