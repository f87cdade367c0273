/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Smoke that rises: a puff and a source that feeds it, in air that a few vortices stir. It is known how it begins and where
 * the source is, not how viscous the air is or how strongly smoke rises. The training part is a family: the same beginning
 * with other coefficients, never with the true ones. Source: flow.md 3; Boussinesq (1903). */
#include "base/error.h"
#include "experiment/flow/scene.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define SIDE   (2 * G_PI)
#define GOLDEN 0.6180339887498949 /* its multiples fill an interval evenly */
enum { T, X, Y };
enum { U, V, S, P, N_FIELDS = P };
enum { VISCOSITY, BUOYANCY, DIFFUSIVITY };

typedef struct {
  double viscosity, buoyancy, diffusivity;
  double radius, rate, breeze;
  gint64 grid;
  double time_step, interval;
  gint64 observations, family;
  gint64 viscosity_unknown, buoyancy_unknown, start_known;
  double viscosity_guess, buoyancy_guess;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, viscosity), LAC_PARAM_REAL, "1", 1e-3, 1, 0.02, N_("Viscosity"), N_("Scene"), N_("Of the air, in a periodic square of side 2π")},
  {LAC_FIELD(Params, buoyancy), LAC_PARAM_REAL, "1", 0.01, 100, 1, N_("Buoyancy"), N_("Scene"), N_("Acceleration of smoke of density 1")},
  {LAC_FIELD(Params, diffusivity), LAC_PARAM_REAL, "1", 1e-3, 1, 0.02, N_("Diffusivity"), N_("Scene"), N_("Of the smoke; known")},
  {LAC_FIELD(Params, radius), LAC_PARAM_REAL, "1", 0.1, 2, 0.4, N_("Radius of the source"), N_("Scene"), N_("And of the puff at the beginning")},
  {LAC_FIELD(Params, rate), LAC_PARAM_REAL, "1/s", 0, 10, 0.5, N_("Rate of the source"), N_("Scene"), N_("Density of smoke that is added at its middle; 0: the puff alone")},
  {LAC_FIELD(Params, breeze), LAC_PARAM_REAL, "1", 0, 10, 0.3, N_("Breeze"), N_("Scene"), N_("Speed of the vortices in the air at the beginning")},
  {LAC_FIELD(Params, grid), LAC_PARAM_INTEGER, "1", 16, 512, 64, N_("Grid points a side"), N_("Scene"), N_("Even; small prime factors are fastest")},
  {LAC_FIELD(Params, time_step), LAC_PARAM_REAL, "s", 1e-4, 0.5, 0.05, N_("Time step"), N_("Scene"), N_("Of truth, family and engines"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, family), LAC_PARAM_INTEGER, "1", 1, 64, 8, N_("Family that trains"), N_("Scene"), N_("Flows with viscosity and buoyancy from half to twice the true ones: what modes and places are learnt from"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, interval), LAC_PARAM_REAL, "s", 1e-3, 10, 0.1, N_("Time between observations"), N_("Sensors"), N_("A multiple of the time step")},
  {LAC_FIELD(Params, observations), LAC_PARAM_INTEGER, "1", 2, 2000, 60, N_("Observations"), N_("Sensors"), N_("Times at which the sensors are read, the first at the beginning")},
  {LAC_FIELD(Params, viscosity_unknown), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Viscosity unknown"), N_("Unknowns"), N_("The engines find it together with the flow")},
  {LAC_FIELD(Params, viscosity_guess), LAC_PARAM_REAL, "1", 0.1, 10, 2, N_("First guess"), N_("Unknowns"), N_("Of the viscosity, as a multiple of the true one")},
  {LAC_FIELD(Params, buoyancy_unknown), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Buoyancy unknown"), N_("Unknowns"), N_("The engines find it together with the flow")},
  {LAC_FIELD(Params, buoyancy_guess), LAC_PARAM_REAL, "1", 0.1, 10, 0.5, N_("First guess"), N_("Unknowns"), N_("Of the buoyancy, as a multiple of the true one")},
  {LAC_FIELD(Params, start_known), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Beginning known"), N_("Unknowns"), N_("Engines that follow the flow from its beginning are told it; otherwise they find it too"), LAC_PARAM_ADVANCED},
};
/* clang-format on */

static const LacDefault defaults[] = {{"sensors", "8"}, {NULL, NULL}};

static gsize
get_steps_between(const Params *params)
{
  return (gsize) round(params->interval / params->time_step);
}

static gboolean
check(gconstpointer values, GError **error)
{
  const Params *params = values;
  const double  ratio = params->interval / params->time_step;

  if (params->grid % 2)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "grid = %" G_GINT64_FORMAT " is odd; it takes an even number of points",
                params->grid);
  else if (fabs(ratio - round(ratio)) > 1e-6 * ratio || ratio < 0.5)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "interval must be a multiple of time_step");
  else
    return TRUE;
  return FALSE;
}

/* Smoke of density 1 in the middle of the source; vortices in the air. [3][n][n] */
static void
fill_beginning(const Params *params, double *state)
{
  const gsize  n = (gsize) params->grid;
  const double h = SIDE / (double) n, width = params->radius / 2;

  for (gsize j = 0; j < n; j++)
    for (gsize i = 0; i < n; i++) {
      const double x = h * (double) i, y = h * (double) j;
      const double across = sin(x / 2 - G_PI / 2), up = sin(y / 2 - G_PI / 4);

      /* the curl of sin(x) sin(y) / 2 + cos(2 x + y) / 4 */
      state[(U * n + j) * n + i] = params->breeze * (sin(x) * cos(y) / 2 - sin(2 * x + y) / 4);
      state[(V * n + j) * n + i] = params->breeze * (sin(2 * x + y) / 2 - cos(x) * sin(y) / 2);
      state[(S * n + j) * n + i] = exp(-(across * across + up * up) / (2 * width * width));
    }
}

static void
initial(const LacCase *subject, double *state)
{
  fill_beginning(subject->params, state);
}

static void
configure(gconstpointer values, LacCase *subject)
{
  const Params *params = values;
  const gsize   n = (gsize) params->grid;

  subject->pde = lac_pde_find("boussinesq");
  subject->upper[T] = params->interval * (double) (params->observations - 1);
  subject->upper[X] = subject->upper[Y] = SIDE;
  subject->periodic[X] = subject->periodic[Y] = TRUE;
  lac_case_set_sought(subject, VISCOSITY, params->viscosity, params->viscosity_unknown != 0,
                      params->viscosity_guess);
  lac_case_set_sought(subject, BUOYANCY, params->buoyancy, params->buoyancy_unknown != 0,
                      params->buoyancy_guess);
  lac_case_set_known(subject, DIFFUSIVITY, params->diffusivity);
  subject->n_points = n * n;
  subject->n_times = (gsize) params->observations;
  subject->view_fields = 1u << S | 1u << V;
  subject->gauged = 1u << P;
  subject->solver = lac_solver_find("smoke");
  subject->model = (LacSolverSettings){
    .nx = n,
    .ny = n,
    .length = {SIDE, SIDE},
    .time_step = params->time_step,
    .constants = {params->diffusivity, G_PI, G_PI / 2, params->radius, params->rate},
  };
  subject->parameters[0] = params->viscosity;
  subject->parameters[1] = params->buoyancy;
  subject->parameter_coefficient[0] = VISCOSITY;
  subject->parameter_coefficient[1] = BUOYANCY;
  subject->steps_between = get_steps_between(params);
  if (params->start_known)
    subject->initial = initial;
}

static double
fraction(double x)
{
  return x - floor(x);
}

/* Viscosity and buoyancy of each: of the family from half to twice the true ones, the truth's last. */
static double *
make_parameters(const Params *params)
{
  const gsize n = (gsize) params->family;
  double     *parameters = g_new(double, 2 * (n + 1));

  for (gsize i = 0; i < n; i++) {
    const double place = ((double) i + 0.5) / (double) n;

    parameters[2 * i] = params->viscosity * exp2(2 * place - 1);
    parameters[2 * i + 1] = params->buoyancy * exp2(2 * fraction(GOLDEN * ((double) i + 0.75)) - 1);
  }
  parameters[2 * n] = params->viscosity;
  parameters[2 * n + 1] = params->buoyancy;
  return parameters;
}

/* What all flows are at observation @k. Returns: %FALSE with an error where they are not finite. */
static gboolean
keep(const double *states, gsize n_members, gsize k, LacTruth *truth, GError **error)
{
  const gsize n = lac_truth_get_length(truth);

  for (gsize i = 0; i < n_members * n; i++)
    if (!isfinite(states[i])) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                  "the true flow diverged: time_step is too long for this viscosity, buoyancy and "
                  "grid; halve it");
      return FALSE;
    }
  for (gsize e = 0; e < n_members; e++)
    memcpy(lac_truth_get_slot(truth, e * truth->n_times + k), states + e * n, n * sizeof *states);
  return TRUE;
}

static gboolean
compute(const Params     *params,
        const LacCase    *subject,
        gpointer          solver,
        const LacContext *context,
        LacTruth         *truth,
        GError          **error)
{
  const gsize        n_members = (gsize) params->family + 1, n = lac_truth_get_length(truth);
  g_autofree double *parameters = make_parameters(params);
  g_autofree double *states = g_new(double, n_members *n);

  for (gsize e = 0; e < n_members; e++)
    fill_beginning(params, states + e * n);
  for (gsize k = 0; k < truth->n_times; k++) {
    if (lac_context_is_cancelled(context, error))
      return FALSE;
    if (context->progress)
      context->progress(0.9 * (double) k / (double) truth->n_times,
                        _("the true flow and its family"), context->user_data);
    if (k > 0 && !subject->solver->advance(solver, states, n_members, parameters,
                                           subject->steps_between, error))
      return FALSE;
    if (!keep(states, n_members, k, truth, error))
      return FALSE;
  }
  return TRUE;
}

static LacTruth *
make_truth(gconstpointer values, const LacCase *subject, const LacContext *context, GError **error)
{
  static const char *const fields[N_FIELDS] = {"u", "v", "s"};
  const Params            *params = values;
  const gsize              n = (gsize) params->grid;
  LacSolverSettings        model = subject->model;
  g_autoptr(LacTruth)      truth =
    lac_truth_new(N_FIELDS, fields, n, n, (gsize) (params->family * params->observations),
                  (gsize) params->observations);
  gboolean is_made;
  gpointer solver;

  model.device = context->device;
  model.pool = context->pool;
  model.type = LAC_F64;
  model.perf = context->perf;
  model.lane = context->lane;
  model.n_members = (gsize) params->family + 1;
  solver = subject->solver->create(&model, error);
  if (!solver)
    return NULL;
  truth->upper[0] = truth->upper[1] = SIDE * (double) (n - 1) / (double) n;
  truth->periodic[0] = truth->periodic[1] = TRUE;
  truth->training_run = truth->n_times;
  for (gsize k = 0; k < truth->n_times; k++)
    truth->times[k] = params->interval * (double) k;
  is_made = compute(params, subject, solver, context, truth, error);
  subject->solver->destroy(solver);
  return is_made ? g_steal_pointer(&truth) : NULL;
}

/* From the operation count at the rate the reference machine reached on one thread. */
static void
estimate(gconstpointer values, double *seconds, double *bytes)
{
  static const double flops_per_second = 1.6e10;
  const Params       *params = values;
  const double        points = (double) (params->grid * params->grid);
  const double        members = (double) params->family + 1;
  const double        n_steps =
    members * (double) params->observations * (double) get_steps_between(params);

  *seconds = n_steps * 4 * 8 * 2.5 * points * log2(points) / flops_per_second;
  *bytes = 8 * N_FIELDS * points * members * (double) params->observations * 1.6 + 300 * points;
}

const LacScene lac_scene_smoke = {
  .name = "smoke",
  .title = N_("Rising smoke"),
  .summary = N_("How viscous the air is and how strongly smoke rises, and the whole flow, from "
                "a few sensors in the plume"),
  .source = "Boussinesq (1903), Théorie analytique de la chaleur, vol. 2",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .fields = "u,v,s",
  .measured = "v,s",
  .engines = "solver,enkf,pod",
  .offered = "enkf,pod,solver,surrogate",
  .defaults = defaults,
  .precision = "f64",
  .check = check,
  .configure = configure,
  .truth = make_truth,
  .estimate = estimate,
};
