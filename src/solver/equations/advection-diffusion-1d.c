/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advection and diffusion on a periodic interval, mode by mode: exact in time for any step. */
#include "solver/exponential/exponential.h"

#include <math.h>

static void
symbols(double kx, double ky G_GNUC_UNUSED, double *re, double *im)
{
  im[0] = -kx;
  re[1] = -kx * kx;
}

static const LacExponentialEquation equation = {
  .work = "transport steps",
  .symbols = symbols,
};

static void
example(LacSolverSettings *settings, double *parameters, double *state)
{
  settings->nx = 32;
  settings->ny = 1;
  settings->length[0] = 2;
  settings->length[1] = 1;
  settings->time_step = 0.05;
  parameters[0] = 1.2;
  parameters[1] = 0.05;
  for (gsize i = 0; state && i < settings->nx; i++) {
    const double x = 2 * G_PI * (double) i / (double) settings->nx;

    state[i] = 1 + exp(2 * cos(x)) / 5;
  }
}

static const LacInvariant invariants[] = {
  {"mean", "1", FALSE, lac_exponential_mean},
};

const LacSolver lac_solver_advection_diffusion_1d = {
  .name = "advection-diffusion-1d",
  .formula = "u_t = -speed u_x + diffusivity u_xx",
  .source = "Crank (1975), The Mathematics of Diffusion, 2.2",
  .n_axes = 1,
  .order = 0,
  .n_fields = 1,
  .fields = {"u"},
  .n_parameters = 2,
  .parameters = {"speed", "diffusivity"},
  .invariants = invariants,
  .n_invariants = G_N_ELEMENTS(invariants),
  .example = example,
  LAC_EXPONENTIAL(equation),
};
