/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts shared by the equations of incompressible plane flow: the terms of their residuals, and the exact flows whose
 * vorticity is a multiple of the stream function. */
#pragma once

#include "pde/pde.h"

G_BEGIN_DECLS

/* Fields at the points and the coefficients of the equation. */
typedef struct {
  guint       x_axis; /* 0: steady; 1: axis 0 is t. y is axis x_axis + 1. */
  LacNode     velocity[2], pressure;
  LacQuantity advection; /* coefficient of (u . grad) u */
  LacQuantity viscosity;
  LacQuantity density;
} LacPlaneFlow;

/* Builds component @i of the momentum equation without forces:
 *   (u_t) + advection (u . grad) u + grad p / density - viscosity laplace u. Plain. */
LacNode lac_plane_momentum(const LacPlaneFlow *flow, guint i);

/* Builds the divergence u_x + v_y; plain. */
LacNode lac_plane_divergence(const LacPlaneFlow *flow);

/* Builds sin or cos of (wave_number y), plain. @x: coordinates, @axis: the index of y. */
LacNode lac_quantity_wave(LacNode x, guint axis, LacQuantity wave_number, LacScalar sin_or_cos);

/* Builds the decaying Taylor-Green vortices: with F = exp(-2 viscosity t)
 *   u = cos x sin y F, v = -sin x cos y F, p = -inertia (cos 2x + cos 2y) F^2 / 4.
 * @x: (t, x, y) with a jet; @inertia: advection times density. Fills u, v, p with that jet. */
void lac_taylor_green_exact(LacNode x, double viscosity, double inertia, LacNode *fields);

/* A Beltrami flow solving u_t + advection (u . grad) u + grad p / density - viscosity laplace u + friction u = (force
 * sin(k y), 0): two oblique decaying waves of the stream function psi, and one along y, sustained by the force. All
 * have wavenumber k, so laplace psi = -k^2 psi, the advection is a gradient, and the rest is linear. */
typedef struct {
  double wave_number, viscosity, friction, force, advection, density;
} LacBeltramiFlow;

enum { LAC_BELTRAMI_U, LAC_BELTRAMI_V, LAC_BELTRAMI_P, LAC_BELTRAMI_VORTICITY, LAC_BELTRAMI_N };

/* Builds the flow. @x: (t, x, y) with a jet. Fills [LAC_BELTRAMI_N] fields with that jet; the vorticity is v_x -
 * u_y. */
void lac_beltrami_exact(const LacBeltramiFlow *flow, LacNode x, LacNode *fields);

G_END_DECLS
