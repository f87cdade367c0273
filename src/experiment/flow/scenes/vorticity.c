/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plane flow in velocity and vorticity, without pressure: a force sustains one wave against friction and viscosity,
 * two others cross it and decay. Exact because all waves have the same wavenumber. Source: Chandler, Kerswell (2013),
 * eq. 2.5. */
#include "experiment/flow/truth/exact.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define SIDE 4.0
enum { T, X, Y };
enum { U, V, W };
enum { VISCOSITY, FRICTION, FORCE, WAVE_NUMBER };

typedef struct {
  LacExactParams exact;
  double         viscosity, friction, force, wave_number;
  gint64         viscosity_unknown;
  double         viscosity_guess;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, viscosity), LAC_PARAM_REAL, "1", 1e-4, 1, 0.05, N_("Viscosity"), N_("Scene"), N_("ν, in a square of side 4")},
  {LAC_FIELD(Params, friction), LAC_PARAM_REAL, "1/s", 0, 10, 0.1, N_("Friction"), N_("Scene"), N_("Damping rate of all scales, always known")},
  {LAC_FIELD(Params, force), LAC_PARAM_REAL, "1", 0, 10, 0.15, N_("Force"), N_("Scene"), N_("Amplitude of (sin k y, 0)")},
  {LAC_FIELD(Params, wave_number), LAC_PARAM_REAL, "1", 0.5, 8, 2, N_("Wavenumber"), N_("Scene"), N_("Wavenumber k of the force and of the two waves that cross it")},
  LAC_EXACT_GRID_ROW(Params, 48),
  LAC_EXACT_DURATION_ROW(Params, 20, 2),
  LAC_EXACT_GIVEN_ROW(Params, LAC_GIVEN_NONE),
  LAC_EXACT_TIMES_ROW(Params, 20),
  LAC_EXACT_UNKNOWN_ROWS(Params, viscosity, N_("Viscosity unknown"), 2),
};

static const LacDefault defaults[] = {
  {"sensors", "12"}, {"placement", "stratified"}, {"width", "24"}, {"adam_steps", "500"}, {"quasi_steps", "800"},
  {NULL, NULL},
};
/* clang-format on */

/* Decaying waves: angle of the wave vector to x, phase, amplitude. */
static const struct {
  double angle, phase, amplitude;
} waves[] = {
  {0.4, 0.7, 0.6},
  {2.1, 1.9, 0.4},
};

/* Computed from the stream function: -cos(k y) held / k and a cos(theta) exp(-rate t) of each wave; the vorticity is
 * k^2 times it. */
static void
solution(const LacCase *subject, const double *x, double *values)
{
  const double *c = subject->coefficients;
  const double  k = c[WAVE_NUMBER], rate = c[VISCOSITY] * k * k + c[FRICTION];
  const double  held = c[FORCE] / rate, decay = exp(-rate * x[T]);
  double        psi = -held / k * cos(k * x[Y]);

  values[U] = held * sin(k * x[Y]);
  values[V] = 0;
  for (gsize i = 0; i < G_N_ELEMENTS(waves); i++) {
    const double kx = k * cos(waves[i].angle), ky = k * sin(waves[i].angle);
    const double theta = kx * x[X] + ky * x[Y] + waves[i].phase;
    const double size = waves[i].amplitude * decay;

    psi += size * cos(theta);
    values[U] -= size * ky * sin(theta);
    values[V] += size * kx * sin(theta);
  }
  values[W] = k * k * psi;
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

  subject->pde = lac_pde_find("vorticity-2d");
  subject->upper[X] = subject->upper[Y] = SIDE;
  lac_case_set_known(subject, FRICTION, params->friction);
  lac_case_set_known(subject, FORCE, params->force);
  lac_case_set_known(subject, WAVE_NUMBER, params->wave_number);
  lac_case_set_sought(subject, VISCOSITY, params->viscosity, params->viscosity_unknown != 0,
                      params->viscosity_guess);
  lac_exact_configure(&exact, subject);
}

const LacScene lac_scene_vorticity = {
  .name = "vorticity",
  .title = N_("Forced waves by the vorticity equation"),
  .summary =
    N_("Velocity and vorticity of a forced flow with its viscosity, from a few velocity sensors"),
  .source = "Chandler, Kerswell (2013), doi:10.1017/jfm.2013.122",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .fields = "u,v,w",
  .measured = "u,v",
  .methods = "pinn",
  .offered = "pinn",
  .defaults = defaults,
  .precision = "f64",
  .configure = configure,
  .truth = lac_exact_truth,
  .exact = lac_exact_of_equation,
  .estimate = lac_exact_estimate,
};
