/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The differential operators that equations share, and the waves that their exact solutions are made of. */
#pragma once

#include "graph/graph.h"

G_BEGIN_DECLS

/* Sum of f_ii over @n_axes axes from @first_axis on; plain. */
LacNode lac_laplace(LacNode f, guint first_axis, guint n_axes);

/* Sum of velocity_i f_i over the same axes; plain. @velocity: [n_axes] nodes, plain or with a jet */
LacNode lac_transport(const LacNode *velocity, LacNode f, guint first_axis, guint n_axes);

/* Sum of factors_i x_i, plus the constant, with the jet of @x. One factor at least is not 0. */
LacNode lac_combine_axes(LacNode x, const double *factors, guint n_axes, double constant);

/* A Gaussian packet of width @sigma, repeated with the period 2 pi, that moves with @speed and spreads with @diffusivity:
 *   sum_m exp(-m^2 (sigma^2 / 2 + diffusivity t)) cos(m (x - speed t)), m = 1 ... 12. */
typedef struct {
  double sigma, speed, diffusivity;
} LacPacket;

/* @x: coordinates, t first; @axis: that of the packet. Returns: with the jet of @x. */
LacNode lac_periodic_packet(LacNode x, guint axis, const LacPacket *packet);

G_END_DECLS
