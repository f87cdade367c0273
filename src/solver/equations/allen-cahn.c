/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allen-Cahn equation on a periodic interval, pseudo-spectral: phase separation and slow fronts. */
#include "solver/exponential/exponential.h"

#include <math.h>

static void
symbols(double kx, double ky G_GNUC_UNUSED, double *re, double *im G_GNUC_UNUSED)
{
  re[0] = -kx * kx;
  re[1] = 1;
}

static double
rate(const double *parameters, const double *largest, double wavenumber G_GNUC_UNUSED)
{
  return 3 * fabs(parameters[1]) * largest[0] * largest[0];
}

static const LacExponentialEquation equation = {
  .work = "phase steps",
  .symbols = symbols,
  .n_planes = 1,
  .planes = {{0, LAC_ALONG_NONE}},
  /* The 2/3 rule dealiases quadratic products: the cube is slightly aliased, into decaying modes. */
  .n_terms = 1,
  .terms = {{{-1, 0, 3, {0, 0, 0}}, 1}},
  .rate = rate,
};

static void
example(LacSolverSettings *settings, double *parameters, double *state)
{
  settings->nx = 48;
  settings->ny = 1;
  settings->length[0] = 2;
  settings->length[1] = 1;
  settings->time_step = 0.02;
  parameters[0] = 0.002;
  parameters[1] = 5;
  for (gsize i = 0; state && i < settings->nx; i++) {
    const double x = 2 * G_PI * (double) i / (double) settings->nx;

    state[i] = 0.6 * cos(x) + 0.3 * sin(3 * x);
  }
}

const LacSolver lac_solver_allen_cahn = {
  .name = "allen-cahn",
  .formula = "u_t = diffusivity u_xx + reaction (u - u^3)",
  .source = "Allen and Cahn (1979), doi:10.1016/0001-6160(79)90196-2",
  .n_axes = 1,
  .order = 4,
  .n_fields = 1,
  .fields = {"u"},
  .n_parameters = 2,
  .parameters = {"diffusivity", "reaction"},
  .example = example,
  LAC_EXPONENTIAL(equation),
};
