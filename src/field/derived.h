/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quantities derived from the two components of a plane velocity: speed, vorticity, Q-criterion, divergence. */
#pragma once

#include "field/frame.h"

G_BEGIN_DECLS

typedef enum {
  LAC_DERIVED_SPEED,     /* sqrt(u^2 + v^2) */
  LAC_DERIVED_VORTICITY, /* v_x - u_y */
  LAC_DERIVED_Q_CRITERION, /* half of (rotation^2 - strain^2): -(u_x^2 + v_y^2)/2 - u_y v_x; above 0 in a vortex */
  LAC_DERIVED_DIVERGENCE, /* u_x + v_y; 0 in an incompressible plane flow */
  LAC_N_DERIVED
} LacDerived;

/* Returns the channel's quantity: "speed", "vorticity", "q_criterion" or "divergence". */
const char *lac_derived_quantity(LacDerived derived);

/* Returns: (transfer full): the unit of @derived, composed of the units of velocity and length. */
char *lac_derived_dup_unit(LacDerived derived, const char *velocity, const char *length);

/**
 * lac_derived_fill:
 * @u, @v: components along x and y, of equal shape, at least 3 x 3 cells
 * @periodic: periodic in both directions
 * @out: of the same shape; axes, data and statistics are set
 *
 * Finite differences of order 6 in a periodic direction of at least 7 cells, otherwise of order 2, one-sided at the
 * boundary. NaN spreads to every cell whose stencil contains it.
 */
void lac_derived_fill(LacDerived      derived,
                      const LacPlane *u,
                      const LacPlane *v,
                      gboolean        periodic,
                      LacPlane       *out);

/* Returns: the index of the channel with quantity "v" and the same source as channel @u, whose quantity is "u"; -1:
 * none. */
gssize lac_velocity_partner(const LacChannel *channels, gsize n_channels, gsize u);

/* Finds the velocity of the source that channel @of belongs to, whatever quantity the channel shows. @pair: (out):
 * channels of the components along x and y, both planes over space. Returns: FALSE if the source has no such
 * velocity. */
gboolean lac_velocity_of(const LacChannel *channels, gsize n_channels, gsize of, gsize pair[2]);

G_END_DECLS
