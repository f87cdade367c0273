/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What follows from the two components of a plane velocity: speed, vorticity, Q-criterion, divergence. */
#pragma once

#include "field/frame.h"

G_BEGIN_DECLS

typedef enum {
  LAC_DERIVED_SPEED,     /* sqrt(u^2 + v^2) */
  LAC_DERIVED_VORTICITY, /* v_x - u_y */
  LAC_DERIVED_Q_CRITERION, /* half of (rotation^2 - strain^2): -(u_x^2 + v_y^2)/2 - u_y v_x; above 0 in a vortex */
  LAC_DERIVED_DIVERGENCE, /* u_x + v_y; 0 where mass is conserved */
  LAC_N_DERIVED
} LacDerived;

/* "speed", "vorticity", "q_criterion", "divergence": the quantity of a channel. */
const char *lac_derived_quantity(LacDerived derived);

/* Returns: (transfer full): its unit, from those of the velocity and of length. */
char *lac_derived_dup_unit(LacDerived derived, const char *velocity, const char *length);

/**
 * lac_derived_fill:
 * @u, @v: along columns and rows, of one shape, at least 3 cells each way
 * @periodic: the last cell's neighbour is the first, both ways
 * @out: of the same shape; axes, data and statistics are set
 *
 * Differences of order 6 on a period of 7 cells or more, else of order 2, one-sided at the rim. NaN spreads to the
 * cells whose differences it enters.
 */
void lac_derived_fill(LacDerived      derived,
                      const LacPlane *u,
                      const LacPlane *v,
                      gboolean        periodic,
                      LacPlane       *out);

/* Returns: index of the channel of quantity "v" that is of the same source as channel @u of quantity "u", or -1. */
gssize lac_velocity_partner(const LacChannel *channels, gsize n_channels, gsize u);

/* @pair: (out): the velocity of the source of channel @of, whatever that shows: planes over space along columns and rows. Returns: FALSE
 * where it has none. */
gboolean lac_velocity_of(const LacChannel *channels, gsize n_channels, gsize of, gsize pair[2]);

G_END_DECLS
