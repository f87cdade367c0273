/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reynolds-averaged plane flow: the fluctuations act as a divergence-free force, two additional fields; the rest of
 * their stress is part of the pressure. The exact solution is a flow sustained by the force alone. */
#include "pde/plane-flow-private.h"

enum { X, Y };
enum { U, V, P, FORCE_X, FORCE_Y };
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

  for (guint i = 0; i < 2; i++)
    residuals[i] = lac_subtract(lac_plane_momentum(&flow, i), lac_value(at->fields[FORCE_X + i]));
  residuals[2] = lac_plane_divergence(&flow);
  residuals[3] =
    lac_add(lac_derivative(at->fields[FORCE_X], X, 1), lac_derivative(at->fields[FORCE_Y], Y, 1));
}

/* u = cos x sin y, v = -sin x cos y, p = -(cos 2x + cos 2y) / 4, force = 2 viscosity (u, v) */
static void
exact(const LacPde *pde G_GNUC_UNUSED, LacNode x, const double *coefficients, LacNode *fields)
{
  LacNode across = lac_columns(x, X, 1), up = lac_columns(x, Y, 1);
  LacNode v = lac_multiply(lac_map(across, LAC_SCALAR_SIN), lac_map(up, LAC_SCALAR_COS));
  LacNode p = lac_add(lac_map(lac_scale(across, 2), LAC_SCALAR_COS),
                      lac_map(lac_scale(up, 2), LAC_SCALAR_COS));

  fields[U] = lac_multiply(lac_map(across, LAC_SCALAR_COS), lac_map(up, LAC_SCALAR_SIN));
  fields[V] = lac_scale(v, -1);
  fields[P] = lac_scale(p, -0.25);
  for (guint i = 0; i < 2; i++)
    fields[FORCE_X + i] = lac_scale(fields[U + i], 2 * coefficients[VISCOSITY]);
}

/* clang-format off */
const LacPde lac_pde_rans_mean = {
  .name = "rans-mean",
  .formula = "u u_x + v u_y + p_x - viscosity (u_xx + u_yy) - f_x = 0; "
             "u v_x + v v_y + p_y - viscosity (v_xx + v_yy) - f_y = 0; "
             "u_x + v_y = 0; (f_x)_x + (f_y)_y = 0",
  .n_axes = 2,
  .axes = {"x", "y"},
  .orders = {2, 2},
  .n_fields = 5,
  .fields = {"u", "v", "p", "f_x", "f_y"},
  .n_residuals = 4,
  .residual_names = {"momentum x", "momentum y", "continuity", "force without divergence"},
  .n_coefficients = 1,
  .coefficients = {"viscosity"},
  .test_coefficients = {0.05},
  .residuals = residuals,
  .exact = exact,
  .source = "Foures, Dovetta, Sipp, Schmid (2014), doi:10.1017/jfm.2014.566",
};
/* clang-format on */
