/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heat conduction in a periodic rectangle. Each mode decays by its own factor per step: exact in time for any step
 * and diffusivity, whereas explicit differences would couple the step to the grid and bias the estimated diffusivity.
 * Source: Fourier (1822). */
#include "solver/exponential/exponential.h"

#include <math.h>

static void
symbols(double kx, double ky, double *re, double *im G_GNUC_UNUSED)
{
  re[0] = -(kx * kx + ky * ky);
}

static const LacExponentialEquation equation = {
  .work = "heat steps",
  .symbols = symbols,
};

static void
example(LacSolverSettings *settings, double *parameters, double *state)
{
  settings->nx = 24;
  settings->ny = 16;
  settings->length[0] = 100;
  settings->length[1] = 70;
  settings->time_step = 5;
  parameters[0] = 1.3;
  for (gsize i = 0; state && i < settings->nx * settings->ny; i++) {
    const double x = 2 * G_PI * (double) (i % settings->nx) / (double) settings->nx;
    const double y = 2 * G_PI * (double) (i / settings->nx) / (double) settings->ny;

    state[i] = 1 + cos(x) + 0.5 * sin(2 * x - 3 * y) + 0.2 * cos(8 * y) * cos(12 * x);
  }
}

static const LacInvariant invariants[] = {
  {"mean", "1", FALSE, lac_exponential_mean},
};

const LacSolver lac_solver_heat_2d = {
  .name = "heat-2d",
  .formula = "u_t = diffusivity (u_xx + u_yy)",
  .source = "Fourier (1822), Théorie analytique de la chaleur, chapter III",
  .n_axes = 2,
  .order = 0,
  .n_fields = 1,
  .fields = {"u"},
  .n_parameters = 1,
  .parameters = {"diffusivity"},
  .invariants = invariants,
  .n_invariants = G_N_ELEMENTS(invariants),
  .example = example,
  LAC_EXPONENTIAL(equation),
};
