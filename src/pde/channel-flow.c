/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steady channel flow whose mean pressure gradient is a coefficient; solved by Couette and Poiseuille flow. */
#include "pde/channel-flow.h"

#include "pde/plane-flow-private.h"

enum { X, Y };
enum { U, V, P };
enum { VISCOSITY, DRIVE };

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
  LacNode one = lac_offset(lac_scale(lac_columns(at->x, X, 1), 0), 1);

  residuals[0] =
    lac_subtract(lac_plane_momentum(&flow, 0), lac_quantity_times(at->coefficients[DRIVE], one));
  residuals[1] = lac_plane_momentum(&flow, 1);
  residuals[2] = lac_plane_divergence(&flow);
}

void
lac_channel_flow_exact(const LacChannelFlow *flow, LacNode x, LacNode *fields)
{
  LacNode y = lac_columns(x, Y, 1);
  LacNode bulge = lac_offset(lac_scale(lac_map(y, LAC_SCALAR_SQUARE), -1), 1);
  LacNode pushed = lac_scale(bulge, flow->drive / (2 * flow->viscosity));
  LacNode dragged = lac_scale(lac_offset(y, 1), flow->wall_speed / 2);

  fields[U] = lac_add(pushed, dragged);
  fields[V] = lac_scale(y, 0);
  fields[P] = fields[V];
}

static void
exact(const LacPde *pde G_GNUC_UNUSED, LacNode x, const double *coefficients, LacNode *fields)
{
  const LacChannelFlow flow = {coefficients[VISCOSITY], coefficients[DRIVE], 0.7};

  lac_channel_flow_exact(&flow, x, fields);
}

/* clang-format off */
const LacPde lac_pde_channel_flow = {
  .name = "channel-flow",
  .formula = "u u_x + v u_y + p_x - viscosity (u_xx + u_yy) - drive = 0; "
             "u v_x + v v_y + p_y - viscosity (v_xx + v_yy) = 0; u_x + v_y = 0",
  .n_axes = 2,
  .axes = {"x", "y"},
  .orders = {2, 2},
  .n_fields = 3,
  .fields = {"u", "v", "p"},
  .n_residuals = 3,
  .residual_names = {"momentum x", "momentum y", "continuity"},
  .n_coefficients = 2,
  .coefficients = {"viscosity", "drive"},
  .test_coefficients = {0.1, 0.3},
  .residuals = residuals,
  .exact = exact,
  .source = "Batchelor (1967), An Introduction to Fluid Dynamics, 4.2",
};
/* clang-format on */
