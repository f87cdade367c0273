/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kovasznay's steady wake behind a grid. Source: Kovasznay (1948), doi:10.1017/S0305004100023999. */
#include "experiment/flow/truth/exact.h"

#include <glib/gi18n-lib.h>

#include <math.h>

enum { X, Y };
enum { U, V, P };
enum { VISCOSITY };

typedef struct {
  LacExactParams exact;
  double         reynolds;
  gint64         viscosity_unknown;
  double         viscosity_guess;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, reynolds), LAC_PARAM_REAL, "1", 5, 1000, 40, N_("Reynolds number"), N_("Scene"), N_("1 / viscosity, based on the mean velocity and the spacing of the grid bars")},
  LAC_EXACT_GRID_ROW(Params, 64),
  LAC_EXACT_FAMILY_ROW(Params, 12),
  LAC_EXACT_GIVEN_STEADY_ROW(Params, LAC_GIVEN_ALL),
  LAC_EXACT_UNKNOWN_ROWS(Params, viscosity, N_("Viscosity unknown"), 2),
};
/* clang-format on */

static const LacDefault defaults[] = {{"sensors", "8"}, {"width", "32"}, {NULL, NULL}};

static void
solution(const LacCase *subject, const double *x, double *values)
{
  const double half = 0.5 / subject->coefficients[VISCOSITY];
  const double z = half - sqrt(half * half + 4 * G_PI * G_PI);

  values[U] = 1 - exp(z * x[X]) * cos(2 * G_PI * x[Y]);
  values[V] = z / (2 * G_PI) * exp(z * x[X]) * sin(2 * G_PI * x[Y]);
  values[P] = 0.5 * (1 - exp(2 * z * x[X]));
}

static const LacExactScene exact = {
  .solution = solution,
  .given_fields = 1 << U | 1 << V,
  .family_coefficient = VISCOSITY,
};

static void
configure(gconstpointer values, LacCase *subject)
{
  const Params *params = values;

  subject->pde = lac_pde_find("navier-stokes-2d-steady");
  subject->steady = TRUE;
  subject->lower[X] = subject->lower[Y] = -0.5;
  subject->upper[X] = 1;
  subject->upper[Y] = 1.5;
  lac_case_set_sought(subject, VISCOSITY, 1 / params->reynolds, params->viscosity_unknown != 0,
                      params->viscosity_guess);
  lac_exact_configure(&exact, subject);
  subject->gauged = 1 << P;
}

const LacScene lac_scene_kovasznay = {
  .name = "kovasznay",
  .title = N_("Kovasznay flow"),
  .summary = N_("A steady wake with its pressure and viscosity, from a few velocity sensors"),
  .source = "Kovasznay (1948), doi:10.1017/S0305004100023999",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .fields = "u,v,p",
  .measured = "u,v",
  .methods = "pod",
  .offered = "pinn,pod",
  .defaults = defaults,
  .precision = "f64",
  .configure = configure,
  .truth = lac_exact_truth,
  .exact = lac_exact_of_equation,
  .estimate = lac_exact_estimate,
};
