/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Burgers' equations in a periodic rectangle, pseudo-spectral. */
#include "solver/exponential/exponential.h"

#include <math.h>

static void
symbols(double kx, double ky, double *re, double *im G_GNUC_UNUSED)
{
  re[0] = -(kx * kx + ky * ky);
}

enum { U, V, U_X, U_Y, V_X, V_Y, N_PLANES };

static double
rate(const double *parameters G_GNUC_UNUSED, const double *largest, double wavenumber)
{
  return (largest[0] + largest[1]) * wavenumber;
}

static const LacExponentialEquation equation = {
  .work = "Burgers steps",
  .symbols = symbols,
  .n_planes = N_PLANES,
  .planes = {[U] = {0, LAC_ALONG_NONE},
             [V] = {1, LAC_ALONG_NONE},
             [U_X] = {0, LAC_ALONG_X},
             [U_Y] = {0, LAC_ALONG_Y},
             [V_X] = {1, LAC_ALONG_X},
             [V_Y] = {1, LAC_ALONG_Y}},
  .n_terms = 4,
  .terms = {{{-1, 0, 2, {U, U_X}}, LAC_NO_PARAMETER},
            {{-1, 0, 2, {V, U_Y}}, LAC_NO_PARAMETER},
            {{-1, 1, 2, {U, V_X}}, LAC_NO_PARAMETER},
            {{-1, 1, 2, {V, V_Y}}, LAC_NO_PARAMETER}},
  .rate = rate,
};

static void
example(LacSolverSettings *settings, double *parameters, double *state)
{
  const gsize n = settings->nx = settings->ny = 24;

  settings->length[0] = 100;
  settings->length[1] = 80;
  settings->time_step = 0.4;
  parameters[0] = 1.5;
  for (gsize i = 0; state && i < n * n; i++) {
    const double x = 2 * G_PI * (double) (i % n) / (double) n;
    const double y = 2 * G_PI * (double) (i / n) / (double) n;

    state[i] = sin(x + y) + 0.3 * cos(2 * y);
    state[n * n + i] = 0.5 * cos(x) * sin(2 * y) - 0.4;
  }
}

const LacSolver lac_solver_burgers_2d = {
  .name = "burgers-2d",
  .formula = "u_t = -(u u_x + v u_y) + viscosity (u_xx + u_yy), v_t = -(u v_x + v v_y) + viscosity "
             "(v_xx + v_yy)",
  .source = "Fletcher (1983), doi:10.1002/fld.1650030302",
  .n_axes = 2,
  .order = 4,
  .n_fields = 2,
  .fields = {"u", "v"},
  .n_parameters = 1,
  .parameters = {"viscosity"},
  .example = example,
  LAC_EXPONENTIAL(equation),
};
