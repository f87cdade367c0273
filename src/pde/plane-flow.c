/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Momentum, continuity and the exact flows of a single wavenumber. */
#include "pde/operators-private.h"
#include "pde/plane-flow-private.h"

#include <math.h>

enum { T, X, Y };

LacNode
lac_plane_momentum(const LacPlaneFlow *flow, guint i)
{
  LacNode u = flow->velocity[i];
  LacNode sum = lac_transport(flow->velocity, u, flow->x_axis, 2);
  LacNode slope = lac_derivative(flow->pressure, flow->x_axis + i, 1);
  LacNode spread = lac_quantity_times(flow->viscosity, lac_laplace(u, flow->x_axis, 2));

  sum =
    lac_add(lac_quantity_times(flow->advection, sum), lac_quantity_divide(slope, flow->density));
  if (flow->x_axis > 0)
    sum = lac_add(lac_derivative(u, 0, 1), sum);
  return lac_subtract(sum, spread);
}

LacNode
lac_plane_divergence(const LacPlaneFlow *flow)
{
  return lac_add(lac_derivative(flow->velocity[0], flow->x_axis, 1),
                 lac_derivative(flow->velocity[1], flow->x_axis + 1, 1));
}

LacNode
lac_quantity_wave(LacNode x, guint axis, LacQuantity wave_number, LacScalar sin_or_cos)
{
  return lac_map(lac_quantity_times(wave_number, lac_columns(x, axis, 1)), sin_or_cos);
}

void
lac_taylor_green_exact(LacNode x, double viscosity, double inertia, LacNode *fields)
{
  LacNode t = lac_columns(x, T, 1), across = lac_columns(x, X, 1), up = lac_columns(x, Y, 1);
  LacNode decay = lac_map(lac_scale(t, -2 * viscosity), LAC_SCALAR_EXP);
  LacNode squared = lac_map(lac_scale(t, -4 * viscosity), LAC_SCALAR_EXP);
  LacNode u = lac_multiply(lac_map(across, LAC_SCALAR_COS), lac_map(up, LAC_SCALAR_SIN));
  LacNode v = lac_multiply(lac_map(across, LAC_SCALAR_SIN), lac_map(up, LAC_SCALAR_COS));
  LacNode p = lac_add(lac_map(lac_scale(across, 2), LAC_SCALAR_COS),
                      lac_map(lac_scale(up, 2), LAC_SCALAR_COS));

  fields[0] = lac_multiply(decay, u);
  fields[1] = lac_scale(lac_multiply(decay, v), -1);
  fields[2] = lac_scale(lac_multiply(squared, p), -0.25 * inertia);
}

typedef struct {
  double angle, phase, amplitude; /* angle of the wave vector to x */
} ObliqueWave;

static const ObliqueWave oblique[] = {
  {0.4, 0.7, 0.6},
  {2.1, 1.9, 0.4},
};

/* psi += a cos(theta), u += psi_y, v -= psi_x, with theta = k (x cos angle + y sin angle) + phase */
static void
add_wave(const ObliqueWave *wave, double k, LacNode x, LacNode decay, LacNode sums[3])
{
  const double kx = k * cos(wave->angle), ky = k * sin(wave->angle);
  const double factors[] = {0, kx, ky};
  LacNode      theta = lac_combine_axes(x, factors, 3, wave->phase);
  LacNode      psi = lac_map(theta, LAC_SCALAR_COS), slope = lac_map(theta, LAC_SCALAR_SIN);

  psi = lac_multiply(decay, lac_scale(psi, wave->amplitude));
  slope = lac_multiply(decay, lac_scale(slope, wave->amplitude));
  sums[0] = lac_add(sums[0], psi);
  sums[1] = lac_subtract(sums[1], lac_scale(slope, ky));
  sums[2] = lac_add(sums[2], lac_scale(slope, kx));
}

/* Bernoulli: (u . grad) u = grad(|u|^2 / 2 + k^2 psi^2 / 2). */
void
lac_beltrami_exact(const LacBeltramiFlow *flow, LacNode x, LacNode *fields)
{
  const double k = flow->wave_number, rate = flow->viscosity * k * k + flow->friction;
  const double held = flow->force / rate; /* u = held sin(k y), sustained by the force */
  LacNode      y = lac_scale(lac_columns(x, Y, 1), k);
  LacNode      decay = lac_map(lac_scale(lac_columns(x, T, 1), -rate), LAC_SCALAR_EXP);
  LacNode      sums[] = {lac_scale(lac_map(y, LAC_SCALAR_COS), -held / k),
                         lac_scale(lac_map(y, LAC_SCALAR_SIN), held), lac_scale(y, 0)};
  LacNode      squares;

  for (gsize i = 0; i < G_N_ELEMENTS(oblique); i++)
    add_wave(&oblique[i], k, x, decay, sums);
  squares = lac_add(lac_map(sums[1], LAC_SCALAR_SQUARE), lac_map(sums[2], LAC_SCALAR_SQUARE));
  squares = lac_add(squares, lac_scale(lac_map(sums[0], LAC_SCALAR_SQUARE), k * k));
  fields[LAC_BELTRAMI_U] = sums[1];
  fields[LAC_BELTRAMI_V] = sums[2];
  fields[LAC_BELTRAMI_P] = lac_scale(squares, -0.5 * flow->advection * flow->density);
  fields[LAC_BELTRAMI_VORTICITY] = lac_scale(sums[0], k * k);
}
