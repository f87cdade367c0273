/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boussinesq equations: plane flow with buoyant smoke. Manufactured solution: Taylor-Green vortices with a source
 * that cancels the buoyancy. */
#include "pde/operators-private.h"
#include "pde/plane-flow-private.h"

enum { T, X, Y };
enum { U, V, S, P };
enum { VISCOSITY, BUOYANCY, DIFFUSIVITY };

static void
residuals(const LacPde *pde G_GNUC_UNUSED, const LacPdeTerms *at, LacNode *residuals)
{
  LacNode            s = at->fields[S];
  const LacPlaneFlow flow = {
    .x_axis = X,
    .velocity = {at->fields[U], at->fields[V]},
    .pressure = at->fields[P],
    .advection = lac_number(1),
    .viscosity = at->coefficients[VISCOSITY],
    .density = lac_number(1),
  };
  LacNode carried = lac_add(lac_derivative(s, T, 1), lac_transport(flow.velocity, s, X, 2));

  residuals[0] = lac_plane_momentum(&flow, 0);
  residuals[1] = lac_subtract(lac_plane_momentum(&flow, 1),
                              lac_quantity_times(at->coefficients[BUOYANCY], lac_value(s)));
  residuals[2] = lac_plane_divergence(&flow);
  residuals[3] =
    lac_subtract(carried, lac_quantity_times(at->coefficients[DIFFUSIVITY], lac_laplace(s, X, 2)));
}

/* s = exp(-t) sin x cos y */
static LacNode
smoke(LacNode x)
{
  LacNode decay = lac_map(lac_scale(lac_columns(x, T, 1), -1), LAC_SCALAR_EXP);
  LacNode wave = lac_multiply(lac_map(lac_columns(x, X, 1), LAC_SCALAR_SIN),
                              lac_map(lac_columns(x, Y, 1), LAC_SCALAR_COS));

  return lac_multiply(decay, wave);
}

static void
exact(const LacPde *pde G_GNUC_UNUSED, LacNode x, const double *coefficients, LacNode *fields)
{
  LacNode flow[3];

  lac_taylor_green_exact(x, coefficients[VISCOSITY], 1, flow);
  fields[U] = flow[0];
  fields[V] = flow[1];
  fields[P] = flow[2];
  fields[S] = smoke(x);
}

/* Sources of this solution: -buoyancy s along y, and (2 diffusivity - 1) s + exp(-(2 viscosity + 1) t) sin(2y) / 2
 * for smoke. */
static void
sources(const LacPde *pde G_GNUC_UNUSED, LacNode x, const double *coefficients, LacNode *sources)
{
  const double rate = 2 * coefficients[VISCOSITY] + 1;
  LacNode      decay = lac_map(lac_scale(lac_columns(x, T, 1), -rate), LAC_SCALAR_EXP);
  LacNode      wave = lac_map(lac_scale(lac_columns(x, Y, 1), 2), LAC_SCALAR_SIN);
  LacNode      s = smoke(x);

  sources[1] = lac_scale(s, -coefficients[BUOYANCY]);
  sources[3] = lac_add(lac_scale(s, 2 * coefficients[DIFFUSIVITY] - 1),
                       lac_scale(lac_multiply(decay, wave), 0.5));
}

/* clang-format off */
const LacPde lac_pde_boussinesq = {
  .name = "boussinesq",
  .formula = "u_t + u u_x + v u_y + p_x - viscosity (u_xx + u_yy) = 0; "
             "v_t + u v_x + v v_y + p_y - viscosity (v_xx + v_yy) - buoyancy s = 0; "
             "u_x + v_y = 0; s_t + u s_x + v s_y - diffusivity (s_xx + s_yy) = 0",
  .n_axes = 3,
  .axes = {"t", "x", "y"},
  .orders = {1, 2, 2},
  .n_fields = 4,
  .fields = {"u", "v", "s", "p"},
  .n_residuals = 4,
  .residual_names = {"momentum x", "momentum y", "continuity", "smoke"},
  .n_coefficients = 3,
  .coefficients = {"viscosity", "buoyancy", "diffusivity"},
  .test_coefficients = {0.05, 0.8, 0.03},
  .residuals = residuals,
  .exact = exact,
  .sources = sources,
  .source = "Boussinesq (1903), Théorie analytique de la chaleur, vol. 2",
};
/* clang-format on */
