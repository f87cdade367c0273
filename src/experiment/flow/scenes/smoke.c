/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rising smoke: a puff and a source that feeds it, in air stirred by a few vortices. The initial condition and the
 * source are known, viscosity and buoyancy are not. The training part is a family: the same initial condition with
 * other coefficients, never the true ones. Source: Boussinesq (1903). */
#include "experiment/flow/scene-rows.h"
#include "experiment/flow/scenes/checks.h"
#include "experiment/flow/truth/simulated.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define SIDE   (2 * G_PI)
#define GOLDEN 0.6180339887498949 /* multiples of the golden ratio fill an interval evenly */
enum { U, V, S, P };
enum { VISCOSITY, BUOYANCY, DIFFUSIVITY };
enum { TRANSPORT = 3 }; /* the residual of the smoke */

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
  {LAC_FIELD(Params, viscosity), LAC_PARAM_REAL, "1", 1e-3, 1, 0.02, N_("Viscosity"), N_("Scene"), N_("Viscosity of the air, in a periodic square of side 2π")},
  {LAC_FIELD(Params, buoyancy), LAC_PARAM_REAL, "1", 0.01, 100, 1, N_("Buoyancy"), N_("Scene"), N_("Acceleration of smoke of density 1")},
  {LAC_FIELD(Params, diffusivity), LAC_PARAM_REAL, "1", 1e-3, 1, 0.02, N_("Diffusivity"), N_("Scene"), N_("Diffusivity of the smoke, always known")},
  {LAC_FIELD(Params, radius), LAC_PARAM_REAL, "1", 0.1, 2, 0.4, N_("Radius of the source"), N_("Scene"), N_("Radius of the source and of the initial puff")},
  {LAC_FIELD(Params, rate), LAC_PARAM_REAL, "1/s", 0, 10, 0.5, N_("Rate of the source"), N_("Scene"), N_("Smoke density added at its centre per unit time; 0: only the initial puff")},
  {LAC_FIELD(Params, breeze), LAC_PARAM_REAL, "1", 0, 10, 0.3, N_("Initial air speed"), N_("Scene"), N_("Initial speed of the vortices in the air")},
  LAC_SCENE_EVEN_GRID_ROW(Params, 64),
  {LAC_FIELD(Params, time_step), LAC_PARAM_REAL, "s", 1e-4, 0.5, 0.05, N_("Time step"), N_("Scene"), N_("Time step of the simulated truth, the training simulations and the methods"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, family), LAC_PARAM_INTEGER, "1", 1, 64, 8, N_("Training set"), N_("Scene"), N_("Number of training flows with half to twice the true viscosity and buoyancy"), LAC_PARAM_ADVANCED},
  LAC_SCENE_INTERVAL_ROW(Params, 1e-3, 0.1),
  LAC_SCENE_TIMES_ROW(LAC_FIELD(Params, observations), 2000, 60),
  LAC_SCENE_UNKNOWN_ROW(Params, viscosity, N_("Viscosity unknown"), 1),
  LAC_SCENE_NEAR_GUESS_ROW(Params, viscosity, N_("Initial guess of the viscosity, relative to the true value"), 2),
  LAC_SCENE_UNKNOWN_ROW(Params, buoyancy, N_("Buoyancy unknown"), 1),
  LAC_SCENE_NEAR_GUESS_ROW(Params, buoyancy, N_("Initial guess of the buoyancy, relative to the true value"), 0.5),
  {LAC_FIELD(Params, start_known), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Initial condition known"), N_("Unknowns"), N_("Gives the initial condition to forecasting methods; otherwise they estimate it"), LAC_PARAM_ADVANCED},
};
/* clang-format on */

static const LacDefault defaults[] = {{"sensors", "8"}, {NULL, NULL}};

static gboolean
check(gconstpointer values, GError **error)
{
  const Params *params = values;

  return lac_scene_check_grid(params->grid, error) &&
         lac_scene_check_interval(params->interval, params->time_step, error);
}

/* Smoke of density 1 at the centre of the source; vortices in the air. [3][n][n] */
static void
initial(const LacCase *subject, double *state)
{
  const Params *params = subject->params;
  const gsize   n = subject->model.nx;
  const double  h = SIDE / (double) n, width = params->radius / 2;

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

static double
fraction(double x)
{
  return x - floor(x);
}

/* Viscosity and buoyancy of the family vary from half to twice the true values. */
static void
vary(const LacCase *subject G_GNUC_UNUSED,
     gsize                  e,
     gsize                  n_family,
     LacRng *rng            G_GNUC_UNUSED,
     double *state          G_GNUC_UNUSED,
     double                *parameters)
{
  if (e == n_family)
    return;
  parameters[0] *= exp2(2 * ((double) e + 0.5) / (double) n_family - 1);
  parameters[1] *= exp2(2 * fraction(GOLDEN * ((double) e + 0.75)) - 1);
}

/* sin^2 of half the distance from @centre */
static LacNode
away_from(LacNode x, guint axis, double centre)
{
  LacNode half = lac_offset(lac_scale(lac_columns(x, axis, 1), 0.5), -centre / 2);

  return lac_map(lac_map(half, LAC_SCALAR_SIN), LAC_SCALAR_SQUARE);
}

/* The source of the solver, a periodic Gaussian. */
static void
feed(const LacCase *subject, LacNode x, LacNode *sources)
{
  const Params *params = subject->params;
  LacNode       away = lac_add(away_from(x, 1, G_PI), away_from(x, 2, G_PI / 2));
  LacNode       shape = lac_map(lac_scale(away, -2 / pow(params->radius, 2)), LAC_SCALAR_EXP);

  sources[TRANSPORT] = lac_scale(shape, params->rate);
}

static void
configure(gconstpointer values, LacCase *subject)
{
  const Params         *params = values;
  const LacPeriodicCase periodic = {
    .solver = "smoke",
    .side = SIDE,
    .grid = params->grid,
    .time_step = params->time_step,
    .interval = params->interval,
    .observations = params->observations,
  };

  subject->pde = lac_pde_find("boussinesq");
  lac_case_set_periodic(subject, &periodic);
  lac_case_set_sought(subject, VISCOSITY, params->viscosity, params->viscosity_unknown != 0,
                      params->viscosity_guess);
  lac_case_set_sought(subject, BUOYANCY, params->buoyancy, params->buoyancy_unknown != 0,
                      params->buoyancy_guess);
  lac_case_set_known(subject, DIFFUSIVITY, params->diffusivity);
  subject->view_fields = 1u << S | 1u << V;
  subject->gauged = 1u << P;
  subject->sources = feed;
  memcpy(subject->model.constants,
         (double[]){params->diffusivity, G_PI, G_PI / 2, params->radius, params->rate},
         5 * sizeof(double));
  subject->parameters[0] = params->viscosity;
  subject->parameters[1] = params->buoyancy;
  subject->parameter_coefficient[0] = VISCOSITY;
  subject->parameter_coefficient[1] = BUOYANCY;
  if (params->start_known)
    subject->initial = initial;
  subject->simulation = (LacSimulation){
    .n_family = (gsize) params->family,
    .beginning = initial,
    .member = vary,
    .cost_ns = lac_simulated_spectral_ns(subject->n_points, 8),
  };
}

const LacScene lac_scene_smoke = {
  .name = "smoke",
  .title = N_("Rising smoke"),
  .summary = N_("The whole flow with viscosity and buoyancy, from a few sensors in the plume"),
  .source = "Boussinesq (1903), Théorie analytique de la chaleur, vol. 2",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .fields = "u,v,s",
  .measured = "v,s",
  .methods = "solver,enkf,pod",
  .offered = "enkf,pod,solver,surrogate,ienks",
  .defaults = defaults,
  .precision = "f64",
  .check = check,
  .configure = configure,
  .truth = lac_simulated_truth,
  .estimate = lac_simulated_estimate,
};
