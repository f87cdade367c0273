/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advection and diffusion of a packet on a periodic interval. */
#include "base/error.h"
#include "experiment/flow/truth/exact.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define N_MODES 12 /* must equal pde/operators.c */
#define SIGMA   0.5

enum { T, X };
enum { SPEED, DIFFUSIVITY };

typedef struct {
  LacExactParams exact;
  double         speed, diffusivity;
  gint64         speed_unknown, diffusivity_unknown;
  double         speed_guess, diffusivity_guess;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, speed), LAC_PARAM_REAL, "1", 0.01, 100, 1, N_("Speed"), N_("Scene"), N_("c in u_t + c u_x = D u_xx on a periodic interval of length 2π; hard for networks from 30")},
  {LAC_FIELD(Params, diffusivity), LAC_PARAM_REAL, "1", 1e-6, 1, 0.02, N_("Diffusivity"), N_("Scene"), N_("D in u_t + c u_x = D u_xx")},
  LAC_EXACT_GRID_ROW(Params, 96),
  LAC_EXACT_DURATION_ROW(Params, 10, 2),
  LAC_EXACT_FAMILY_ROW(Params, 8),
  LAC_EXACT_GIVEN_ROW(Params, LAC_GIVEN_ALL),
  LAC_EXACT_TIMES_ROW(Params, 60),
  LAC_EXACT_UNKNOWN_ROWS(Params, speed, N_("Speed unknown"), 1.5),
  LAC_EXACT_UNKNOWN_ROWS(Params, diffusivity, N_("Diffusivity unknown"), 2),
};
/* clang-format on */

static const LacDefault defaults[] = {{"sensors", "4"}, {NULL, NULL}};

static void
solution(const LacCase *subject, const double *x, double *values)
{
  const double moved = x[X] - subject->coefficients[SPEED] * x[T];

  values[0] = 0;
  for (int m = 1; m <= N_MODES; m++)
    values[0] += exp(-m * m * (SIGMA * SIGMA / 2 + subject->coefficients[DIFFUSIVITY] * x[T])) *
                 cos(m * moved);
}

static const LacExactScene exact = {
  .solution = solution,
  .given_fields = 1,
  .family_coefficient = SPEED,
};

static void
configure(gconstpointer values, LacCase *subject)
{
  static const int coefficients[] = {SPEED, DIFFUSIVITY};
  const Params    *params = values;

  subject->pde = lac_pde_find("advection-diffusion-1d");
  subject->upper[X] = 2 * G_PI;
  subject->periodic[X] = TRUE;
  lac_case_set_sought(subject, SPEED, params->speed, params->speed_unknown != 0,
                      params->speed_guess);
  lac_case_set_sought(subject, DIFFUSIVITY, params->diffusivity, params->diffusivity_unknown != 0,
                      params->diffusivity_guess);
  lac_exact_configure(&exact, subject);
  lac_exact_set_solver(subject, "advection-diffusion-1d", 1, coefficients);
}

static gboolean
check(gconstpointer values, GError **error)
{
  const Params *params = values;

  if (params->exact.grid > 2 * N_MODES)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "grid = %" G_GINT64_FORMAT " does not resolve the packet; set it to more than %d",
              params->exact.grid, 2 * N_MODES);
  return FALSE;
}

const LacScene lac_scene_advection = {
  .name = "advection",
  .title = N_("Advection and diffusion of a packet"),
  .summary = N_(
    "A tracer that is advected and diffuses, with its speed and diffusivity, from a few sensors"),
  .source = "Crank (1975), The Mathematics of Diffusion, 2.2",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .fields = "u",
  .measured = "u",
  .methods = "solver,enkf,pod",
  .offered = "enkf,pod,solver,pinn,surrogate",
  .defaults = defaults,
  .precision = "f64",
  .check = check,
  .configure = configure,
  .truth = lac_exact_truth,
  .exact = lac_exact_of_equation,
  .estimate = lac_exact_estimate,
};
