/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advection and diffusion in a periodic rectangle, mode by mode: exact in time for any step. */
#include "solver/exponential/exponential.h"

#include <math.h>

static void
symbols(double kx, double ky, double *re, double *im)
{
  im[0] = -kx;
  im[1] = -ky;
  re[2] = -(kx * kx + ky * ky);
}

static const LacExponentialEquation equation = {
  .work = "transport steps",
  .symbols = symbols,
};

static void
example(LacSolverSettings *settings, double *parameters, double *state)
{
  const gsize n = settings->nx = settings->ny = 24;

  settings->length[0] = 100;
  settings->length[1] = 80;
  settings->time_step = 0.4;
  parameters[0] = 3;
  parameters[1] = -2;
  parameters[2] = 1.5;
  for (gsize i = 0; state && i < n * n; i++) {
    const double x = 2 * G_PI * (double) (i % n) / (double) n;
    const double y = 2 * G_PI * (double) (i / n) / (double) n;

    state[i] = 1 + exp(cos(x) + cos(2 * y)) / 5 + 0.2 * cos(12 * x);
  }
}

static const LacInvariant invariants[] = {
  {"mean", "1", FALSE, lac_exponential_mean},
};

const LacSolver lac_solver_advection_diffusion_2d = {
  .name = "advection-diffusion-2d",
  .formula = "u_t = -speed_x u_x - speed_y u_y + diffusivity (u_xx + u_yy)",
  .source = "Crank (1975), The Mathematics of Diffusion, 2.2",
  .n_axes = 2,
  .order = 0,
  .n_fields = 1,
  .fields = {"u"},
  .n_parameters = 3,
  .parameters = {"speed_x", "speed_y", "diffusivity"},
  .invariants = invariants,
  .n_invariants = G_N_ELEMENTS(invariants),
  .example = example,
  LAC_EXPONENTIAL(equation),
};
