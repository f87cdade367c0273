/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allen-Cahn equation: two phases and their interface; the exact solution is a front propagating into the unstable
 * state. */
#include "pde/operators-private.h"
#include "pde/pde.h"

#include <math.h>

enum { T, X };
enum { DIFFUSIVITY, REACTION };

static void
residuals(const LacPde *pde G_GNUC_UNUSED, const LacPdeTerms *at, LacNode *residuals)
{
  LacNode u = at->fields[0], value = lac_value(u);
  LacNode well = lac_multiply(value, lac_offset(lac_map(value, LAC_SCALAR_SQUARE), -1));
  LacNode spread = lac_quantity_times(at->coefficients[DIFFUSIVITY], lac_derivative(u, X, 2));

  well = lac_quantity_times(at->coefficients[REACTION], well);
  residuals[0] = lac_add(lac_subtract(lac_derivative(u, T, 1), spread), well);
}

/* u = (1 - tanh(k (x - c t))) / 2, k = sqrt(reaction / (8 diffusivity)), k c = 3 reaction / 4 */
static void
exact(const LacPde *pde G_GNUC_UNUSED, LacNode x, const double *coefficients, LacNode *fields)
{
  const double k = sqrt(coefficients[REACTION] / (8 * coefficients[DIFFUSIVITY]));
  const double factors[] = {-0.75 * coefficients[REACTION], k};
  LacNode      front = lac_map(lac_combine_axes(x, factors, 2, 0), LAC_SCALAR_TANH);

  fields[0] = lac_offset(lac_scale(front, -0.5), 0.5);
}

/* clang-format off */
const LacPde lac_pde_allen_cahn = {
  .name = "allen-cahn",
  .formula = "u_t - diffusivity u_xx + reaction (u^3 - u) = 0",
  .n_axes = 2,
  .axes = {"t", "x"},
  .orders = {1, 2},
  .n_fields = 1,
  .fields = {"u"},
  .n_residuals = 1,
  .residual_names = {"phase"},
  .n_coefficients = 2,
  .coefficients = {"diffusivity", "reaction"},
  .test_coefficients = {0.1, 1.3},
  .residuals = residuals,
  .exact = exact,
  .source = "Allen, Cahn (1979), doi:10.1016/0001-6160(79)90196-2",
};
/* clang-format on */
