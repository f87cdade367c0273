/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plane of a three-dimensional flow: the flux across the plane is an unknown, nonzero source of momentum and mass.
 * The truth is a manufactured flow that solves the three-dimensional equations, at z = 0. */
#include "experiment/flow/truth/exact.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define SIDE        4.0
#define WAVE_NUMBER 1.5
enum { T, X, Y };
enum { U, V, P, SOURCE_X, SOURCE_Y, SOURCE_C };
enum { VISCOSITY };

typedef struct {
  LacExactParams exact;
  double         viscosity;
  gint64         viscosity_unknown;
  double         viscosity_guess;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, viscosity), LAC_PARAM_REAL, "1", 1e-4, 1, 0.05, N_("Viscosity"), N_("Scene"), N_("ν, with waves of speed 1 and wavenumber 1.5 in a square of side 4")},
  LAC_EXACT_GRID_ROW(Params, 40),
  LAC_EXACT_DURATION_ROW(Params, 20, 2),
  LAC_EXACT_GIVEN_ROW(Params, LAC_GIVEN_NONE),
  LAC_EXACT_TIMES_ROW(Params, 20),
  LAC_EXACT_UNKNOWN_ROWS(Params, viscosity, N_("Viscosity unknown"), 2),
};
/* clang-format on */

static const LacDefault defaults[] = {{"sensors", "24"},      {"placement", "stratified"},
                                      {"width", "24"},        {"adam_steps", "500"},
                                      {"quasi_steps", "800"}, {NULL, NULL}};

/* Amplitude (p cos theta - q sin theta), theta = k n . x + phase, with n = (sin polar cos azimuth, sin polar sin
 * azimuth, cos polar) and n, p, q orthonormal: the curl of such a wave is k times the wave. */
static const struct {
  double polar, azimuth, phase, amplitude;
} waves[] = {
  {0.9, 0.4, 0.3, 0.8},
  {1.3, 1.9, 1.2, 0.7},
  {0.7, 3.6, 2.5, 0.5},
};

static void
solution(const LacCase *subject, const double *x, double *values)
{
  const double nu = subject->coefficients[VISCOSITY];
  const double decay = exp(-nu * WAVE_NUMBER * WAVE_NUMBER * x[T]);
  double       u[3] = {0}, u_z[3] = {0}, u_zz[3] = {0};

  for (gsize w = 0; w < G_N_ELEMENTS(waves); w++) {
    const double s = sin(waves[w].polar), c = cos(waves[w].polar), k_z = WAVE_NUMBER * c;
    const double sa = sin(waves[w].azimuth), ca = cos(waves[w].azimuth);
    const double p[] = {-sa, ca, 0}, q[] = {-c * ca, -c * sa, s};
    const double theta = WAVE_NUMBER * s * (ca * x[X] + sa * x[Y]) + waves[w].phase;
    const double size = waves[w].amplitude * decay;

    for (guint i = 0; i < 3; i++) {
      const double along = size * (p[i] * cos(theta) - q[i] * sin(theta));

      u[i] += along;
      u_z[i] -= k_z * size * (p[i] * sin(theta) + q[i] * cos(theta));
      u_zz[i] -= k_z * k_z * along;
    }
  }
  values[U] = u[0];
  values[V] = u[1];
  values[P] = -0.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  values[SOURCE_X] = nu * u_zz[0] - u[2] * u_z[0];
  values[SOURCE_Y] = nu * u_zz[1] - u[2] * u_z[1];
  values[SOURCE_C] = -u_z[2];
}

static const LacExactScene exact = {
  .solution = solution,
  .given_fields = 1 << U | 1 << V | 1 << P,
  .family_coefficient = VISCOSITY,
};

static void
configure(gconstpointer values, LacCase *subject)
{
  const Params *params = values;

  subject->pde = lac_pde_find("channel-slice");
  subject->upper[X] = subject->upper[Y] = SIDE;
  lac_case_set_sought(subject, VISCOSITY, params->viscosity, params->viscosity_unknown != 0,
                      params->viscosity_guess);
  lac_exact_configure(&exact, subject);
  subject->gauged = 1 << P;
}

const LacScene lac_scene_channel_slice = {
  .name = "channel-slice",
  .title = N_("Slice of a three-dimensional flow"),
  .summary = N_("A plane of a three-dimensional flow, with the flux across it as an unknown source "
                "of momentum and mass"),
  .source = "Dombre et al. (1986), doi:10.1017/S0022112086002859",
  .caution = N_("The source absorbs the residual of the equations: it is only as accurate as the "
                "measured velocity and pressure. Without measured pressure it cannot be "
                "distinguished from a pressure gradient."),
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .fields = "u,v,p,S_x,S_y,S_c",
  .measured = "u,v,p",
  .methods = "pinn",
  .offered = "pinn",
  .defaults = defaults,
  .precision = "f64",
  .configure = configure,
  .truth = lac_exact_truth,
  .exact = lac_exact_of_equation,
  .estimate = lac_exact_estimate,
};
