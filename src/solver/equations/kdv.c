/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Korteweg-de Vries equation on a periodic interval, pseudo-spectral: steepening and dispersing waves. */
#include "solver/exponential/exponential.h"

#include <math.h>

static void
symbols(double kx, double ky G_GNUC_UNUSED, double *re, double *im)
{
  im[1] = kx * kx * kx; /* symbol of -u_xxx */
}

static const LacExponentialEquation equation = {
  .work = "wave steps",
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
  settings->time_step = 0.004;
  parameters[0] = 1;
  parameters[1] = 0.0025;
  for (gsize i = 0; state && i < settings->nx; i++) {
    const double x = 2 * G_PI * (double) i / (double) settings->nx;

    state[i] = cos(x) + 0.3 * sin(2 * x);
  }
}

static const LacInvariant invariants[] = {
  {"mean", "1", FALSE, lac_exponential_mean},
  {"mean square", "1", FALSE, lac_exponential_mean_square},
};

const LacSolver lac_solver_kdv = {
  .name = "kdv",
  .formula = "u_t = -advection u u_x - dispersion u_xxx",
  .source = "Zabusky and Kruskal (1965), doi:10.1103/PhysRevLett.15.240",
  .n_axes = 1,
  .order = 4,
  .n_fields = 1,
  .fields = {"u"},
  .n_parameters = 2,
  .parameters = {"advection", "dispersion"},
  .invariants = invariants,
  .n_invariants = G_N_ELEMENTS(invariants),
  .example = example,
  LAC_EXPONENTIAL(equation),
};
