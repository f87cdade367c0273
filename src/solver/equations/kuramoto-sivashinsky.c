/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kuramoto-Sivashinsky equation on a periodic interval, pseudo-spectral: chaos from growing long and decaying short
 * waves. */
#include "solver/exponential/exponential.h"

#include <math.h>

static void
symbols(double kx, double ky G_GNUC_UNUSED, double *re, double *im G_GNUC_UNUSED)
{
  re[1] = kx * kx;
  re[2] = -kx * kx * kx * kx;
}

static const LacExponentialEquation equation = {
  .work = "Kuramoto-Sivashinsky steps",
  .symbols = symbols,
  LAC_EXPONENTIAL_CARRIES,
};

static void
example(LacSolverSettings *settings, double *parameters, double *state)
{
  settings->nx = 48;
  settings->ny = 1;
  settings->length[0] = 22;
  settings->length[1] = 1;
  settings->time_step = 0.02;
  parameters[0] = 1;
  parameters[1] = 0.9;
  parameters[2] = 1.1;
  for (gsize i = 0; state && i < settings->nx; i++) {
    const double x = 2 * G_PI * (double) i / (double) settings->nx;

    state[i] = cos(x) * (1 + sin(2 * x));
  }
}

static const LacInvariant invariants[] = {
  {"mean", "1", FALSE, lac_exponential_mean},
};

const LacSolver lac_solver_kuramoto_sivashinsky = {
  .name = "kuramoto-sivashinsky",
  .formula = "u_t = -advection u u_x - instability u_xx - damping u_xxxx",
  .source = "Kassam and Trefethen (2005), doi:10.1137/S1064827502410633, 4",
  .n_axes = 1,
  .order = 4,
  .n_fields = 1,
  .fields = {"u"},
  .n_parameters = 3,
  .parameters = {"advection", "instability", "damping"},
  .invariants = invariants,
  .n_invariants = G_N_ELEMENTS(invariants),
  .example = example,
  LAC_EXPONENTIAL(equation),
};
