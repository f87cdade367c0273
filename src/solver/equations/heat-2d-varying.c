/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heat conduction in a periodic rectangle with spatially varying conductivity. The conductivity is a constant field
 * of the state, so that methods that estimate the initial condition estimate it too. Source: Carslaw and Jaeger
 * (1959), 1.6 (3). */
#include "solver/exponential/exponential.h"

#include <math.h>

enum { U, K, N_FIELDS };
enum { BEND, CONDUCTIVITY, U_X, U_Y, K_X, K_Y, N_PLANES };

/* No linear part, because k is not known in advance. */
static void
symbols(double kx  G_GNUC_UNUSED,
        double ky  G_GNUC_UNUSED,
        double *re G_GNUC_UNUSED,
        double *im G_GNUC_UNUSED)
{
}

/* ETDRK4 is stable as far along the negative real axis as along the imaginary one, but all diffusion modes lie on the
 * real axis. */
static double
rate(const double *parameters G_GNUC_UNUSED, const double *largest, double wavenumber)
{
  return 2 * G_SQRT2 * largest[K] * wavenumber * wavenumber;
}

static const LacExponentialEquation equation = {
  .work = "heat steps",
  .symbols = symbols,
  .n_planes = N_PLANES,
  .planes = {[BEND] = {U, LAC_ALONG_BOTH_TWICE},
             [CONDUCTIVITY] = {K, LAC_ALONG_NONE},
             [U_X] = {U, LAC_ALONG_X},
             [U_Y] = {U, LAC_ALONG_Y},
             [K_X] = {K, LAC_ALONG_X},
             [K_Y] = {K, LAC_ALONG_Y}},
  /* k lap u + grad k . grad u for u, and nothing for k */
  .n_terms = 3,
  .terms = {{{1, U, 2, {CONDUCTIVITY, BEND}}, LAC_NO_PARAMETER},
            {{1, U, 2, {K_X, U_X}}, LAC_NO_PARAMETER},
            {{1, U, 2, {K_Y, U_Y}}, LAC_NO_PARAMETER}},
  .rate = rate,
};

static void
example(LacSolverSettings *settings, double *parameters G_GNUC_UNUSED, double *state)
{
  const gsize n = settings->nx = settings->ny = 24;

  settings->length[0] = 100;
  settings->length[1] = 80;
  settings->time_step = 0.7;
  for (gsize i = 0; state && i < n * n; i++) {
    const double x = 2 * G_PI * (double) (i % n) / (double) n;
    const double y = 2 * G_PI * (double) (i / n) / (double) n;

    state[U * n * n + i] = sin(x + y) + 0.5 * cos(3 * x) - 0.4 * sin(2 * y);
    state[K * n * n + i] = 1 + 0.4 * cos(x) + 0.3 * sin(2 * y - x);
  }
}

static const LacInvariant invariants[] = {
  {"mean", "1", FALSE, lac_exponential_mean},
};

const LacSolver lac_solver_heat_2d_varying = {
  .name = "heat-2d-varying",
  .formula = "u_t = (k u_x)_x + (k u_y)_y, k_t = 0",
  .source = "Carslaw and Jaeger (1959), Conduction of Heat in Solids, 1.6 (3)",
  .n_axes = 2,
  .order = 4,
  .n_fields = N_FIELDS,
  .fields = {"u", "k"},
  .invariants = invariants,
  .n_invariants = G_N_ELEMENTS(invariants),
  .example = example,
  LAC_EXPONENTIAL(equation),
};
