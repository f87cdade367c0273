/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plane z = const of a three-dimensional flow: the flux across the plane is an unknown source of momentum and mass,
 * three additional fields. The exact solution is a slice of a Beltrami flow (curl parallel to velocity). */
#include "pde/operators-private.h"
#include "pde/plane-flow-private.h"

#include <math.h>

enum { T, X, Y };
enum { U, V, P, SOURCE_X, SOURCE_Y, SOURCE_C };
enum { VISCOSITY };

static void
residuals(const LacPde *pde G_GNUC_UNUSED, const LacPdeTerms *at, LacNode *residuals)
{
  const LacPlaneFlow flow = {
    .x_axis = X,
    .velocity = {at->fields[U], at->fields[V]},
    .pressure = at->fields[P],
    .advection = lac_number(1),
    .viscosity = at->coefficients[VISCOSITY],
    .density = lac_number(1),
  };

  residuals[0] = lac_subtract(lac_plane_momentum(&flow, 0), lac_value(at->fields[SOURCE_X]));
  residuals[1] = lac_subtract(lac_plane_momentum(&flow, 1), lac_value(at->fields[SOURCE_Y]));
  residuals[2] = lac_subtract(lac_plane_divergence(&flow), lac_value(at->fields[SOURCE_C]));
}

/* A helical wave: amplitude (p cos theta - q sin theta) with theta = k n . x + phase and n, p, q orthonormal: its
 * curl is k times itself. The direction n is (sin polar cos azimuth, sin polar sin azimuth, cos polar). */
typedef struct {
  double polar, azimuth, phase, amplitude;
} HelicalWave;

#define WAVE_NUMBER 1.5

static const HelicalWave waves[] = {
  {0.9, 0.4, 0.3, 0.8},
  {1.3, 1.9, 1.2, 0.7},
  {0.7, 3.6, 2.5, 0.5},
};

/* Sum of the waves' velocities in the plane z = 0, with first and second derivatives along z. */
typedef struct {
  LacNode u[3], u_z[3], u_zz[3];
} Velocities;

static void
add(LacNode *sum, LacNode term)
{
  *sum = sum->graph ? lac_add(*sum, term) : term;
}

static void
add_wave(const HelicalWave *wave, LacNode x, LacNode decay, Velocities *all)
{
  const double s = sin(wave->polar), c = cos(wave->polar);
  const double sa = sin(wave->azimuth), ca = cos(wave->azimuth);
  const double p[] = {-sa, ca, 0}, q[] = {-c * ca, -c * sa, s};
  const double along[] = {0, WAVE_NUMBER * s * ca, WAVE_NUMBER * s * sa}, k_z = WAVE_NUMBER * c;
  LacNode      theta = lac_combine_axes(x, along, 3, wave->phase);
  LacNode      cosine = lac_multiply(decay, lac_map(theta, LAC_SCALAR_COS));
  LacNode      sine = lac_multiply(decay, lac_map(theta, LAC_SCALAR_SIN));

  cosine = lac_scale(cosine, wave->amplitude);
  sine = lac_scale(sine, wave->amplitude);
  for (guint i = 0; i < 3; i++) {
    LacNode u = lac_subtract(lac_scale(cosine, p[i]), lac_scale(sine, q[i]));
    LacNode turned = lac_add(lac_scale(sine, p[i]), lac_scale(cosine, q[i]));

    add(&all->u[i], u);
    add(&all->u_z[i], lac_scale(turned, -k_z));
    add(&all->u_zz[i], lac_scale(u, -k_z * k_z));
  }
}

/* With curl u = k u the flow u exp(-viscosity k^2 t), p = -|u|^2 / 2 solves the equations in three dimensions; then
 * S_x = -w u_z + viscosity u_zz, S_y alike, S_c = -w_z. */
static void
exact(const LacPde *pde G_GNUC_UNUSED, LacNode x, const double *coefficients, LacNode *fields)
{
  const double nu = coefficients[VISCOSITY];
  LacNode      t = lac_scale(lac_columns(x, T, 1), -nu * WAVE_NUMBER * WAVE_NUMBER);
  LacNode      decay = lac_map(t, LAC_SCALAR_EXP), squares = LAC_NO_NODE;
  Velocities   all = {{{NULL, 0}}};

  for (gsize i = 0; i < G_N_ELEMENTS(waves); i++)
    add_wave(&waves[i], x, decay, &all);
  for (guint i = 0; i < 3; i++)
    add(&squares, lac_map(all.u[i], LAC_SCALAR_SQUARE));
  for (guint i = 0; i < 2; i++) {
    fields[U + i] = all.u[i];
    fields[SOURCE_X + i] =
      lac_subtract(lac_scale(all.u_zz[i], nu), lac_multiply(all.u[2], all.u_z[i]));
  }
  fields[P] = lac_scale(squares, -0.5);
  fields[SOURCE_C] = lac_scale(all.u_z[2], -1);
}

/* clang-format off */
const LacPde lac_pde_channel_slice = {
  .name = "channel-slice",
  .formula = "u_t + u u_x + v u_y + p_x - viscosity (u_xx + u_yy) - S_x = 0; "
             "v_t + u v_x + v v_y + p_y - viscosity (v_xx + v_yy) - S_y = 0; "
             "u_x + v_y - S_c = 0",
  .n_axes = 3,
  .axes = {"t", "x", "y"},
  .orders = {1, 2, 2},
  .n_fields = 6,
  .fields = {"u", "v", "p", "S_x", "S_y", "S_c"},
  .n_residuals = 3,
  .residual_names = {"momentum x", "momentum y", "continuity"},
  .n_coefficients = 1,
  .coefficients = {"viscosity"},
  .test_coefficients = {0.05},
  .residuals = residuals,
  .exact = exact,
  .source = "Dombre, Frisch, Greene, Henon, Mehr, Soward (1986), doi:10.1017/S0022112086002859",
};
/* clang-format on */
