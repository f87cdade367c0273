/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Burgers' equation on a periodic interval, pseudo-spectral. */
#include "solver/exponential/exponential.h"

#include <math.h>

static void
symbols(double kx, double ky G_GNUC_UNUSED, double *re, double *im G_GNUC_UNUSED)
{
  re[1] = -kx * kx; /* parameter 0, the advection, enters only the product */
}

static const LacExponentialEquation equation = {
  .work = "Burgers steps",
  .symbols = symbols,
  LAC_EXPONENTIAL_CARRIES,
};

static void
example(LacSolverSettings *settings, double *parameters, double *state)
{
  settings->nx = 48;
  settings->ny = 1;
  settings->length[0] = 2;
  settings->length[1] = 1;
  settings->time_step = 0.01;
  parameters[0] = 1.1;
  parameters[1] = 0.05;
  for (gsize i = 0; state && i < settings->nx; i++) {
    const double x = 2 * G_PI * (double) i / (double) settings->nx;

    state[i] = -sin(x) + 0.3 * cos(2 * x);
  }
}

static const LacInvariant invariants[] = {
  {"mean", "1", FALSE, lac_exponential_mean},
};

const LacSolver lac_solver_burgers_1d = {
  .name = "burgers-1d",
  .formula = "u_t = -advection u u_x + viscosity u_xx",
  .source = "Burgers (1948), doi:10.1016/S0065-2156(08)70100-5",
  .n_axes = 1,
  .order = 4,
  .n_fields = 1,
  .fields = {"u"},
  .n_parameters = 2,
  .parameters = {"advection", "viscosity"},
  .invariants = invariants,
  .n_invariants = G_N_ELEMENTS(invariants),
  .example = example,
  LAC_EXPONENTIAL(equation),
};
