/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heat conduction in a rod; the exact solution is the first mode of a rod of length 1 with ends at 0. */
#include "pde/pde.h"

enum { T, X };

static void
residuals(const LacPde *pde G_GNUC_UNUSED, const LacPdeTerms *at, LacNode *residuals)
{
  LacNode u = at->fields[0];

  residuals[0] = lac_subtract(lac_derivative(u, T, 1),
                              lac_quantity_times(at->coefficients[0], lac_derivative(u, X, 2)));
}

/* u = exp(-D pi^2 t) sin(pi x) */
static void
exact(const LacPde *pde G_GNUC_UNUSED, LacNode x, const double *coefficients, LacNode *fields)
{
  LacNode decay =
    lac_map(lac_scale(lac_columns(x, T, 1), -coefficients[0] * G_PI * G_PI), LAC_SCALAR_EXP);

  fields[0] = lac_multiply(decay, lac_map(lac_scale(lac_columns(x, X, 1), G_PI), LAC_SCALAR_SIN));
}

/* clang-format off */
const LacPde lac_pde_heat_1d = {
  .name = "heat-1d",
  .formula = "u_t - diffusivity u_xx = 0",
  .n_axes = 2,
  .axes = {"t", "x"},
  .orders = {1, 2},
  .n_fields = 1,
  .fields = {"u"},
  .n_residuals = 1,
  .residual_names = {"heat"},
  .n_coefficients = 1,
  .coefficients = {"diffusivity"},
  .test_coefficients = {0.4},
  .residuals = residuals,
  .exact = exact,
  .source = "Fourier (1822), Théorie analytique de la chaleur, chapter III",
};
/* clang-format on */
