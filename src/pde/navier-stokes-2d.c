/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Incompressible plane flow in velocity and pressure; the exact solution is the Taylor-Green vortices. */
#include "pde/plane-flow-private.h"

enum { X = 1 };
enum { U, V, P };
enum { ADVECTION, VISCOSITY, DENSITY };

static void
residuals(const LacPde *pde G_GNUC_UNUSED, const LacPdeTerms *at, LacNode *residuals)
{
  const LacPlaneFlow flow = {
    .x_axis = X,
    .velocity = {at->fields[U], at->fields[V]},
    .pressure = at->fields[P],
    .advection = at->coefficients[ADVECTION],
    .viscosity = at->coefficients[VISCOSITY],
    .density = at->coefficients[DENSITY],
  };

  residuals[0] = lac_plane_momentum(&flow, 0);
  residuals[1] = lac_plane_momentum(&flow, 1);
  residuals[2] = lac_plane_divergence(&flow);
}

static void
exact(const LacPde *pde G_GNUC_UNUSED, LacNode x, const double *coefficients, LacNode *fields)
{
  lac_taylor_green_exact(x, coefficients[VISCOSITY],
                         coefficients[ADVECTION] * coefficients[DENSITY], fields);
}

/* clang-format off */
const LacPde lac_pde_navier_stokes_2d = {
  .name = "navier-stokes-2d",
  .formula = "u_t + advection (u u_x + v u_y) + p_x / density - viscosity (u_xx + u_yy) = 0; "
             "v_t + advection (u v_x + v v_y) + p_y / density - viscosity (v_xx + v_yy) = 0; "
             "u_x + v_y = 0",
  .n_axes = 3,
  .axes = {"t", "x", "y"},
  .orders = {1, 2, 2},
  .n_fields = 3,
  .fields = {"u", "v", "p"},
  .n_residuals = 3,
  .residual_names = {"momentum x", "momentum y", "continuity"},
  .n_coefficients = 3,
  .coefficients = {"advection", "viscosity", "density"},
  .test_coefficients = {1.2, 0.05, 0.9},
  .residuals = residuals,
  .exact = exact,
  .source = "Taylor, Green (1937), doi:10.1098/rspa.1937.0036",
};
/* clang-format on */
