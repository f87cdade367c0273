/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advection and diffusion of a tracer in the plane; the exact solution is the product of a packet along x and one
 * along y. */
#include "pde/operators-private.h"
#include "pde/pde.h"

enum { T, X, Y };
enum { SPEED_X, SPEED_Y, DIFFUSIVITY };

static void
residuals(const LacPde *pde G_GNUC_UNUSED, const LacPdeTerms *at, LacNode *residuals)
{
  LacNode u = at->fields[0];
  LacNode along_x = lac_quantity_times(at->coefficients[SPEED_X], lac_derivative(u, X, 1));
  LacNode along_y = lac_quantity_times(at->coefficients[SPEED_Y], lac_derivative(u, Y, 1));
  LacNode spread = lac_quantity_times(at->coefficients[DIFFUSIVITY], lac_laplace(u, X, 2));

  residuals[0] = lac_subtract(lac_add(lac_derivative(u, T, 1), lac_add(along_x, along_y)), spread);
}

static void
exact(const LacPde *pde G_GNUC_UNUSED, LacNode x, const double *coefficients, LacNode *fields)
{
  const LacPacket along_x = {0.7, coefficients[SPEED_X], coefficients[DIFFUSIVITY]};
  const LacPacket along_y = {0.9, coefficients[SPEED_Y], coefficients[DIFFUSIVITY]};

  fields[0] =
    lac_multiply(lac_periodic_packet(x, X, &along_x), lac_periodic_packet(x, Y, &along_y));
}

/* clang-format off */
const LacPde lac_pde_advection_diffusion_2d = {
  .name = "advection-diffusion-2d",
  .formula = "u_t + speed_x u_x + speed_y u_y - diffusivity (u_xx + u_yy) = 0",
  .n_axes = 3,
  .axes = {"t", "x", "y"},
  .orders = {1, 2, 2},
  .n_fields = 1,
  .fields = {"u"},
  .n_residuals = 1,
  .residual_names = {"transport"},
  .n_coefficients = 3,
  .coefficients = {"speed_x", "speed_y", "diffusivity"},
  .test_coefficients = {0.8, -0.5, 0.05},
  .residuals = residuals,
  .exact = exact,
  .source = "Crank (1975), The Mathematics of Diffusion, 2.2",
};
/* clang-format on */
