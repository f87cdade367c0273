/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Burgers' equation in one dimension; its exact solution here is the travelling front
 *   u = c - a tanh(a (x - c t) / (2 nu)). */
#include "pde/burgers.h"

#include "pde/pde.h"

enum { T, X };

static LacNode
residual(LacNode u, const double *coefficients)
{
  LacNode advection = lac_multiply(lac_value(u), lac_derivative(u, X, 1));
  LacNode diffusion = lac_scale(lac_derivative(u, X, 2), coefficients[0]);

  return lac_subtract(lac_add(lac_derivative(u, T, 1), advection), diffusion);
}

static LacNode
exact(LacNode x, const double *coefficients)
{
  static const double a = 0.8, c = 0.3;
  LacNode moved = lac_subtract(lac_columns(x, X, 1), lac_scale(lac_columns(x, T, 1), c));
  LacNode front = lac_map(lac_scale(moved, a / (2 * coefficients[0])), LAC_SCALAR_TANH);

  return lac_offset(lac_scale(front, -a), c);
}

const LacPde lac_pde_burgers = {
  .name = "burgers",
  .formula = "u_t + u u_x - viscosity u_xx = 0",
  .n_axes = 2,
  .axes = {"t",         "x"},
  .orders = {1,           2},
  .n_coefficients = 1,
  .coefficients = {"viscosity"},
  .test_coefficients = {0.1},
  .residual = residual,
  .exact = exact,
  .source = "Burgers (1948), doi:10.1016/S0065-2156(08)70100-5",
};
