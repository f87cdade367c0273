/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two-dimensional turbulence that decays freely from a random initial state. The training part is a family of flows
 * from other random states of the same spectrum, so that the true state lies in the span of none of them.
 * Source: McWilliams (1984), doi:10.1017/S0022112084001750. */
#include "base/error.h"
#include "experiment/flow/scene-rows.h"
#include "experiment/flow/scenes/checks.h"
#include "experiment/flow/truth/simulated.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

enum { U, V, P };
enum { ADVECTION, VISCOSITY, DENSITY };
enum { REACH = 3 }; /* of the initial spectrum, in units of its peak */

/* One stream per flow, the truth first: it is the same for any size of the family. */
#define STREAM ((guint64) 0x64656361 << 32)

typedef struct {
  double reynolds;
  gint64 peak, grid;
  double time_step, interval;
  gint64 observations, family;
  gint64 viscosity_unknown;
  double viscosity_guess;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, reynolds), LAC_PARAM_REAL, "1", 1, 1e4, 200, N_("Reynolds number"), N_("Scene"), N_("1 / viscosity, with an initial RMS speed of 1 in a periodic square of side 2π")},
  {LAC_FIELD(Params, peak), LAC_PARAM_INTEGER, "1", 1, 32, 2, N_("Peak wavenumber"), N_("Scene"), N_("Wavenumber at which the energy spectrum of the initial state is largest")},
  LAC_SCENE_EVEN_GRID_ROW(Params, 64),
  {LAC_FIELD(Params, time_step), LAC_PARAM_REAL, "s", 1e-4, 0.1, 0.02, N_("Time step"), N_("Scene"), N_("Time step of the simulated truth, the training simulations and the methods"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, family), LAC_PARAM_INTEGER, "1", 1, 64, 12, N_("Training set"), N_("Scene"), N_("Number of training flows from other random initial states"), LAC_PARAM_ADVANCED},
  LAC_SCENE_INTERVAL_ROW(Params, 1e-3, 0.1),
  LAC_SCENE_TIMES_ROW(LAC_FIELD(Params, observations), 2000, 40),
  LAC_SCENE_UNKNOWN_ROW(Params, viscosity, N_("Viscosity unknown"), 0),
  LAC_SCENE_NEAR_GUESS_ROW(Params, viscosity, N_("Initial guess of the viscosity, relative to the true value"), 1.67),
};
/* clang-format on */

static const LacDefault defaults[] = {
  {"sensors", "16"},        {"placement", "uniform"},    {"control_basis", "fourier"},
  {"control_modes", "400"}, {"start_states", "fourier"}, {"ienks_start", "fourier"},
  {"localisation", "2"},    {"iterations", "150"},       {NULL, NULL}};

static gboolean
check(gconstpointer values, GError **error)
{
  const Params *params = values;

  if (!lac_scene_check_grid(params->grid, error))
    return FALSE;
  if (3 * params->peak * REACH >= params->grid) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "peak = %" G_GINT64_FORMAT " needs a grid of at least %" G_GINT64_FORMAT
                " points: the initial state has wavenumbers up to %d times the peak, and a grid "
                "resolves those below a third of its points; this one has %" G_GINT64_FORMAT,
                params->peak, (3 * params->peak * REACH + 2) / 2 * 2, REACH, params->grid);
    return FALSE;
  }
  return lac_scene_check_interval(params->interval, params->time_step, error);
}

/* Adds the wave a cos(kx x) + b sin(kx x) of the stream function, a and b over y, to the velocities. @a, @b: [2][n]:
 * values, then derivatives. */
static void
add_waves(double *state, gsize n, double kx, const double *a, const double *b)
{
  for (gsize i = 0; i < n; i++) {
    const double x = 2 * G_PI * (double) i / (double) n, c = cos(kx * x), s = sin(kx * x);

    for (gsize j = 0; j < n; j++) {
      state[(U * n + j) * n + i] += a[n + j] * c + b[n + j] * s;
      state[(V * n + j) * n + i] += kx * (a[j] * s - b[j] * c);
    }
  }
}

/* Draws the coefficients over y of all waves with wavenumber @kx along x. Energy spectrum: k^4 exp(-2 (k / peak)^2). */
static void
draw_waves(LacRng *rng, gint64 kx, double peak, gsize n, double *a, double *b)
{
  const gint64 most = (gint64) floor(REACH * peak);

  memset(a, 0, 2 * n * sizeof *a);
  memset(b, 0, 2 * n * sizeof *b);
  for (gint64 ky = -most; ky <= most; ky++) {
    const double k = hypot((double) kx, (double) ky);
    const double size = sqrt(k) * exp(-k * k / (peak * peak));
    const double even = lac_rng_normal(rng) * size, odd = lac_rng_normal(rng) * size;

    if (k == 0 || k > REACH * peak)
      continue;
    for (gsize j = 0; j < n; j++) {
      const double y = 2 * G_PI * (double) j / (double) n;
      const double c = cos((double) ky * y), s = sin((double) ky * y);

      /* even cos(kx x + ky y) + odd sin(kx x + ky y) */
      a[j] += even * c + odd * s;
      b[j] += odd * c - even * s;
      a[n + j] += (double) ky * (odd * c - even * s);
      b[n + j] -= (double) ky * (even * c + odd * s);
    }
  }
}

/* Replaces the state by a random one of RMS speed 1. */
static void
draw(const LacCase     *subject,
     gsize              e,
     gsize              n_family,
     LacRng            *rng,
     double            *state,
     double *parameters G_GNUC_UNUSED)
{
  const Params      *params = subject->params;
  const gsize        n = subject->model.nx;
  g_autofree double *a = g_new(double, 2 * n);
  g_autofree double *b = g_new(double, 2 * n);
  LacRng             own = lac_rng(rng->seed, STREAM + (n_family - e));
  double             squares = 0;

  memset(state, 0, 2 * n * n * sizeof *state);
  for (gint64 kx = 0; kx <= REACH * params->peak; kx++) {
    draw_waves(&own, kx, (double) params->peak, n, a, b);
    add_waves(state, n, (double) kx, a, b);
  }
  for (gsize i = 0; i < 2 * n * n; i++)
    squares += state[i] * state[i] / (double) (n * n);
  for (gsize i = 0; i < 2 * n * n; i++)
    state[i] /= sqrt(squares);
}

static void
configure(gconstpointer values, LacCase *subject)
{
  const Params         *params = values;
  const LacPeriodicCase periodic = {
    .solver = "navier-stokes-2d",
    .side = 2 * G_PI,
    .grid = params->grid,
    .time_step = params->time_step,
    .interval = params->interval,
    .observations = params->observations,
  };

  subject->pde = lac_pde_find("navier-stokes-2d");
  lac_case_set_periodic(subject, &periodic);
  lac_case_set_known(subject, ADVECTION, 1);
  lac_case_set_known(subject, DENSITY, 1);
  lac_case_set_sought(subject, VISCOSITY, 1 / params->reynolds, params->viscosity_unknown != 0,
                      params->viscosity_guess);
  subject->view_fields = 1u << U | 1u << V;
  subject->gauged = 1u << P;
  subject->parameters[0] = 1 / params->reynolds;
  subject->parameter_coefficient[0] = VISCOSITY;
  subject->simulation = (LacSimulation){
    .n_family = (gsize) params->family,
    .member = draw,
    .cost_ns = lac_simulated_spectral_ns(subject->n_points, 5),
  };
}

const LacScene lac_scene_decaying_turbulence = {
  .name = "decaying-turbulence",
  .title = N_("Decaying turbulence"),
  .summary = N_("A freely decaying flow from an initial state that no training flow has"),
  .source = "McWilliams (1984), doi:10.1017/S0022112084001750",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .fields = "u,v",
  .measured = "u,v",
  .methods = "solver,enkf,pod",
  .offered = "enkf,pod,solver,surrogate,ienks",
  .defaults = defaults,
  .precision = "f64",
  .check = check,
  .configure = configure,
  .truth = lac_simulated_truth,
  .estimate = lac_simulated_estimate,
};
