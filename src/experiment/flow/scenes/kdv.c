/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A shallow-water wave that breaks up into solitons, from a cosine on a periodic interval.
 * Source: Zabusky, Kruskal (1965), doi:10.1103/PhysRevLett.15.240. */
#include "experiment/flow/truth/exact.h"
#include "experiment/flow/truth/simulated.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define FASTEST 3.0 /* speed of the solitons, slightly above what the cosine produces */

enum { T, X };
enum { ADVECTION, DISPERSION };

typedef struct {
  LacExactParams exact;
  double         dispersion;
  gint64         dispersion_unknown;
  double         dispersion_guess;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, dispersion), LAC_PARAM_REAL, "1", 1e-4, 0.1, 0.0025, N_("Dispersion"), N_("Scene"), N_("δ in u_t + u u_x + δ u_xxx = 0 on a periodic interval of length 2")},
  LAC_EXACT_GRID_ROW(Params, 128),
  LAC_EXACT_DURATION_ROW(Params, 10, 1),
  LAC_EXACT_FAMILY_ROW(Params, 8),
  LAC_EXACT_GIVEN_ROW(Params, LAC_GIVEN_ALL),
  LAC_EXACT_TIMES_ROW(Params, 101),
  LAC_EXACT_UNKNOWN_ROWS(Params, dispersion, N_("Dispersion unknown"), 2),
};
/* clang-format on */

static const LacDefault defaults[] = {{"sensors", "4"}, {"width", "32"}, {NULL, NULL}};

static void
beginning(const LacCase *subject G_GNUC_UNUSED, const double *x, double *values)
{
  values[0] = cos(G_PI * x[X]);
}

static const LacExactScene known = {
  .solution = beginning,
  .family_coefficient = DISPERSION,
  .given_fields = 1,
};

static void
configure(gconstpointer values, LacCase *subject)
{
  static const int coefficients[] = {ADVECTION, DISPERSION};
  const Params    *params = values;
  const double     interval = params->exact.duration / (double) (params->exact.times - 1);
  const double     shortest = 2.0 / 3 * G_PI * (double) params->exact.grid / 2; /* its wavenumber */

  subject->pde = lac_pde_find("kdv");
  subject->lower[X] = -1;
  subject->upper[X] = 1;
  subject->periodic[X] = TRUE;
  lac_case_set_known(subject, ADVECTION, 1);
  lac_case_set_sought(subject, DISPERSION, params->dispersion, params->dispersion_unknown != 0,
                      params->dispersion_guess);
  lac_exact_configure(&known, subject);
  lac_exact_set_solver(subject, "kdv", (gsize) MAX(1, ceil(interval * FASTEST * shortest)),
                       coefficients);
  lac_simulated_configure_exact(subject);
}

const LacScene lac_scene_kdv = {
  .name = "kdv",
  .title = N_("Korteweg-de Vries solitons"),
  .summary = N_("A wave that breaks up into solitons, and its dispersion, from a few sensors"),
  .source = "Zabusky, Kruskal (1965), doi:10.1103/PhysRevLett.15.240",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .fields = "u",
  .measured = "u",
  .methods = "solver,enkf,pod",
  .offered = "enkf,solver,pinn,pod,surrogate,ienks",
  .defaults = defaults,
  .precision = "f64",
  .configure = configure,
  .truth = lac_simulated_truth,
  .estimate = lac_simulated_estimate,
};
