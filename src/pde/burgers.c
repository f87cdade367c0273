/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Burgers' equation in one dimension; the exact solution is the travelling front
 *   u = c - a tanh(a (x - c t) / (2 nu)). */
#include "pde/burgers.h"

#include "pde/pde.h"

enum { T, X };

static void
residuals(const LacPde *pde G_GNUC_UNUSED, const LacPdeTerms *at, LacNode *residuals)
{
  LacNode u = at->fields[0];
  LacNode advection = lac_multiply(lac_value(u), lac_derivative(u, X, 1));
  LacNode diffusion = lac_quantity_times(at->coefficients[1], lac_derivative(u, X, 2));

  advection = lac_quantity_times(at->coefficients[0], advection);
  residuals[0] = lac_subtract(lac_add(lac_derivative(u, T, 1), advection), diffusion);
}

/* The front of u_t + s u u_x = nu u_xx follows from the one for s = 1 by u -> u / s. */
static void
exact(const LacPde *pde G_GNUC_UNUSED, LacNode x, const double *coefficients, LacNode *fields)
{
  static const double a = 0.8, c = 0.3;
  LacNode moved = lac_subtract(lac_columns(x, X, 1), lac_scale(lac_columns(x, T, 1), c));
  LacNode front = lac_map(lac_scale(moved, a / (2 * coefficients[1])), LAC_SCALAR_TANH);

  fields[0] = lac_scale(lac_offset(lac_scale(front, -a), c), 1 / coefficients[0]);
}

/* clang-format off */
const LacPde lac_pde_burgers = {
  .name = "burgers",
  .formula = "u_t + advection u u_x - viscosity u_xx = 0",
  .n_axes = 2,
  .axes = {"t", "x"},
  .orders = {1, 2},
  .n_fields = 1,
  .fields = {"u"},
  .n_residuals = 1,
  .residual_names = {"momentum"},
  .n_coefficients = 2,
  .coefficients = {"advection", "viscosity"},
  .test_coefficients = {1.3, 0.1},
  .residuals = residuals,
  .exact = exact,
  .source = "Burgers (1948), doi:10.1016/S0065-2156(08)70100-5",
};
/* clang-format on */
