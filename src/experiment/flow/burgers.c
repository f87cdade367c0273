/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Burgers' equation by a physics-informed network with hard conditions: Adam, then a dense quasi-Newton method in double,
 * points chosen anew where the residual is large. Source: Raissi, Perdikaris, Karniadakis (2019),
 * doi:10.1016/j.jcp.2018.10.045; Urban, Stefanou, Pons (2025), doi:10.1016/j.jcp.2024.113656 */
#include "base/error.h"
#include "experiment/flow/burgers-judge.h"
#include "experiment/flow/burgers-net.h"
#include "experiment/flow/collocation.h"
#include "graph/optimiser.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

typedef struct {
  double viscosity;
  char  *truth;
  gint64 depth, width, points, refresh, pool;
  gint64 adam_steps;
  double rate, decay;
  gint64 quasi_steps, quasi, judge;
} Params;

static const LacOptimiserKind quasi_kinds[] = {LAC_OPTIMISER_SSBROYDEN, LAC_OPTIMISER_BFGS,
                                               LAC_OPTIMISER_LBFGS};
static const char *const      quasi_names[] = {"ssbroyden", "bfgs", "lbfgs", NULL};

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, viscosity), LAC_PARAM_REAL, "1", 0.001, 1, 0.01 / G_PI, N_("Viscosity"), N_("Scene"), N_("ν in u_t + u u_x = ν u_xx; 0.01/π makes the classic shock")},
  {LAC_FIELD(Params, truth), LAC_PARAM_FILE, "1", 0, 0, 0, N_("Truth from a file"), N_("Scene"), N_("MAT, HDF5 or NPY with u over t and x; without one the exact solution judges"), .file_type = "field"},
  {LAC_FIELD(Params, depth), LAC_PARAM_INTEGER, "1", 1, 12, 3, N_("Hidden layers"), N_("Network"), N_("tanh layers")},
  {LAC_FIELD(Params, width), LAC_PARAM_INTEGER, "1", 2, 128, 20, N_("Neurons a layer"), N_("Network"), N_("A dense quasi-Newton method keeps a square matrix of all parameters")},
  {LAC_FIELD(Params, points), LAC_PARAM_INTEGER, "1", 64, 200000, 4000, N_("Collocation points"), N_("Points"), N_("Where the residual is made small")},
  {LAC_FIELD(Params, refresh), LAC_PARAM_INTEGER, "1", 1, 100000, 500, N_("New points every"), N_("Points"), N_("Iterations between choices"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, pool), LAC_PARAM_INTEGER, "1", 1, 100, 20, N_("Candidates a point"), N_("Points"), N_("Each point is chosen from this many, in proportion to the residual"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, adam_steps), LAC_PARAM_INTEGER, "1", 0, 1000000, 2000, N_("Adam iterations"), N_("Optimiser"), N_("The beginning")},
  {LAC_FIELD(Params, rate), LAC_PARAM_REAL, "1", 1e-6, 1, 5e-3, N_("Adam rate"), N_("Optimiser"), N_("Step size at the start"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, decay), LAC_PARAM_REAL, "1", 0.01, 1, 0.9, N_("Rate decay"), N_("Optimiser"), N_("Factor of the rate every 500 iterations"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, quasi_steps), LAC_PARAM_INTEGER, "1", 0, 1000000, 4000, N_("Quasi-Newton iterations"), N_("Optimiser"), N_("After Adam, in double precision")},
  {LAC_FIELD(Params, quasi), LAC_PARAM_CHOICE, "1", 0, 0, 0, N_("Quasi-Newton method"), N_("Optimiser"), N_("ssbroyden: self-scaled Broyden, the most accurate here"), .choices = quasi_names},
  {LAC_FIELD(Params, judge), LAC_PARAM_INTEGER, "1", 1, 100000, 50, N_("Judge every"), N_("Optimiser"), N_("Iterations between comparisons with the truth; the last is always judged"), LAC_PARAM_ADVANCED},
};

static const LacChannel channels[] = {
  {"u_truth", N_("Truth"), "1", "u", LAC_ROLE_TRUTH, "balance", "t", "x", "1", "1"},
  {"u", N_("Network"), "1", "u", LAC_ROLE_RECONSTRUCTION, "balance", "t", "x", "1", "1"},
};

enum { METRIC_RESULT, METRIC_EXACT, METRIC_LOSS };
static const LacMetric metrics[] = {
  [METRIC_RESULT] = {"relative_l2", N_("Error against the truth"), "1", TRUE, TRUE},
  [METRIC_EXACT] = {"exact_relative_l2", N_("Error against the exact solution"), "1", TRUE, TRUE},
  [METRIC_LOSS] = {"loss", N_("Loss"), "1", TRUE, FALSE},
};
/* clang-format on */

/* What a step changes beside network, optimiser and points. */
typedef struct {
  gint64 iteration;
  gint64 n_refreshed;
} Progress;

typedef struct {
  Params           params;
  LacContext       context;
  guint32          name_optimise, name_refresh, name_judge;
  LacBurgersJudge *judge;
  LacBurgersNet   *net;
  LacOptimiser    *adam, *quasi;
  gsize            n_points, n_pool;
  double          *points;              /* [n_points][2]: (t, x) */
  double          *candidates;          /* [n_pool][2] */
  double          *residuals, *scratch; /* [n_pool], [2 n_pool] */
  gsize           *chosen;              /* [n_points] */
  double          *values;              /* [judge cells] */
  gsize            n_parameters;
  double          *theta; /* staging */
  Progress         progress;
} State;

enum { STREAM_NETWORK = 1, STREAM_POINTS = 1 << 20 };

static LacNetwork
network_of(const Params *params)
{
  return (LacNetwork){.n_in = 2,
                      .n_out = 1,
                      .depth = (gsize) params->depth,
                      .width = (gsize) params->width,
                      .activation = LAC_SCALAR_TANH};
}

static gboolean
is_dense(const Params *params)
{
  return quasi_kinds[params->quasi] != LAC_OPTIMISER_LBFGS;
}

static gboolean
check(const LacExperiment *self G_GNUC_UNUSED, gconstpointer values, GError **error)
{
  const Params    *params = values;
  const LacNetwork network = network_of(params);
  const gsize      n = lac_network_get_n_parameters(&network);

  if (params->adam_steps + params->quasi_steps == 0)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "adam_steps and quasi_steps are both 0; at least one iteration is needed");
  else if (params->quasi_steps > 0 && is_dense(params) && n > 20000)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "the network has %" G_GSIZE_FORMAT " parameters; %s keeps a square matrix of "
                "them and takes at most 20000: lower width or depth, or set quasi = lbfgs",
                n, quasi_names[params->quasi]);
  else
    return TRUE;
  return FALSE;
}

/* 6 products a layer, stream and point (flow.md 2.2) at the rate small layers reach on one thread. */
static void
estimate(const LacExperiment *self G_GNUC_UNUSED, gconstpointer values, LacEstimate *result)
{
  static const double flops_per_second = 3.5e10, bytes_per_second = 2e10;
  const Params       *params = values;
  const LacNetwork    network = network_of(params);
  const double        n = (double) lac_network_get_n_parameters(&network);
  const double        evaluation = 6 * 4 * n * (double) params->points / flops_per_second;
  const double        matrix = params->quasi_steps > 0 && is_dense(params) ? 8 * n * n : 0;
  const double        n_adam = (double) params->adam_steps, n_quasi = (double) params->quasi_steps;

  result->n_steps = params->adam_steps + params->quasi_steps;
  result->seconds_per_step =
    (n_adam * evaluation + n_quasi * (1.5 * evaluation + 3 * matrix / bytes_per_second)) /
    (n_adam + n_quasi);
  result->seconds_setup = 0.3;
  result->memory_bytes = matrix + 20e6 + (double) params->points * (double) params->pool * 8 * 8;
  result->frame_bytes = 2 * 25600 * sizeof(float);
}

static LacOptimiser *
make_optimiser(State *state, LacOptimiserKind kind, GError **error)
{
  LacProgram          *program = lac_burgers_net_get_program(state->net);
  LacOptimiserSettings settings = lac_optimiser_defaults(kind);

  if (kind == LAC_OPTIMISER_ADAM)
    settings.rate = state->params.rate;
  return lac_optimiser_new(&settings, state->n_parameters, lac_program_get_device(program),
                           lac_program_get_type(program), lac_program_get_pool(program), error);
}

/* Chooses the points of the next iterations; the first time uniformly. */
static gboolean
refresh(State *state, GError **error)
{
  LacRng rng = lac_rng(state->context.seed, STREAM_POINTS + (guint64) state->progress.n_refreshed);

  for (gsize i = 0; i < state->n_pool; i++) {
    state->candidates[2 * i] = lac_rng_uniform(&rng);
    state->candidates[2 * i + 1] = 2 * lac_rng_uniform(&rng) - 1;
  }
  if (state->progress.n_refreshed == 0)
    memset(state->residuals, 0, state->n_pool * sizeof *state->residuals);
  else if (!lac_burgers_net_get_residuals(state->net, state->candidates, state->progress.iteration,
                                          state->residuals, error))
    return FALSE;
  lac_collocation_choose(&rng, state->residuals, state->scratch, state->n_pool, state->chosen,
                         state->n_points);
  for (gsize i = 0; i < state->n_points; i++)
    memcpy(state->points + 2 * i, state->candidates + 2 * state->chosen[i], 2 * sizeof(double));
  lac_burgers_net_feed_points(state->net, state->points);
  state->progress.n_refreshed++;
  return TRUE;
}

static void
destroy(gpointer data)
{
  State *state = data;

  lac_optimiser_free(state->adam);
  lac_optimiser_free(state->quasi);
  lac_burgers_net_free(state->net);
  lac_burgers_judge_free(state->judge);
  g_free(state->points);
  g_free(state->candidates);
  g_free(state->residuals);
  g_free(state->scratch);
  g_free(state->chosen);
  g_free(state->values);
  g_free(state->theta);
  g_free(state);
}

static void
allocate(State *state)
{
  state->n_points = (gsize) state->params.points;
  state->n_pool = state->n_points * (gsize) state->params.pool;
  state->points = g_new0(double, 2 * state->n_points);
  state->candidates = g_new0(double, 2 * state->n_pool);
  state->residuals = g_new0(double, state->n_pool);
  state->scratch = g_new0(double, 2 * state->n_pool);
  state->chosen = g_new0(gsize, state->n_points);
  state->values = g_new0(double, state->judge->n_t * state->judge->n_x);
}

static gboolean
set_up(State *state, GError **error)
{
  const Params       *params = &state->params;
  const LacContext   *context = &state->context;
  const LacGridField *file = context->inputs ? g_hash_table_lookup(context->inputs, "truth") : NULL;
  LacBurgersNetSettings net = {.network = network_of(params), .viscosity = params->viscosity};
  LacRng                rng = lac_rng(context->seed, STREAM_NETWORK);

  state->judge = lac_burgers_judge_new(file, params->viscosity, error);
  if (!state->judge)
    return FALSE;
  allocate(state);
  net.n_points = state->n_points;
  net.n_pool = state->n_pool;
  net.n_judged = state->judge->n_t * state->judge->n_x;
  state->net = lac_burgers_net_new(&net, context, error);
  if (!state->net)
    return FALSE;
  state->n_parameters = lac_network_get_n_parameters(&net.network);
  state->theta = g_new0(double, state->n_parameters);
  lac_network_initialise(&net.network, &rng, state->theta);
  lac_program_set_theta(lac_burgers_net_get_program(state->net), state->theta);
  lac_burgers_net_feed_judge(state->net, state->judge->points);
  state->adam = make_optimiser(state, LAC_OPTIMISER_ADAM, error);
  if (state->adam && params->quasi_steps > 0)
    state->quasi = make_optimiser(state, quasi_kinds[params->quasi], error);
  return state->adam && (state->quasi || params->quasi_steps == 0) && refresh(state, error);
}

static gpointer
create(const LacExperiment *self G_GNUC_UNUSED,
       gconstpointer             values,
       const LacContext         *context,
       GError                  **error)
{
  State *state = g_new0(State, 1);

  state->params = *(const Params *) values;
  state->params.truth = NULL; /* the field arrives in the context */
  state->context = *context;
  if (context->perf) {
    state->name_optimise = lac_perf_name(context->perf, "optimiser iteration");
    state->name_refresh = lac_perf_name(context->perf, "choose points");
    state->name_judge = lac_perf_name(context->perf, "compare with the truth");
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
  lac_span_end(state->context.lane, span, state->progress.iteration + 1);
}

static gboolean
optimise(State *state, LacOptimiserReport *report, GError **error)
{
  const Params *params = &state->params;
  LacProgram   *program = lac_burgers_net_get_program(state->net);
  LacObjective  objective = {.program = program, .step = state->progress.iteration + 1};
  gboolean      is_adam = state->progress.iteration < params->adam_steps;

  if (is_adam)
    lac_optimiser_set_rate(
      state->adam, params->rate * pow(params->decay, (double) state->progress.iteration / 500));
  return lac_optimiser_step(is_adam ? state->adam : state->quasi, lac_program_get_theta(program),
                            lac_program_evaluate, &objective, report, error);
}

static gboolean
judge(State *state, LacStepReport *report, GError **error)
{
  const gsize n = state->judge->n_t * state->judge->n_x;
  LacSpan     span = begin(state, state->name_judge);

  if (!lac_burgers_net_get_values(state->net, state->progress.iteration + 1, state->values, error))
    return FALSE;
  report->metrics[METRIC_RESULT] = lac_relative_l2(state->values, state->judge->truth, n);
  report->metrics[METRIC_EXACT] = lac_relative_l2(state->values, state->judge->exact, n);
  end(state, span);
  return TRUE;
}

static gint64
n_steps(gconstpointer data)
{
  const State *state = data;

  return state->params.adam_steps + state->params.quasi_steps;
}

/* New points every so often, not after the last iteration. */
static gboolean
maybe_refresh(State *state, GError **error)
{
  LacSpan span;

  if (state->progress.iteration == 0 || state->progress.iteration % state->params.refresh != 0)
    return TRUE;
  span = begin(state, state->name_refresh);
  if (!refresh(state, error))
    return FALSE;
  if (state->quasi)
    lac_optimiser_refresh(state->quasi);
  end(state, span);
  return TRUE;
}

static gboolean
step(gpointer data, LacStepReport *report, GError **error)
{
  State             *state = data;
  LacOptimiserReport done = {0};
  LacSpan            span;

  if (!maybe_refresh(state, error))
    return FALSE;
  span = begin(state, state->name_optimise);
  if (!optimise(state, &done, error))
    return FALSE;
  end(state, span);
  report->metrics[METRIC_LOSS] = done.loss;
  if (!isfinite(done.loss)) {
    report->outcome = LAC_OUTCOME_DIVERGED;
    g_snprintf(report->why, sizeof report->why,
               _("the loss left the numbers at iteration %d: lower the Adam rate"),
               (int) state->progress.iteration + 1);
    return TRUE;
  }
  if (((state->progress.iteration + 1) % state->params.judge == 0 ||
       state->progress.iteration + 1 == n_steps(state)) &&
      !judge(state, report, error))
    return FALSE;
  state->progress.iteration++;
  if (state->progress.iteration == n_steps(state))
    report->outcome = LAC_OUTCOME_FINISHED;
  return TRUE;
}

static void
shapes(gconstpointer data, gsize (*sizes)[2], gsize *n_markers)
{
  const State *state = data;

  for (gsize i = 0; i < G_N_ELEMENTS(channels); i++) {
    sizes[i][0] = state->judge->n_t;
    sizes[i][1] = state->judge->n_x;
  }
  *n_markers = 0;
}

static void
fill_plane(const State *state, const double *values, LacPlane *plane)
{
  plane->x_min = state->judge->t_first;
  plane->x_max = state->judge->t_last;
  plane->y_min = state->judge->x_first;
  plane->y_max = state->judge->x_last;
  for (gsize i = 0; i < plane->nx * plane->ny; i++)
    plane->data[i] = (float) values[i];
  lac_plane_measure(plane);
}

static void
snapshot(gpointer data, LacFrame *frame)
{
  State *state = data;

  if (!lac_burgers_net_get_values(state->net, state->progress.iteration, state->values, NULL))
    for (gsize i = 0; i < state->judge->n_t * state->judge->n_x; i++)
      state->values[i] = NAN;
  fill_plane(state, state->judge->truth, &frame->planes[0]);
  fill_plane(state, state->values, &frame->planes[1]);
}

static void
save_optimiser(const LacOptimiser *optimiser, const char *name, LacStore *store)
{
  const gsize n = lac_optimiser_get_state_length(optimiser);

  lac_optimiser_save(optimiser, lac_store_put(store, name, 1, n, sizeof(double)));
}

/* Only the optimiser that goes on is kept: the quasi-Newton matrix is the bulk of a checkpoint. */
static void
save(gpointer data, LacStore *store)
{
  State *state = data;

  lac_store_put_bytes(store, "progress", &state->progress, sizeof state->progress);
  lac_program_dup_theta(lac_burgers_net_get_program(state->net),
                        lac_store_put(store, "theta", 1, state->n_parameters, sizeof(double)));
  memcpy(lac_store_put(store, "points", state->n_points, 2, sizeof(double)), state->points,
         2 * state->n_points * sizeof(double));
  if (state->progress.iteration < state->params.adam_steps)
    save_optimiser(state->adam, "adam", store);
  else if (state->quasi)
    save_optimiser(state->quasi, "quasi-newton", store);
}

static gboolean
load_optimiser(LacOptimiser *optimiser, const char *name, const LacStore *store, GError **error)
{
  const gsize   n = lac_optimiser_get_state_length(optimiser);
  gconstpointer numbers = lac_store_get(store, name, 1, n, sizeof(double), error);

  return numbers && lac_optimiser_load(optimiser, numbers, n, error);
}

static gboolean
load(gpointer data, const LacStore *store, GError **error)
{
  State        *state = data;
  gconstpointer progress = lac_store_get_bytes(store, "progress", sizeof(Progress), error);
  gconstpointer theta =
    progress ? lac_store_get(store, "theta", 1, state->n_parameters, 8, error) : NULL;
  gconstpointer points =
    theta ? lac_store_get(store, "points", state->n_points, 2, 8, error) : NULL;

  if (!points)
    return FALSE;
  memcpy(&state->progress, progress, sizeof state->progress);
  lac_program_set_theta(lac_burgers_net_get_program(state->net), theta);
  memcpy(state->points, points, 2 * state->n_points * sizeof(double));
  lac_burgers_net_feed_points(state->net, state->points);
  if (state->progress.iteration < state->params.adam_steps)
    return load_optimiser(state->adam, "adam", store, error);
  return !state->quasi || load_optimiser(state->quasi, "quasi-newton", store, error);
}

const LacExperiment lac_experiment_burgers = {
  .name = "burgers",
  .title = N_("Burgers shock"),
  .laboratory = "flow",
  .summary =
    N_("A shock forms from a sine wave: a small network learns it from the equation alone"),
  .source = "Raissi, Perdikaris, Karniadakis (2019), doi:10.1016/j.jcp.2018.10.045, section 3.1",
  .precision = "f64",
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
};
