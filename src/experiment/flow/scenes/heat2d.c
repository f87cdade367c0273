/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heat conduction in a periodic square: waves that decay, each at its own rate. Source: Fourier (1822). */
#include "experiment/flow/truth/exact.h"

#include <glib/gi18n-lib.h>

#include <math.h>

enum { T, X, Y };

typedef struct {
  LacExactParams exact;
  double         diffusivity;
  gint64         diffusivity_unknown;
  double         diffusivity_guess;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, diffusivity), LAC_PARAM_REAL, "1", 1e-3, 10, 1, N_("Diffusivity"), N_("Scene"), N_("D in u_t = D (u_xx + u_yy) on a square of side 2π")},
  LAC_EXACT_GRID_ROW(Params, 48),
  LAC_EXACT_DURATION_ROW(Params, 10, 0.5),
  LAC_EXACT_FAMILY_ROW(Params, 8),
  LAC_EXACT_GIVEN_ROW(Params, LAC_GIVEN_ALL),
  LAC_EXACT_TIMES_ROW(Params, 40),
  LAC_EXACT_UNKNOWN_ROWS(Params, diffusivity, N_("Diffusivity unknown"), 2),
};

/* The solution of pde/heat-2d.c. */
static const struct { double kx, ky, amplitude, phase; } modes[] = {
  {1, 0, 1.0, 0.3}, {0, 1, 0.8, 1.1}, {1, 1, 0.7, 2.0}, {2, -1, 0.5, 0.6}, {1, 2, 0.4, 4.0},
};
/* clang-format on */

/* The initial condition is known: a smoother could only blame it for a wrong diffusivity. */
static const LacDefault defaults[] = {{"sensors", "8"},
                                      {"width", "32"},
                                      {"lag", "0"},
                                      {NULL, NULL}};

static void
solution(const LacCase *subject, const double *x, double *values)
{
  values[0] = 0;
  for (gsize i = 0; i < G_N_ELEMENTS(modes); i++) {
    const double square = modes[i].kx * modes[i].kx + modes[i].ky * modes[i].ky;

    values[0] += modes[i].amplitude * exp(-subject->coefficients[0] * square * x[T]) *
                 cos(modes[i].kx * x[X] + modes[i].ky * x[Y] + modes[i].phase);
  }
}

static const LacExactScene exact = {
  .solution = solution,
  .given_fields = 1,
};

static void
configure(gconstpointer values, LacCase *subject)
{
  static const int coefficients[] = {0};
  const Params    *params = values;

  subject->pde = lac_pde_find("heat-2d");
  subject->upper[X] = subject->upper[Y] = 2 * G_PI;
  subject->periodic[X] = subject->periodic[Y] = TRUE;
  lac_case_set_sought(subject, 0, params->diffusivity, params->diffusivity_unknown != 0,
                      params->diffusivity_guess);
  lac_exact_configure(&exact, subject);
  lac_exact_set_solver(subject, "heat-2d", 1, coefficients);
}

const LacScene lac_scene_heat2d = {
  .name = "heat2d",
  .title = N_("Heat in a plate"),
  .summary = N_("The temperature of a plate, its initial condition and its diffusivity, from a few "
                "thermometers"),
  .source = "Fourier (1822), Théorie analytique de la chaleur, chapter IV",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .fields = "u",
  .measured = "u",
  .methods = "solver,pod",
  .offered = "solver,enkf,pinn,pod,surrogate",
  .defaults = defaults,
  .precision = "f64",
  .configure = configure,
  .truth = lac_exact_truth,
  .exact = lac_exact_of_equation,
  .estimate = lac_exact_estimate,
};
