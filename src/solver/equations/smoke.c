/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rising smoke: a buoyant density in a periodic square, spectral and therefore smooth in all parameters.
 *   u_t + (u . grad) u = -grad p + nu lap u + (0, b s),   div u = 0,   s_t + u . grad s = kappa lap s + q
 * q = rate exp(-(sin^2(pi dx/L) + sin^2(pi dy/L)) L^2 / (2 pi^2 R^2)), a periodic Gaussian of width R. The mean of u
 * is 0: in a closed box the pressure balances it.
 * Source: Canuto, Hussaini, Quarteroni, Zang (2007), Spectral Methods, 3.3. */
#include "base/clock.h"
#include "base/error.h"
#include "solver/members.h"
#include "solver/spectral/flow.h"

#include <math.h>

enum { VISCOSITY, BUOYANCY, N_PARAMETERS };
#define WORK "smoke steps"

enum { DIFFUSIVITY, INFLOW_X, INFLOW_Y, INFLOW_RADIUS, INFLOW_RATE, N_CONSTANTS };

static gboolean
check_settings(const LacSolverSettings *settings, GError **error)
{
  if (settings->nx != settings->ny || settings->nx % 2 != 0 || settings->nx < 4 ||
      settings->length[0] != settings->length[1] || settings->length[0] <= 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "Smoke needs a square with a square grid of an even number of points, 4 or more; "
                "this one has %" G_GSIZE_FORMAT " by %" G_GSIZE_FORMAT " points on %g by %g.",
                settings->nx, settings->ny, settings->length[0], settings->length[1]);
    return FALSE;
  }
  if (settings->constants[INFLOW_RATE] != 0 && settings->constants[INFLOW_RADIUS] <= 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "The inflow of smoke needs a radius above 0, not %g.",
                settings->constants[INFLOW_RADIUS]);
    return FALSE;
  }
  return TRUE;
}

static double *
make_inflow(const LacSolverSettings *settings)
{
  const gsize   n = settings->nx;
  const double *constants = settings->constants, length = settings->length[0];
  const double  width = constants[INFLOW_RADIUS] * G_PI / length;
  double       *inflow;

  if (constants[INFLOW_RATE] == 0)
    return NULL;
  inflow = g_new(double, n *n);
  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < n; x++) {
      const double a = sin(G_PI * ((double) x / (double) n - constants[INFLOW_X] / length));
      const double b = sin(G_PI * ((double) y / (double) n - constants[INFLOW_Y] / length));

      inflow[y * n + x] = constants[INFLOW_RATE] * exp(-(a * a + b * b) / (2 * width * width));
    }
  return inflow;
}

/* ---- one worker's flow ---- */

static gpointer
create_flow(gconstpointer data, gboolean is_reversible, GError **error)
{
  return is_reversible ? lac_spectral_flow_new_reversible(data, error)
                       : lac_spectral_flow_new(data, error);
}

static void
destroy_flow(gpointer flow)
{
  lac_spectral_flow_free(flow);
}

static void
set_parameters(LacSpectralFlow *flow, const double *parameters)
{
  double own[LAC_SPECTRAL_FLOW_N_PARAMETERS];

  own[LAC_SPECTRAL_FLOW_VISCOSITY] = parameters[VISCOSITY];
  own[LAC_SPECTRAL_FLOW_BUOYANCY] = parameters[BUOYANCY];
  lac_spectral_flow_set_parameters(flow, own);
}

static LacStatus
advance_flow(gpointer flow, const double *parameters, double *state, gsize n_steps)
{
  set_parameters(flow, parameters);
  return lac_spectral_flow_advance(flow, state, n_steps);
}

static gsize
count_bytes(gconstpointer flow)
{
  return lac_spectral_flow_get_bytes(flow);
}

static double
count_flops(gconstpointer flow)
{
  return lac_spectral_flow_get_flops(flow);
}

/* ---- the solver: its members ---- */

static gpointer
smoke_create(const LacSolver *row, const LacSolverSettings *settings, GError **error)
{
  g_autofree double      *inflow = NULL;
  LacSpectralFlowSettings inner = {
    .device = settings->device,
    .n = settings->nx,
    .length = settings->length[0],
    .density = TRUE,
    .diffusivity = settings->constants[DIFFUSIVITY],
    .time_step = settings->time_step,
    .work = WORK,
    .perf = settings->perf,
    .lane = settings->lane,
  };
  const LacMembersFlow flow = {
    .work = WORK,
    .length = row->n_fields * settings->nx * settings->ny,
    .n_parameters = row->n_parameters,
    .create = create_flow,
    .destroy = destroy_flow,
    .advance = advance_flow,
    .bytes = count_bytes,
    .flops = count_flops,
  };

  if (!check_settings(settings, error))
    return NULL;
  inner.inflow = inflow = make_inflow(settings);
  return lac_members_new(&flow, settings, &inner, error);
}

static gboolean
smoke_reverse(gpointer      solver,
              const double *state,
              const double *parameters,
              gsize         n_steps,
              double       *state_bar,
              double       *parameters_bar,
              GError      **error)
{
  LacSpectralFlow *flow = lac_members_get_reversible(solver);
  const gint64     start_ns = lac_clock_ns();
  double           own_bar[LAC_SPECTRAL_FLOW_N_PARAMETERS] = {0};

  set_parameters(flow, parameters);
  if (!lac_spectral_flow_reverse(flow, state, n_steps, state_bar, own_bar, error))
    return FALSE;
  parameters_bar[VISCOSITY] += own_bar[LAC_SPECTRAL_FLOW_VISCOSITY];
  parameters_bar[BUOYANCY] += own_bar[LAC_SPECTRAL_FLOW_BUOYANCY];
  lac_members_record_reverse(solver, start_ns, n_steps);
  return TRUE;
}

/* As for Navier-Stokes; for a flow at rest, with the speed the smoke would reach after rising through the square. */
static double
smoke_largest_step(gconstpointer solver, const double *state, const double *parameters)
{
  const LacSolverSettings *settings = lac_members_get_settings(solver);
  const gsize              n = settings->nx * settings->ny;
  const double             length = settings->length[0];
  const double             largest = 2 * G_PI / length * (double) settings->nx / 3;
  double                   speed = 0, density = 0;

  for (gsize i = 0; i < n; i++) {
    speed = MAX(speed, fabs(state[i]) + fabs(state[n + i]));
    density = MAX(density, fabs(state[2 * n + i]));
  }
  speed = MAX(speed, sqrt(2 * fabs(parameters[BUOYANCY]) * density * length));
  return speed > 0 ? G_SQRT2 / (speed * largest) : (double) INFINITY;
}

/* Mean density: grows by the mean inflow, conserved without one. */
static double
mass(gconstpointer solver, const double *state)
{
  const LacSolverSettings *settings = lac_members_get_settings(solver);
  const gsize              n = settings->nx * settings->ny;
  double                   sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += state[2 * n + i];
  return sum / (double) n;
}

static const LacInvariant invariants[] = {
  {"mass", "1", FALSE, mass},
};

static void
example(LacSolverSettings *settings, double *parameters, double *state)
{
  const gsize n = settings->nx = settings->ny = 24;

  settings->length[0] = settings->length[1] = 2 * G_PI;
  settings->time_step = 0.02;
  settings->constants[DIFFUSIVITY] = 0.01;
  parameters[VISCOSITY] = 0.05;
  parameters[BUOYANCY] = 1;
  for (gsize i = 0; state && i < n * n; i++) {
    const double x = 2 * G_PI * (double) (i % n) / (double) n;
    const double y = 2 * G_PI * (double) (i / n) / (double) n;

    state[i] = sin(2 * y) * cos(x) + cos(3 * y);
    state[n * n + i] = sin(2 * x) - cos(2 * y) * sin(x) / 2;
    state[2 * n * n + i] = 1 + cos(x) * sin(2 * y);
  }
}

const LacSolver lac_solver_smoke = {
  .name = "smoke",
  .formula =
    "u_t + (u . grad) u = -grad p + nu lap u + (0, b s), s_t + u . grad s = kappa lap s + q",
  .source = "Canuto, Hussaini, Quarteroni, Zang (2007), Spectral Methods, 3.3",
  .n_axes = 2,
  .order = 4,
  .n_constants = N_CONSTANTS,
  .constants = {"diffusivity", "inflow x", "inflow y", "inflow radius", "inflow rate"},
  .n_fields = 3,
  .fields = {"u", "v", "s"},
  .n_parameters = N_PARAMETERS,
  .parameters = {"viscosity", "buoyancy"},
  .invariants = invariants,
  .n_invariants = G_N_ELEMENTS(invariants),
  .example = example,
  .create = smoke_create,
  .reverse = smoke_reverse,
  .largest_step = smoke_largest_step,
  LAC_MEMBERS_CALLBACKS,
};
