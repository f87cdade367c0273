/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Phase separation on a periodic interval with thin interfaces at small diffusivity: a difficult case for networks.
 * Source: Raissi, Perdikaris, Karniadakis (2019), doi:10.1016/j.jcp.2018.10.045. */
#include "experiment/flow/truth/exact.h"
#include "experiment/flow/truth/simulated.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define FASTEST_STEP 0.2 /* relative to the time of fastest growth, 1 / (2 reaction) */

enum { T, X };
enum { DIFFUSIVITY, REACTION };

typedef struct {
  LacExactParams exact;
  double         diffusivity, reaction;
  gint64         diffusivity_unknown, reaction_unknown;
  double         diffusivity_guess, reaction_guess;
  gint64         truth_refinement;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, diffusivity), LAC_PARAM_REAL, "1", 1e-5, 1, 1e-4, N_("Diffusivity"), N_("Scene"), N_("D in u_t = D u_xx + r (u - u³) on a periodic interval of length 2")},
  {LAC_FIELD(Params, reaction), LAC_PARAM_REAL, "1", 0.01, 100, 5, N_("Reaction"), N_("Scene"), N_("r in u_t = D u_xx + r (u - u³)")},
  LAC_EXACT_GRID_ROW(Params, 256),
  LAC_EXACT_DURATION_ROW(Params, 10, 1),
  LAC_EXACT_FAMILY_ROW(Params, 8),
  LAC_EXACT_GIVEN_ROW(Params, LAC_GIVEN_ALL),
  LAC_EXACT_TIMES_ROW(Params, 101),
  LAC_EXACT_UNKNOWN_ROWS(Params, diffusivity, N_("Diffusivity unknown"), 2),
  LAC_EXACT_UNKNOWN_ROWS(Params, reaction, N_("Reaction unknown"), 0.5),
  {LAC_FIELD(Params, truth_refinement), LAC_PARAM_INTEGER, "1", 0, 4, 2, N_("Refinement of the truth"), N_("Scene"), N_("Doublings of grid and time steps from the methods to the truth, whose error is reported"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER, .zero = N_("Same grid")},
};
/* clang-format on */

static const LacDefault defaults[] = {{"sensors", "6"}, {"width", "32"}, {NULL, NULL}};

static void
beginning(const LacCase *subject G_GNUC_UNUSED, const double *x, double *values)
{
  values[0] = x[X] * x[X] * cos(G_PI * x[X]);
}

static const LacExactScene known = {
  .solution = beginning,
  .family_coefficient = REACTION,
  .given_fields = 1,
};

static void
configure(gconstpointer values, LacCase *subject)
{
  static const int coefficients[] = {DIFFUSIVITY, REACTION};
  const Params    *params = values;
  const double     interval = params->exact.duration / (double) (params->exact.times - 1);

  subject->pde = lac_pde_find("allen-cahn");
  subject->lower[X] = -1;
  subject->upper[X] = 1;
  subject->periodic[X] = TRUE;
  lac_case_set_sought(subject, DIFFUSIVITY, params->diffusivity, params->diffusivity_unknown != 0,
                      params->diffusivity_guess);
  lac_case_set_sought(subject, REACTION, params->reaction, params->reaction_unknown != 0,
                      params->reaction_guess);
  lac_exact_configure(&known, subject);
  lac_exact_set_solver(subject, "allen-cahn",
                       (gsize) MAX(1, ceil(interval * 2 * params->reaction / FASTEST_STEP)),
                       coefficients);
  lac_simulated_configure_exact(subject);
  subject->simulation.refinement = (gsize) 1 << params->truth_refinement;
}

const LacScene lac_scene_allen_cahn = {
  .name = "allen-cahn",
  .title = N_("Allen-Cahn phase separation"),
  .summary =
    N_("Two phases and the thin interfaces between them, from the equation and a few sensors"),
  .source = "Allen, Cahn (1979), doi:10.1016/0001-6160(79)90196-2",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .fields = "u",
  .measured = "u",
  .methods = "solver,pod",
  .offered = "enkf,solver,pinn,pod,surrogate,ienks",
  .defaults = defaults,
  .precision = "f64",
  .configure = configure,
  .truth = lac_simulated_truth,
  .estimate = lac_simulated_estimate,
};
