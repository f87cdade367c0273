/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heat conduction with a conductivity that is an unknown field in space; manufactured solution. */
#include "pde/operators-private.h"
#include "pde/pde.h"

enum { T, X, Y };
enum { U, CONDUCTIVITY };

static LacNode
wave(LacNode x, guint axis, LacScalar f)
{
  return lac_map(lac_scale(lac_columns(x, axis, 1), G_PI), f);
}

/* div(k grad u) = k laplace u + grad k . grad u; the conductivity is constant in time. */
static void
residuals(const LacPde *pde G_GNUC_UNUSED, const LacPdeTerms *at, LacNode *residuals)
{
  LacNode u = at->fields[U], k = at->fields[CONDUCTIVITY];
  LacNode slopes[] = {lac_derivative(k, X, 1), lac_derivative(k, Y, 1)};
  LacNode flow =
    lac_add(lac_multiply(lac_value(k), lac_laplace(u, X, 2)), lac_transport(slopes, u, X, 2));

  residuals[0] = lac_subtract(lac_derivative(u, T, 1), flow);
  residuals[1] = lac_derivative(k, T, 1);
}

/* u = exp(-t) sin(pi x) sin(pi y), k = 1 + (sin(pi x) + cos(pi y)) / 4 */
static void
exact(const LacPde *pde          G_GNUC_UNUSED,
      LacNode                    x,
      const double *coefficients G_GNUC_UNUSED,
      LacNode                   *fields)
{
  LacNode decay = lac_map(lac_scale(lac_columns(x, T, 1), -1), LAC_SCALAR_EXP);
  LacNode sin_x = wave(x, X, LAC_SCALAR_SIN);

  fields[U] = lac_multiply(decay, lac_multiply(sin_x, wave(x, Y, LAC_SCALAR_SIN)));
  fields[CONDUCTIVITY] = lac_offset(lac_scale(lac_add(sin_x, wave(x, Y, LAC_SCALAR_COS)), 0.25), 1);
}

/* Sources of this solution, with s = sin, c = cos of pi x and pi y:
 *   exp(-t) (-s_x s_y + 2 pi^2 k s_x s_y - pi^2 / 4 (c_x^2 s_y - s_y s_x c_y)). */
static void
sources(const LacPde *pde          G_GNUC_UNUSED,
        LacNode                    x,
        const double *coefficients G_GNUC_UNUSED,
        LacNode                   *sources)
{
  LacNode decay = lac_map(lac_scale(lac_columns(x, T, 1), -1), LAC_SCALAR_EXP);
  LacNode sx = wave(x, X, LAC_SCALAR_SIN), cx = wave(x, X, LAC_SCALAR_COS);
  LacNode sy = wave(x, Y, LAC_SCALAR_SIN), cy = wave(x, Y, LAC_SCALAR_COS);
  LacNode k = lac_offset(lac_scale(lac_add(sx, cy), 0.25), 1);
  LacNode product = lac_multiply(sx, sy);
  LacNode curved = lac_multiply(lac_offset(lac_scale(k, 2 * G_PI * G_PI), -1), product);
  LacNode sloped =
    lac_multiply(sy, lac_subtract(lac_map(cx, LAC_SCALAR_SQUARE), lac_multiply(sx, cy)));

  sources[0] = lac_multiply(decay, lac_subtract(curved, lac_scale(sloped, 0.25 * G_PI * G_PI)));
}

/* clang-format off */
const LacPde lac_pde_heat_2d_varying = {
  .name = "heat-2d-varying",
  .formula = "u_t - (k u_x)_x - (k u_y)_y - s = 0; k_t = 0",
  .n_axes = 3,
  .axes = {"t", "x", "y"},
  .orders = {1, 2, 2},
  .n_fields = 2,
  .fields = {"u", "k"},
  .n_residuals = 2,
  .residual_names = {"heat", "steady conductivity"},
  .residuals = residuals,
  .exact = exact,
  .sources = sources,
  .source = "Carslaw, Jaeger (1959), Conduction of Heat in Solids, 1.6 (3)",
};
/* clang-format on */
