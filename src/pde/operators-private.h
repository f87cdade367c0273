/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Differential operators shared by the equations, and the waves that make up their exact solutions. */
#pragma once

#include "graph/graph.h"

G_BEGIN_DECLS

/* Builds the sum of f_ii over @n_axes axes starting at @first_axis; plain. */
LacNode lac_laplace(LacNode f, guint first_axis, guint n_axes);

/* Builds the sum of velocity_i times the derivative of f along axis i, over @n_axes axes starting at @first_axis;
 * plain. @velocity: [n_axes] nodes, plain or with a jet */
LacNode lac_transport(const LacNode *velocity, LacNode f, guint first_axis, guint n_axes);

/* Builds the sum of factors_i x_i plus @constant, with the jet of @x. At least one factor must not be 0. */
LacNode lac_combine_axes(LacNode x, const double *factors, guint n_axes, double constant);

/* A Gaussian packet of width @sigma with period 2 pi, advected with @speed and spreading with @diffusivity:
 *   sum_m exp(-m^2 (sigma^2 / 2 + diffusivity t)) cos(m (x - speed t)), m = 1 ... 12. */
typedef struct {
  double sigma, speed, diffusivity;
} LacPacket;

/* Builds the packet. @x: coordinates, t first; @axis: axis along which the packet moves. Returns: one column with the
 * jet of @x. */
LacNode lac_periodic_packet(LacNode x, guint axis, const LacPacket *packet);

G_END_DECLS
