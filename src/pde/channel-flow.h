/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steady flow between two walls, driven by a pressure gradient and a moving wall. */
#pragma once

#include "pde/pde.h"

G_BEGIN_DECLS

/* Couette-Poiseuille flow between a wall at rest at y = -1 and a moving wall at y = 1:
 *   u = wall_speed (1 + y) / 2 + drive / (2 viscosity) (1 - y^2), v = 0, p = 0. */
typedef struct {
  double viscosity, drive, wall_speed;
} LacChannelFlow;

/* Builds the exact solution. @x: (x, y) with a jet. Fills u, v, p with the same jet. */
void lac_channel_flow_exact(const LacChannelFlow *flow, LacNode x, LacNode *fields);

G_END_DECLS
