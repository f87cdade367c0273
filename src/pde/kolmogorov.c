/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kolmogorov flow in velocity and pressure: plane flow driven by the force (force sin(k y), 0), with friction. */
#include "pde/plane-flow-private.h"

enum { T, X, Y };
enum { U, V, P };
enum { VISCOSITY, FRICTION, FORCE, WAVE_NUMBER };

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
  LacNode push =
    lac_quantity_times(at->coefficients[FORCE],
                       lac_quantity_wave(at->x, Y, at->coefficients[WAVE_NUMBER], LAC_SCALAR_SIN));

  for (guint i = 0; i < 2; i++)
    residuals[i] =
      lac_add(lac_plane_momentum(&flow, i),
              lac_quantity_times(at->coefficients[FRICTION], lac_value(at->fields[i])));
  residuals[0] = lac_subtract(residuals[0], push);
  residuals[2] = lac_plane_divergence(&flow);
}

static void
exact(const LacPde *pde G_GNUC_UNUSED, LacNode x, const double *coefficients, LacNode *fields)
{
  const LacBeltramiFlow flow = {
    .wave_number = coefficients[WAVE_NUMBER],
    .viscosity = coefficients[VISCOSITY],
    .friction = coefficients[FRICTION],
    .force = coefficients[FORCE],
    .advection = 1,
    .density = 1,
  };
  LacNode all[LAC_BELTRAMI_N];

  lac_beltrami_exact(&flow, x, all);
  fields[U] = all[LAC_BELTRAMI_U];
  fields[V] = all[LAC_BELTRAMI_V];
  fields[P] = all[LAC_BELTRAMI_P];
}

/* clang-format off */
const LacPde lac_pde_kolmogorov = {
  .name = "kolmogorov",
  .formula = "u_t + u u_x + v u_y + p_x - viscosity (u_xx + u_yy) + friction u - force sin(k y) = 0; "
             "v_t + u v_x + v v_y + p_y - viscosity (v_xx + v_yy) + friction v = 0; u_x + v_y = 0",
  .n_axes = 3,
  .axes = {"t", "x", "y"},
  .orders = {1, 2, 2},
  .n_fields = 3,
  .fields = {"u", "v", "p"},
  .n_residuals = 3,
  .residual_names = {"momentum x", "momentum y", "continuity"},
  .n_coefficients = 4,
  .coefficients = {"viscosity", "friction", "force", "wave_number"},
  .test_coefficients = {0.05, 0.1, 0.7, 2},
  .residuals = residuals,
  .exact = exact,
  .source = "Meshalkin, Sinai (1961), doi:10.1016/0021-8928(62)90149-1",
};
/* clang-format on */
