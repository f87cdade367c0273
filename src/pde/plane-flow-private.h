/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the equations of incompressible flow in the plane share: their residuals term by term, and the exact flows whose
 * vorticity is a multiple of the stream function. */
#pragma once

#include "pde/pde.h"

G_BEGIN_DECLS

/* Fields at the points and the coefficients of their equation. */
typedef struct {
  guint       x_axis; /* y is the next one; 0: the flow is steady; 1: axis 0 is t */
  LacNode     velocity[2], pressure;
  LacQuantity advection; /* the factor of (u . grad) u */
  LacQuantity viscosity;
  LacQuantity density;
} LacPlaneFlow;

/* Component @i of the momentum equation without its forces:
 *   (u_t) + advection (u . grad) u + grad p / density - viscosity laplace u. Plain. */
LacNode lac_plane_momentum(const LacPlaneFlow *flow, guint i);

/* u_x + v_y; plain */
LacNode lac_plane_divergence(const LacPlaneFlow *flow);

/* sin or cos of (wave_number y), plain. @x: coordinates, @axis: that of y. */
LacNode lac_quantity_wave(LacNode x, guint axis, LacQuantity wave_number, LacScalar sin_or_cos);

/* Taylor and Green's vortices, which fade: with F = exp(-2 viscosity t)
 *   u = cos x sin y F, v = -sin x cos y F, p = -inertia (cos 2x + cos 2y) F^2 / 4.
 * @x: (t, x, y) with a jet; @inertia: advection times density. Fills u, v, p with that jet. */
void lac_taylor_green_exact(LacNode x, double viscosity, double inertia, LacNode *fields);

/* Of u_t + advection (u . grad) u + grad p / density - viscosity laplace u + friction u = (force sin(k y), 0): two oblique
 * waves of the stream function psi, which fade, and one along y, which the force holds. All have wave number k, so
 * that laplace psi = -k^2 psi, the advection is a gradient, and the rest is linear. */
typedef struct {
  double wave_number, viscosity, friction, force, advection, density;
} LacBeltramiFlow;

enum { LAC_BELTRAMI_U, LAC_BELTRAMI_V, LAC_BELTRAMI_P, LAC_BELTRAMI_VORTICITY, LAC_BELTRAMI_N };

/* @x: (t, x, y) with a jet. Fills [LAC_BELTRAMI_N] fields with that jet; the vorticity is v_x - u_y. */
void lac_beltrami_exact(const LacBeltramiFlow *flow, LacNode x, LacNode *fields);

G_END_DECLS
