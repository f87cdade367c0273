/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heat conduction in the plane; the exact solution is a sum of waves of period 2 pi, each decaying at its own rate. */
#include "pde/operators-private.h"
#include "pde/pde.h"

enum { T, X, Y };

typedef struct {
  int    kx, ky;
  double amplitude, phase;
} Mode;

static const Mode modes[] = {
  {1, 0, 1.0, 0.3}, {0, 1, 0.8, 1.1}, {1, 1, 0.7, 2.0}, {2, -1, 0.5, 0.6}, {1, 2, 0.4, 4.0},
};

static void
residuals(const LacPde *pde G_GNUC_UNUSED, const LacPdeTerms *at, LacNode *residuals)
{
  LacNode u = at->fields[0];

  residuals[0] = lac_subtract(lac_derivative(u, T, 1),
                              lac_quantity_times(at->coefficients[0], lac_laplace(u, X, 2)));
}

/* u = sum_k a_k exp(-D |k|^2 t) cos(k . x + phase_k) */
static void
exact(const LacPde *pde G_GNUC_UNUSED, LacNode x, const double *coefficients, LacNode *fields)
{
  LacNode t = lac_columns(x, T, 1), sum = LAC_NO_NODE;

  for (gsize i = 0; i < G_N_ELEMENTS(modes); i++) {
    const Mode  *mode = &modes[i];
    const double wave[] = {0, mode->kx, mode->ky};
    const double square = mode->kx * mode->kx + mode->ky * mode->ky;
    LacNode      decay = lac_map(lac_scale(t, -coefficients[0] * square), LAC_SCALAR_EXP);
    LacNode      term =
      lac_multiply(decay, lac_map(lac_combine_axes(x, wave, 3, mode->phase), LAC_SCALAR_COS));

    term = lac_scale(term, mode->amplitude);
    sum = sum.graph ? lac_add(sum, term) : term;
  }
  fields[0] = sum;
}

/* clang-format off */
const LacPde lac_pde_heat_2d = {
  .name = "heat-2d",
  .formula = "u_t - diffusivity (u_xx + u_yy) = 0",
  .n_axes = 3,
  .axes = {"t", "x", "y"},
  .orders = {1, 2, 2},
  .n_fields = 1,
  .fields = {"u"},
  .n_residuals = 1,
  .residual_names = {"heat"},
  .n_coefficients = 1,
  .coefficients = {"diffusivity"},
  .test_coefficients = {0.5},
  .residuals = residuals,
  .exact = exact,
  .source = "Fourier (1822), Théorie analytique de la chaleur, chapter IV",
};
/* clang-format on */
