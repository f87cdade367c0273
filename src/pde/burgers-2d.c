/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Burgers' equations in the plane; the exact solution is an oblique travelling front. */
#include "pde/operators-private.h"
#include "pde/pde.h"

enum { T, X, Y };
enum { ADVECTION, VISCOSITY };

static void
residuals(const LacPde *pde G_GNUC_UNUSED, const LacPdeTerms *at, LacNode *residuals)
{
  for (guint i = 0; i < 2; i++) {
    LacNode u = at->fields[i];
    LacNode carried =
      lac_quantity_times(at->coefficients[ADVECTION], lac_transport(at->fields, u, X, 2));
    LacNode spread = lac_quantity_times(at->coefficients[VISCOSITY], lac_laplace(u, X, 2));

    residuals[i] = lac_subtract(lac_add(lac_derivative(u, T, 1), carried), spread);
  }
}

/* u = 3/4 - 1 / (4 (1 + exp((-4x + 4y - t) / (32 nu)))), v = 3/2 - u solves it for advection 1; for advection s it is
 * u / s. */
static void
exact(const LacPde *pde G_GNUC_UNUSED, LacNode x, const double *coefficients, LacNode *fields)
{
  const double thickness = 32 * coefficients[VISCOSITY], scale = 1 / coefficients[ADVECTION];
  const double minus_phase[] = {1 / thickness, 4 / thickness, -4 / thickness};
  LacNode      front = lac_map(lac_combine_axes(x, minus_phase, 3, 0), LAC_SCALAR_SIGMOID);

  fields[0] = lac_scale(lac_offset(lac_scale(front, -0.25), 0.75), scale);
  fields[1] = lac_scale(lac_offset(lac_scale(front, 0.25), 0.75), scale);
}

/* clang-format off */
const LacPde lac_pde_burgers_2d = {
  .name = "burgers-2d",
  .formula = "u_t + advection (u u_x + v u_y) - viscosity (u_xx + u_yy) = 0; "
             "v_t + advection (u v_x + v v_y) - viscosity (v_xx + v_yy) = 0",
  .n_axes = 3,
  .axes = {"t", "x", "y"},
  .orders = {1, 2, 2},
  .n_fields = 2,
  .fields = {"u", "v"},
  .n_residuals = 2,
  .residual_names = {"momentum x", "momentum y"},
  .n_coefficients = 2,
  .coefficients = {"advection", "viscosity"},
  .test_coefficients = {1.3, 0.05},
  .residuals = residuals,
  .exact = exact,
  .source = "Fletcher (1983), doi:10.1002/fld.1650030302",
};
/* clang-format on */
