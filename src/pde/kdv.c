/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Korteweg-de Vries equation; the exact solution is a soliton. */
#include "pde/operators-private.h"
#include "pde/pde.h"

#include <math.h>

enum { T, X };
enum { ADVECTION, DISPERSION };

static void
residuals(const LacPde *pde G_GNUC_UNUSED, const LacPdeTerms *at, LacNode *residuals)
{
  LacNode u = at->fields[0];
  LacNode carried = lac_quantity_times(at->coefficients[ADVECTION], lac_transport(&u, u, X, 1));
  LacNode dispersed = lac_quantity_times(at->coefficients[DISPERSION], lac_derivative(u, X, 3));

  residuals[0] = lac_add(lac_derivative(u, T, 1), lac_add(carried, dispersed));
}

/* u = 3 c / advection (1 - tanh^2(k (x - c t))), k = sqrt(c / dispersion) / 2 */
static void
exact(const LacPde *pde G_GNUC_UNUSED, LacNode x, const double *coefficients, LacNode *fields)
{
  static const double c = 0.4;
  const double        k = 0.5 * sqrt(c / coefficients[DISPERSION]);
  const double        factors[] = {-k * c, k};
  LacNode             front = lac_map(lac_combine_axes(x, factors, 2, 0), LAC_SCALAR_TANH);
  LacNode             hump = lac_offset(lac_scale(lac_map(front, LAC_SCALAR_SQUARE), -1), 1);

  fields[0] = lac_scale(hump, 3 * c / coefficients[ADVECTION]);
}

/* clang-format off */
const LacPde lac_pde_kdv = {
  .name = "kdv",
  .formula = "u_t + advection u u_x + dispersion u_xxx = 0",
  .n_axes = 2,
  .axes = {"t", "x"},
  .orders = {1, 3},
  .n_fields = 1,
  .fields = {"u"},
  .n_residuals = 1,
  .residual_names = {"wave"},
  .n_coefficients = 2,
  .coefficients = {"advection", "dispersion"},
  .test_coefficients = {1.1, 0.02},
  .residuals = residuals,
  .exact = exact,
  .source = "Korteweg, de Vries (1895), doi:10.1080/14786449508620739",
};
/* clang-format on */
