/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Couette-Poiseuille flow: a steady channel between a wall at rest and one that may move, driven by a pressure
 * gradient. Source: Batchelor (1967), An Introduction to Fluid Dynamics, 4.2. */
#include "base/error.h"
#include "experiment/flow/truth/exact.h"
#include "pde/channel-flow.h"

#include <glib/gi18n-lib.h>

enum { X, Y };
enum { U, V, P };
enum { VISCOSITY, DRIVE };

typedef struct {
  LacExactParams exact;
  double         viscosity, drive, wall_speed;
  gint64         viscosity_unknown;
  double         viscosity_guess;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, viscosity), LAC_PARAM_REAL, "1", 1e-3, 10, 0.1, N_("Viscosity"), N_("Scene"), N_("ν, with walls at y = -1 and y = 1")},
  {LAC_FIELD(Params, drive), LAC_PARAM_REAL, "1", -10, 10, 0.2, N_("Pressure gradient"), N_("Scene"), N_("Driving force along x per unit mass")},
  {LAC_FIELD(Params, wall_speed), LAC_PARAM_REAL, "1", -10, 10, 0, N_("Wall speed"), N_("Scene"), N_("Speed of the wall at y = 1; the other wall is at rest")},
  LAC_EXACT_GRID_ROW(Params, 33),
  LAC_EXACT_FAMILY_ROW(Params, 8),
  LAC_EXACT_GIVEN_STEADY_ROW(Params, LAC_GIVEN_ALL),
  LAC_EXACT_UNKNOWN_ROWS(Params, viscosity, N_("Viscosity unknown"), 2),
};
/* clang-format on */

static const LacDefault defaults[] = {{"sensors", "4"}, {NULL, NULL}};

static gboolean
check(gconstpointer values, GError **error)
{
  const Params *params = values;

  if (params->drive == 0 && params->wall_speed == 0)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "drive and wall_speed are both 0, so nothing flows; set one of them");
  else if (params->drive == 0 && params->viscosity_unknown)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "viscosity_unknown needs a drive other than 0: the flow driven by a wall alone is "
                "the same for every viscosity");
  else if (params->drive == 0 && params->exact.family > 0)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "family = %" G_GINT64_FORMAT
                " needs a drive other than 0: the flow driven by a wall alone is the same for "
                "every viscosity; set family = 0 to omit it",
                params->exact.family);
  else
    return TRUE;
  return FALSE;
}

static void
solution(const LacCase *subject, const double *x, double *values)
{
  const Params *params = subject->params;
  const double  pushed =
    subject->coefficients[DRIVE] / (2 * subject->coefficients[VISCOSITY]) * (1 - x[Y] * x[Y]);

  values[U] = pushed + params->wall_speed * (1 + x[Y]) / 2;
  values[V] = values[P] = 0;
}

static void
build_solution(const LacCase *subject, LacNode x, LacNode *fields)
{
  const Params        *params = subject->params;
  const LacChannelFlow flow = {subject->coefficients[VISCOSITY], subject->coefficients[DRIVE],
                               params->wall_speed};

  lac_channel_flow_exact(&flow, x, fields);
}

/* u = wall_speed (1 + y) / 2 + (1 - y^2) N, v = (1 - y^2) M */
static void
hard(const LacCase *subject, LacNode x, LacNode *outputs)
{
  const Params *params = subject->params;
  LacNode       y = lac_columns(x, Y, 1);
  LacNode       inside = lac_offset(lac_scale(lac_map(y, LAC_SCALAR_SQUARE), -1), 1);

  outputs[U] =
    lac_add(lac_multiply(inside, outputs[U]), lac_scale(lac_offset(y, 1), params->wall_speed / 2));
  outputs[V] = lac_multiply(inside, outputs[V]);
}

static const LacExactScene exact = {
  .solution = solution,
  .given_fields = 1 << U | 1 << V,
  .family_coefficient = VISCOSITY,
  .hard = hard,
};

static void
configure(gconstpointer values, LacCase *subject)
{
  const Params *params = values;

  subject->pde = lac_pde_find("channel-flow");
  subject->steady = TRUE;
  subject->upper[X] = 2;
  subject->lower[Y] = -1;
  subject->upper[Y] = 1;
  subject->periodic[X] = TRUE;
  lac_case_set_sought(subject, VISCOSITY, params->viscosity, params->viscosity_unknown != 0,
                      params->viscosity_guess);
  lac_case_set_known(subject, DRIVE, params->drive);
  lac_exact_configure(&exact, subject);
}

const LacScene lac_scene_poiseuille = {
  .name = "poiseuille",
  .title = N_("Poiseuille and Couette flow"),
  .summary =
    N_("Steady channel flow driven by a pressure gradient or a moving wall, with its viscosity"),
  .source = "Batchelor (1967), An Introduction to Fluid Dynamics, 4.2",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .fields = "u",
  .measured = "u",
  .methods = "pod",
  .offered = "pinn,pod",
  .defaults = defaults,
  .precision = "f64",
  .check = check,
  .configure = configure,
  .truth = lac_exact_truth,
  .exact = build_solution,
  .estimate = lac_exact_estimate,
};
