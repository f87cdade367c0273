/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heat conduction in a rod of length 1 with ends at 0, from a few thermometers. Source: Fourier (1822). */
#include "experiment/flow/truth/exact.h"

#include <glib/gi18n-lib.h>

#include <math.h>

enum { T, X };

typedef struct {
  LacExactParams exact;
  double         diffusivity;
  gint64         diffusivity_unknown;
  double         diffusivity_guess;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, diffusivity), LAC_PARAM_REAL, "1", 1e-4, 10, 0.1, N_("Diffusivity"), N_("Scene"), N_("D in u_t = D u_xx")},
  LAC_EXACT_GRID_ROW(Params, 64),
  LAC_EXACT_DURATION_ROW(Params, 10, 1),
  LAC_EXACT_FAMILY_ROW(Params, 8),
  LAC_EXACT_GIVEN_ROW(Params, LAC_GIVEN_ALL),
  LAC_EXACT_TIMES_ROW(Params, 50),
  LAC_EXACT_UNKNOWN_ROWS(Params, diffusivity, N_("Diffusivity unknown"), 2),
};
/* clang-format on */

/* The initial condition is known: a smoother could only blame it for a wrong diffusivity. */
static const LacDefault defaults[] = {{"sensors", "4"}, {"lag", "0"}, {NULL, NULL}};

static void
solution(const LacCase *subject, const double *x, double *values)
{
  values[0] = exp(-subject->coefficients[0] * G_PI * G_PI * x[T]) * sin(G_PI * x[X]);
}

/* u = sin(pi x) + t x (1 - x) N */
static void
hard(const LacCase *subject G_GNUC_UNUSED, LacNode x, LacNode *outputs)
{
  LacNode place = lac_columns(x, X, 1);
  LacNode inside = lac_multiply(place, lac_offset(lac_scale(place, -1), 1));
  LacNode start = lac_map(lac_scale(place, G_PI), LAC_SCALAR_SIN);

  outputs[0] = lac_add(start, lac_multiply(lac_multiply(lac_columns(x, T, 1), inside), outputs[0]));
}

static const LacExactScene exact = {
  .solution = solution,
  .given_fields = 1,
  .hard = hard,
};

static void
configure(gconstpointer values, LacCase *subject)
{
  static const int coefficients[] = {0};
  const Params    *params = values;

  subject->pde = lac_pde_find("heat-1d");
  subject->upper[X] = 1;
  lac_case_set_sought(subject, 0, params->diffusivity, params->diffusivity_unknown != 0,
                      params->diffusivity_guess);
  lac_exact_configure(&exact, subject);
  lac_exact_set_solver(subject, "heat-1d", 1, coefficients);
}

const LacScene lac_scene_heat1d = {
  .name = "heat1d",
  .title = N_("Heat in a rod"),
  .summary = N_("The temperature along a rod and its diffusivity, from a few thermometers"),
  .source = "Fourier (1822), Théorie analytique de la chaleur, chapter III",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .fields = "u",
  .measured = "u",
  .methods = "solver,pod",
  .offered = "pinn,pod,enkf,solver,surrogate",
  .defaults = defaults,
  .precision = "f64",
  .configure = configure,
  .truth = lac_exact_truth,
  .exact = lac_exact_of_equation,
  .estimate = lac_exact_estimate,
};
