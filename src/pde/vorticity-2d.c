/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Incompressible plane flow in velocity and vorticity, with friction and Kolmogorov forcing. */
#include "pde/operators-private.h"
#include "pde/plane-flow-private.h"

enum { T, X, Y };
enum { U, V, W };
enum { VISCOSITY, FRICTION, FORCE, WAVE_NUMBER };

/* The curl of (force sin(k y), 0) is -force k cos(k y). */
static void
residuals(const LacPde *pde G_GNUC_UNUSED, const LacPdeTerms *at, LacNode *residuals)
{
  LacNode            w = at->fields[W];
  const LacPlaneFlow flow = {.x_axis = X, .velocity = {at->fields[U], at->fields[V]}};
  LacNode drive = lac_quantity_wave(at->x, Y, at->coefficients[WAVE_NUMBER], LAC_SCALAR_COS);
  LacNode sum = lac_add(lac_derivative(w, T, 1), lac_transport(flow.velocity, w, X, 2));
  LacNode curl =
    lac_subtract(lac_derivative(at->fields[V], X, 1), lac_derivative(at->fields[U], Y, 1));

  drive = lac_quantity_times(at->coefficients[WAVE_NUMBER], drive);
  sum = lac_add(sum, lac_quantity_times(at->coefficients[FRICTION], lac_value(w)));
  sum = lac_add(sum, lac_quantity_times(at->coefficients[FORCE], drive));
  residuals[0] =
    lac_subtract(sum, lac_quantity_times(at->coefficients[VISCOSITY], lac_laplace(w, X, 2)));
  residuals[1] = lac_subtract(lac_value(w), curl);
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
  };
  LacNode all[LAC_BELTRAMI_N];

  lac_beltrami_exact(&flow, x, all);
  fields[U] = all[LAC_BELTRAMI_U];
  fields[V] = all[LAC_BELTRAMI_V];
  fields[W] = all[LAC_BELTRAMI_VORTICITY];
}

/* clang-format off */
const LacPde lac_pde_vorticity_2d = {
  .name = "vorticity-2d",
  .formula = "w_t + u w_x + v w_y - viscosity (w_xx + w_yy) + friction w + force k cos(k y) = 0; "
             "w - v_x + u_y = 0; u_x + v_y = 0",
  .n_axes = 3,
  .axes = {"t", "x", "y"},
  .orders = {1, 2, 2},
  .n_fields = 3,
  .fields = {"u", "v", "w"},
  .n_residuals = 3,
  .residual_names = {"vorticity", "definition of vorticity", "continuity"},
  .n_coefficients = 4,
  .coefficients = {"viscosity", "friction", "force", "wave_number"},
  .test_coefficients = {0.05, 0.1, 0.7, 2},
  .residuals = residuals,
  .exact = exact,
  .source = "Chandler, Kerswell (2013), doi:10.1017/jfm.2013.122, eq. 2.5",
};
/* clang-format on */
