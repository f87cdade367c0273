/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advection and diffusion of a tracer; the exact solution is a packet with period 2 pi. */
#include "pde/operators-private.h"
#include "pde/pde.h"

enum { T, X };
enum { SPEED, DIFFUSIVITY };

static void
residuals(const LacPde *pde G_GNUC_UNUSED, const LacPdeTerms *at, LacNode *residuals)
{
  LacNode u = at->fields[0];
  LacNode carried = lac_quantity_times(at->coefficients[SPEED], lac_derivative(u, X, 1));
  LacNode spread = lac_quantity_times(at->coefficients[DIFFUSIVITY], lac_derivative(u, X, 2));

  residuals[0] = lac_subtract(lac_add(lac_derivative(u, T, 1), carried), spread);
}

static void
exact(const LacPde *pde G_GNUC_UNUSED, LacNode x, const double *coefficients, LacNode *fields)
{
  const LacPacket packet = {0.5, coefficients[SPEED], coefficients[DIFFUSIVITY]};

  fields[0] = lac_periodic_packet(x, X, &packet);
}

/* clang-format off */
const LacPde lac_pde_advection_diffusion_1d = {
  .name = "advection-diffusion-1d",
  .formula = "u_t + speed u_x - diffusivity u_xx = 0",
  .n_axes = 2,
  .axes = {"t", "x"},
  .orders = {1, 2},
  .n_fields = 1,
  .fields = {"u"},
  .n_residuals = 1,
  .residual_names = {"transport"},
  .n_coefficients = 2,
  .coefficients = {"speed", "diffusivity"},
  .test_coefficients = {1.2, 0.05},
  .residuals = residuals,
  .exact = exact,
  .source = "Crank (1975), The Mathematics of Diffusion, 2.2",
};
/* clang-format on */
