/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two-dimensional Navier-Stokes on the periodic square of side 2 pi as a solver of velocities, using the vorticity
 * solver:
 *   u_t + (u . grad) u = -grad p + nu lap u - mu u + (sin(k y), 0),   div u = 0
 * Source: Canuto, Hussaini, Quarteroni, Zang (2007), Spectral Methods, 3.3. */
#include "base/clock.h"
#include "base/error.h"
#include "solver/span.h"
#include "solver/spectral/flow.h"
#include "solver/spectral/vorticity.h"

#include <math.h>

enum { VISCOSITY, N_PARAMETERS };
enum { DRAG, FORCING, N_CONSTANTS };

#define WORK "flow steps" /* of the reverse pass, in which the vorticity solver has no part */

typedef struct {
  LacSolverSettings   settings;
  LacVorticitySolver *vorticity;
  LacSpectralFlow
    *backwards; /* the same steps in double precision, with their transpose; NULL: not reversed */
  LacSolverSpan span; /* of the reverse pass */
} NavierStokes;

static gboolean
check_settings(const LacSolverSettings *settings, GError **error)
{
  const double forcing = settings->constants[FORCING];

  if (settings->nx != settings->ny || settings->nx % 2 != 0 || settings->nx < 4) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "The periodic flow needs a square grid of an even number of points, 4 or more; "
                "this one has %" G_GSIZE_FORMAT " by %" G_GSIZE_FORMAT ".",
                settings->nx, settings->ny);
    return FALSE;
  }
  for (gsize i = 0; i < 2; i++)
    if (fabs(settings->length[i] - 2 * G_PI) > 1e-9) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                  "The periodic flow needs a square of side 2 pi, not %g; scale lengths and "
                  "velocities by 2 pi / side.",
                  settings->length[i]);
      return FALSE;
    }
  if (forcing < 0 || forcing != floor(forcing) || forcing >= (double) settings->nx / 3) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "The wavenumber of the force, %g, must be a whole number from 0 (no force) to "
                "below a third of the %" G_GSIZE_FORMAT " grid points.",
                forcing, settings->nx);
    return FALSE;
  }
  return TRUE;
}

static void
navier_stokes_destroy(gpointer solver)
{
  NavierStokes *self = solver;

  lac_vorticity_free(self->vorticity);
  lac_spectral_flow_free(self->backwards);
  g_free(self);
}

static gpointer
navier_stokes_create(const LacSolver *row     G_GNUC_UNUSED,
                     const LacSolverSettings *settings,
                     GError                 **error)
{
  const LacVorticitySettings inner = {
    .device = settings->device,
    .pool = settings->pool,
    .type = settings->type,
    .n = settings->nx,
    .n_members = settings->n_members,
    .viscosity = 0,
    .own_viscosities = TRUE,
    .drag = settings->constants[DRAG],
    .forcing = (gsize) settings->constants[FORCING],
    .time_step = settings->time_step,
    .perf = settings->perf,
    .lane = settings->lane,
  };
  const LacSpectralFlowSettings backwards = {
    .device = settings->device,
    .n = settings->nx,
    .length = 2 * G_PI,
    .drag = settings->constants[DRAG],
    .forcing = (gsize) settings->constants[FORCING],
    .time_step = settings->time_step,
    .work = WORK,
    .perf = settings->perf,
    .lane = settings->lane,
  };
  NavierStokes *self;

  if (!check_settings(settings, error))
    return NULL;
  self = g_new0(NavierStokes, 1);
  self->settings = *settings;
  self->span = lac_solver_span(settings, WORK " backwards");
  self->vorticity = lac_vorticity_new(&inner, error);
  if (self->vorticity && settings->is_reversed)
    self->backwards = lac_spectral_flow_new_reversible(&backwards, error);
  if (self->vorticity && (self->backwards || !settings->is_reversed))
    return self;
  navier_stokes_destroy(self);
  return NULL;
}

static gboolean
navier_stokes_advance(gpointer      solver,
                      double       *states,
                      gsize         n_members,
                      const double *parameters,
                      gsize         n_steps,
                      GError      **error)
{
  NavierStokes *self = solver;
  const gint64  start_ns = lac_clock_ns();

  if (!lac_vorticity_set_n_members(self->vorticity, n_members, error) ||
      !lac_vorticity_set_viscosities(self->vorticity, parameters + VISCOSITY, N_PARAMETERS,
                                     error) ||
      !lac_vorticity_set(self->vorticity, states, error) ||
      !lac_vorticity_advance(self->vorticity, n_steps, error) ||
      !lac_vorticity_get(self->vorticity, states, error))
    return FALSE;
  lac_vorticity_emit_timing(self->vorticity, start_ns, -1);
  return TRUE;
}

static gboolean
navier_stokes_reverse(gpointer      solver,
                      const double *state,
                      const double *parameters,
                      gsize         n_steps,
                      double       *state_bar,
                      double       *parameters_bar,
                      GError      **error)
{
  NavierStokes *self = solver;
  const gint64  start_ns = lac_clock_ns();
  const double  own[LAC_SPECTRAL_FLOW_N_PARAMETERS] = {[LAC_SPECTRAL_FLOW_VISCOSITY] =
                                                         parameters[VISCOSITY]};
  double        own_bar[LAC_SPECTRAL_FLOW_N_PARAMETERS] = {0};

  g_return_val_if_fail(self->backwards, FALSE);
  lac_spectral_flow_set_parameters(self->backwards, own);
  if (!lac_spectral_flow_reverse(self->backwards, state, n_steps, state_bar, own_bar, error))
    return FALSE;
  parameters_bar[VISCOSITY] += own_bar[LAC_SPECTRAL_FLOW_VISCOSITY];
  lac_solver_span_push(&self->span, start_ns, n_steps,
                       LAC_SOLVER_REVERSE_COST * lac_spectral_flow_get_flops(self->backwards) *
                         (double) n_steps);
  return TRUE;
}

/* Half the stability limit of Runge-Kutta 4 on the imaginary axis, 2 sqrt 2, for the largest retained wavenumber. */
static double
navier_stokes_largest_step(gconstpointer solver, const double *state, const double *parameters)
{
  const NavierStokes *self = solver;
  const gsize         n = self->settings.nx * self->settings.ny;
  double              speed = 0;

  for (gsize i = 0; i < n; i++)
    speed = MAX(speed, fabs(state[i]) + fabs(state[n + i]));
  return speed > 0 ? G_SQRT2 / (speed * ((double) self->settings.nx / 3)) : (double) INFINITY;
}

static gsize
navier_stokes_bytes(gconstpointer solver)
{
  const NavierStokes *self = solver;

  return lac_vorticity_get_bytes(self->vorticity) +
         (self->backwards ? lac_spectral_flow_get_bytes(self->backwards) : 0);
}

static double
navier_stokes_flops(gconstpointer solver)
{
  return lac_vorticity_get_flops(((const NavierStokes *) solver)->vorticity);
}

/* Energy: conserved without viscosity, drag and force, up to the time-stepping error. */
static double
energy(gconstpointer solver, const double *state)
{
  const NavierStokes *self = solver;
  const gsize         n = self->settings.nx * self->settings.ny;
  double              squares = 0;

  for (gsize i = 0; i < 2 * n; i++)
    squares += state[i] * state[i];
  return squares / (2 * (double) n);
}

static const LacInvariant invariants[] = {
  {"energy", "1", TRUE, energy},
};

static void
example(LacSolverSettings *settings, double *parameters, double *state)
{
  const gsize n = settings->nx = settings->ny = 24;

  settings->length[0] = settings->length[1] = 2 * G_PI;
  settings->time_step = 0.02;
  parameters[VISCOSITY] = 0.05;
  for (gsize i = 0; state && i < n * n; i++) {
    const double x = 2 * G_PI * (double) (i % n) / (double) n;
    const double y = 2 * G_PI * (double) (i / n) / (double) n;

    state[i] = sin(2 * y) * cos(x) + cos(3 * y);
    state[n * n + i] = sin(2 * x) - cos(2 * y) * sin(x) / 2;
  }
}

const LacSolver lac_solver_navier_stokes_2d = {
  .name = "navier-stokes-2d",
  .formula = "u_t + (u . grad) u = -grad p + nu lap u - mu u + (sin(k y), 0), div u = 0",
  .source = "Canuto, Hussaini, Quarteroni, Zang (2007), Spectral Methods, 3.3",
  .n_axes = 2,
  .order = 4,
  .has_single = TRUE,
  .n_fields = 2,
  .fields = {"u", "v"},
  .n_parameters = N_PARAMETERS,
  .parameters = {"viscosity"},
  .n_constants = N_CONSTANTS,
  .constants = {"drag", "forcing wavenumber"},
  .invariants = invariants,
  .n_invariants = G_N_ELEMENTS(invariants),
  .example = example,
  .create = navier_stokes_create,
  .destroy = navier_stokes_destroy,
  .advance = navier_stokes_advance,
  .reverse = navier_stokes_reverse,
  .largest_step = navier_stokes_largest_step,
  .bytes = navier_stokes_bytes,
  .flops = navier_stokes_flops,
};
