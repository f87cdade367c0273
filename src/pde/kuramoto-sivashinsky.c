/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kuramoto-Sivashinsky equation; the exact solution is a travelling shock. */
#include "pde/operators-private.h"
#include "pde/pde.h"

#include <math.h>

enum { T, X };
enum { ADVECTION, INSTABILITY, DAMPING };

static void
residuals(const LacPde *pde G_GNUC_UNUSED, const LacPdeTerms *at, LacNode *residuals)
{
  LacNode u = at->fields[0];
  LacNode carried = lac_quantity_times(at->coefficients[ADVECTION], lac_transport(&u, u, X, 1));
  LacNode driven = lac_quantity_times(at->coefficients[INSTABILITY], lac_derivative(u, X, 2));
  LacNode damped = lac_quantity_times(at->coefficients[DAMPING], lac_derivative(u, X, 4));

  residuals[0] = lac_add(lac_add(lac_derivative(u, T, 1), carried), lac_add(driven, damped));
}

/* With all coefficients 1: U = c + 15/19 sqrt(11/19) (11 h^3 - 9 h), h = tanh(sqrt(11/19) (X - c T) / 2).
 *   Otherwise u = A U(a x, b t), a = sqrt(instability / damping), b = instability^2 / damping, A = b / (advection
 * a). */
static void
exact(const LacPde *pde G_GNUC_UNUSED, LacNode x, const double *coefficients, LacNode *fields)
{
  static const double c = 0.5;
  const double        a = sqrt(coefficients[INSTABILITY] / coefficients[DAMPING]);
  const double b = coefficients[INSTABILITY] * coefficients[INSTABILITY] / coefficients[DAMPING];
  const double root = sqrt(11.0 / 19.0), factors[] = {-root / 2 * c * b, root / 2 * a};
  LacNode      h = lac_map(lac_combine_axes(x, factors, 2, 0), LAC_SCALAR_TANH);
  LacNode      step = lac_multiply(h, lac_offset(lac_scale(lac_map(h, LAC_SCALAR_SQUARE), 11), -9));

  step = lac_offset(lac_scale(step, 15.0 / 19.0 * root), c);
  fields[0] = lac_scale(step, b / (coefficients[ADVECTION] * a));
}

/* clang-format off */
const LacPde lac_pde_kuramoto_sivashinsky = {
  .name = "kuramoto-sivashinsky",
  .formula = "u_t + advection u u_x + instability u_xx + damping u_xxxx = 0",
  .n_axes = 2,
  .axes = {"t", "x"},
  .orders = {1, 4},
  .n_fields = 1,
  .fields = {"u"},
  .n_residuals = 1,
  .residual_names = {"flame front"},
  .n_coefficients = 3,
  .coefficients = {"advection", "instability", "damping"},
  .test_coefficients = {1.2, 0.9, 0.8},
  .residuals = residuals,
  .exact = exact,
  .source = "Kuramoto, Tsuzuki (1976), doi:10.1143/PTP.55.356",
};
/* clang-format on */
