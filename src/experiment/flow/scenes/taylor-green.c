/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decaying Taylor-Green vortices: velocity, hidden pressure and viscosity. Source: Taylor, Green (1937),
 * doi:10.1098/rspa.1937.0036. */
#include "experiment/flow/scenes/checks.h"
#include "experiment/flow/truth/exact.h"

#include <glib/gi18n-lib.h>

#include <math.h>

enum { T, X, Y };
enum { U, V, P };
enum { ADVECTION, VISCOSITY, DENSITY };

typedef struct {
  LacExactParams exact;
  double         viscosity;
  gint64         viscosity_unknown;
  double         viscosity_guess;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, viscosity), LAC_PARAM_REAL, "1", 1e-4, 1, 0.05, N_("Viscosity"), N_("Scene"), N_("ν, with vortices of velocity 1 on a square of side 2π")},
  LAC_EXACT_GRID_ROW(Params, 48),
  LAC_EXACT_DURATION_ROW(Params, 20, 2),
  LAC_EXACT_FAMILY_ROW(Params, 8),
  LAC_EXACT_GIVEN_ROW(Params, LAC_GIVEN_ALL),
  LAC_EXACT_TIMES_ROW(Params, 40),
  LAC_EXACT_UNKNOWN_ROWS(Params, viscosity, N_("Viscosity unknown"), 2),
};
/* clang-format on */

static const LacDefault defaults[] = {{"sensors", "8"}, {"width", "32"}, {NULL, NULL}};

static void
solution(const LacCase *subject, const double *x, double *values)
{
  const double decay = exp(-2 * subject->coefficients[VISCOSITY] * x[T]);

  values[U] = cos(x[X]) * sin(x[Y]) * decay;
  values[V] = -sin(x[X]) * cos(x[Y]) * decay;
  values[P] = -0.25 * (cos(2 * x[X]) + cos(2 * x[Y])) * decay * decay;
}

static const LacExactScene exact = {
  .solution = solution,
  .given_fields = 1 << U | 1 << V,
  .family_coefficient = VISCOSITY,
};

static gboolean
check(gconstpointer values, GError **error)
{
  return lac_scene_check_grid(((const Params *) values)->exact.grid, error);
}

static void
configure(gconstpointer values, LacCase *subject)
{
  static const int coefficients[] = {VISCOSITY};
  const Params    *params = values;

  subject->pde = lac_pde_find("navier-stokes-2d");
  subject->upper[X] = subject->upper[Y] = 2 * G_PI;
  subject->periodic[X] = subject->periodic[Y] = TRUE;
  lac_case_set_known(subject, ADVECTION, 1);
  lac_case_set_known(subject, DENSITY, 1);
  lac_case_set_sought(subject, VISCOSITY, params->viscosity, params->viscosity_unknown != 0,
                      params->viscosity_guess);
  lac_exact_configure(&exact, subject);
  subject->gauged = 1 << P;
  lac_exact_set_solver(subject, "navier-stokes-2d", 4, coefficients);
}

const LacScene lac_scene_taylor_green = {
  .name = "taylor-green",
  .title = N_("Taylor-Green vortices"),
  .summary = N_("Decaying vortices with their pressure and viscosity, from a few velocity sensors"),
  .source = "Taylor, Green (1937), doi:10.1098/rspa.1937.0036",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .fields = "u,v,p",
  .measured = "u,v",
  .methods = "solver,enkf,pod",
  .offered = "pinn,solver,enkf,pod,surrogate,ienks",
  .defaults = defaults,
  .precision = "f64",
  .check = check,
  .configure = configure,
  .truth = lac_exact_truth,
  .exact = lac_exact_of_equation,
  .estimate = lac_exact_estimate,
};
