/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steady incompressible plane flow; the exact solution is Kovasznay flow, the wake behind a grid. */
#include "pde/plane-flow-private.h"

#include <math.h>

enum { X, Y };
enum { U, V, P };
enum { VISCOSITY };

static void
residuals(const LacPde *pde G_GNUC_UNUSED, const LacPdeTerms *at, LacNode *residuals)
{
  const LacPlaneFlow flow = {
    .x_axis = X,
    .velocity = {at->fields[U], at->fields[V]},
    .pressure = at->fields[P],
    .advection = lac_number(1),
    .viscosity = at->coefficients[VISCOSITY],
    .density = lac_number(1),
  };

  residuals[0] = lac_plane_momentum(&flow, 0);
  residuals[1] = lac_plane_momentum(&flow, 1);
  residuals[2] = lac_plane_divergence(&flow);
}

/* u = 1 - e^(z x) cos(2 pi y), v = z / (2 pi) e^(z x) sin(2 pi y), p = (1 - e^(2 z x)) / 2,
 * z = Re / 2 - sqrt(Re^2 / 4 + 4 pi^2), Re = 1 / viscosity */
static void
exact(const LacPde *pde G_GNUC_UNUSED, LacNode x, const double *coefficients, LacNode *fields)
{
  const double half = 0.5 / coefficients[VISCOSITY];
  const double z = half - sqrt(half * half + 4 * G_PI * G_PI);
  LacNode      across = lac_columns(x, X, 1), up = lac_scale(lac_columns(x, Y, 1), 2 * G_PI);
  LacNode      decay = lac_map(lac_scale(across, z), LAC_SCALAR_EXP);
  LacNode      squared = lac_map(lac_scale(across, 2 * z), LAC_SCALAR_EXP);

  fields[U] = lac_offset(lac_scale(lac_multiply(decay, lac_map(up, LAC_SCALAR_COS)), -1), 1);
  fields[V] = lac_scale(lac_multiply(decay, lac_map(up, LAC_SCALAR_SIN)), z / (2 * G_PI));
  fields[P] = lac_offset(lac_scale(squared, -0.5), 0.5);
}

/* clang-format off */
const LacPde lac_pde_navier_stokes_2d_steady = {
  .name = "navier-stokes-2d-steady",
  .formula = "u u_x + v u_y + p_x - viscosity (u_xx + u_yy) = 0; "
             "u v_x + v v_y + p_y - viscosity (v_xx + v_yy) = 0; u_x + v_y = 0",
  .n_axes = 2,
  .axes = {"x", "y"},
  .orders = {2, 2},
  .n_fields = 3,
  .fields = {"u", "v", "p"},
  .n_residuals = 3,
  .residual_names = {"momentum x", "momentum y", "continuity"},
  .n_coefficients = 1,
  .coefficients = {"viscosity"},
  .test_coefficients = {0.025},
  .residuals = residuals,
  .exact = exact,
  .source = "Kovasznay (1948), doi:10.1017/S0305004100023999",
};
/* clang-format on */
