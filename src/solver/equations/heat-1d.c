/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heat conduction in a rod with ends fixed at 0, in sine modes: exact in time for any step. */
#include "solver/exponential/exponential.h"

#include <math.h>

static void
symbols(double kx, double ky G_GNUC_UNUSED, double *re, double *im G_GNUC_UNUSED)
{
  re[0] = -kx * kx;
}

static const LacExponentialEquation equation = {
  .work = "heat steps",
  .is_sine = TRUE,
  .symbols = symbols,
};

static void
example(LacSolverSettings *settings, double *parameters, double *state)
{
  settings->nx = 33;
  settings->ny = 1;
  settings->length[0] = 1;
  settings->length[1] = 1;
  settings->time_step = 0.005;
  parameters[0] = 0.4;
  for (gsize i = 0; state && i < settings->nx; i++) {
    const double x = G_PI * (double) i / (double) (settings->nx - 1);

    state[i] = sin(x) + 0.5 * sin(3 * x) + 0.2 * sin(20 * x);
  }
}

const LacSolver lac_solver_heat_1d = {
  .name = "heat-1d",
  .formula = "u_t = diffusivity u_xx, u = 0 at both ends",
  .source = "Fourier (1822), Théorie analytique de la chaleur, chapter III",
  .n_axes = 1,
  .order = 0,
  .n_fields = 1,
  .fields = {"u"},
  .n_parameters = 1,
  .parameters = {"diffusivity"},
  .example = example,
  LAC_EXPONENTIAL(equation),
};
