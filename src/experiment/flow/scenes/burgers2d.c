/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Potential Burgers flow in a periodic square: the Cole-Hopf transform of a solution of the heat equation.
 * Source: Cole (1951), doi:10.1090/qam/42889. */
#include "experiment/flow/truth/exact.h"

#include <glib/gi18n-lib.h>

#include <math.h>

enum { T, X, Y };
enum { ADVECTION, VISCOSITY };

typedef struct {
  LacExactParams exact;
  double         viscosity;
  gint64         viscosity_unknown;
  double         viscosity_guess;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, viscosity), LAC_PARAM_REAL, "1", 1e-3, 10, 0.1, N_("Viscosity"), N_("Scene"), N_("ν in u_t + (u · grad) u = ν laplace u on a square of side 2π; velocities scale with it")},
  LAC_EXACT_GRID_ROW(Params, 48),
  LAC_EXACT_DURATION_ROW(Params, 20, 2),
  LAC_EXACT_FAMILY_ROW(Params, 8),
  LAC_EXACT_GIVEN_ROW(Params, LAC_GIVEN_ALL),
  LAC_EXACT_TIMES_ROW(Params, 40),
  LAC_EXACT_UNKNOWN_ROWS(Params, viscosity, N_("Viscosity unknown"), 0.5),
};

/* phi = 1 + sum of amplitude exp(-nu k^2 t) cos(k . x + phase) > 0 */
static const struct { double kx, ky, amplitude, phase; } modes[] = {
  {1, 0, 0.30, 0.4}, {0, 1, 0.25, 1.3}, {1, 1, 0.20, 2.2}, {2, -1, 0.10, 0.1},
};
/* clang-format on */

static const LacDefault defaults[] = {{"sensors", "8"}, {"width", "32"}, {NULL, NULL}};

/* (u, v) = -2 nu grad(phi) / phi */
static void
solution(const LacCase *subject, const double *x, double *values)
{
  const double nu = subject->coefficients[VISCOSITY];
  double       phi = 1, slopes[2] = {0, 0};

  for (gsize i = 0; i < G_N_ELEMENTS(modes); i++) {
    const double square = modes[i].kx * modes[i].kx + modes[i].ky * modes[i].ky;
    const double size = modes[i].amplitude * exp(-nu * square * x[T]);
    const double angle = modes[i].kx * x[X] + modes[i].ky * x[Y] + modes[i].phase;

    phi += size * cos(angle);
    slopes[0] -= modes[i].kx * size * sin(angle);
    slopes[1] -= modes[i].ky * size * sin(angle);
  }
  values[0] = -2 * nu * slopes[0] / phi;
  values[1] = -2 * nu * slopes[1] / phi;
}

static LacNode
add(LacNode sum, LacNode term)
{
  return sum.graph ? lac_add(sum, term) : term;
}

static void
build_solution(const LacCase *subject, LacNode x, LacNode *fields)
{
  const double nu = subject->coefficients[VISCOSITY];
  LacNode      t = lac_columns(x, T, 1), across = lac_columns(x, X, 1), up = lac_columns(x, Y, 1);
  LacNode      phi = LAC_NO_NODE, slopes[2] = {LAC_NO_NODE, LAC_NO_NODE};

  for (gsize i = 0; i < G_N_ELEMENTS(modes); i++) {
    const double k[] = {modes[i].kx, modes[i].ky};
    LacNode      size = lac_map(lac_scale(t, -nu * (k[0] * k[0] + k[1] * k[1])), LAC_SCALAR_EXP);
    LacNode      angle =
      lac_offset(lac_add(lac_scale(across, k[0]), lac_scale(up, k[1])), modes[i].phase);
    LacNode slope;

    size = lac_scale(size, modes[i].amplitude);
    phi = add(phi, lac_multiply(size, lac_map(angle, LAC_SCALAR_COS)));
    slope = lac_multiply(size, lac_map(angle, LAC_SCALAR_SIN));
    for (guint j = 0; j < 2; j++)
      slopes[j] = add(slopes[j], lac_scale(slope, 2 * nu * k[j]));
  }
  phi = lac_map(lac_offset(phi, 1), LAC_SCALAR_RECIPROCAL);
  for (guint j = 0; j < 2; j++)
    fields[j] = lac_multiply(slopes[j], phi);
}

static const LacExactScene exact = {
  .solution = solution,
  .given_fields = 3,
  .family_coefficient = VISCOSITY,
};

static void
configure(gconstpointer values, LacCase *subject)
{
  static const int coefficients[] = {VISCOSITY};
  const Params    *params = values;

  subject->pde = lac_pde_find("burgers-2d");
  subject->upper[X] = subject->upper[Y] = 2 * G_PI;
  subject->periodic[X] = subject->periodic[Y] = TRUE;
  lac_case_set_known(subject, ADVECTION, 1);
  lac_case_set_sought(subject, VISCOSITY, params->viscosity, params->viscosity_unknown != 0,
                      params->viscosity_guess);
  lac_exact_configure(&exact, subject);
  subject->irrotational = TRUE;
  lac_exact_set_solver(subject, "burgers-2d", 2, coefficients);
}

const LacScene lac_scene_burgers2d = {
  .name = "burgers2d",
  .title = N_("Burgers flow in the plane"),
  .summary = N_("A flow that steepens and decays, with its viscosity, from a few velocity sensors"),
  .source = "Fletcher (1983), doi:10.1002/fld.1650030302",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .fields = "u,v",
  .measured = "u,v",
  .methods = "solver,enkf,pod",
  .offered = "solver,enkf,pinn,pod,surrogate,ienks",
  .defaults = defaults,
  .precision = "f64",
  .configure = configure,
  .truth = lac_exact_truth,
  .exact = build_solution,
  .estimate = lac_exact_estimate,
};
