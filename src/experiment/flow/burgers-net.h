/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The three programs of the Burgers experiment over one network: loss and gradient at the points, residuals of a pool of
 * candidates, values on the grid of the judge. Initial and boundary values hold by construction:
 *   u = -sin(pi x) + t (1 - x^2) N(t, x). */
#pragma once

#include "experiment/experiment.h"
#include "experiment/network.h"
#include "graph/program.h"

G_BEGIN_DECLS

typedef struct {
  LacNetwork network;
  double     viscosity;
  gsize      n_points, n_pool, n_judged;
} LacBurgersNetSettings;

typedef struct _LacBurgersNet LacBurgersNet;

LacBurgersNet *lac_burgers_net_new(const LacBurgersNetSettings *settings,
                                   const LacContext            *context,
                                   GError                     **error);
void           lac_burgers_net_free(LacBurgersNet *net);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacBurgersNet, lac_burgers_net_free)

/* The training program; its theta is the network's. */
LacProgram *lac_burgers_net_get_program(LacBurgersNet *net);

/* Coordinates as (t, x) pairs. */
void lac_burgers_net_feed_points(LacBurgersNet *net, const double *points);
void lac_burgers_net_feed_judge(LacBurgersNet *net, const double *points);

/* @residuals: [n_pool] at @points: [n_pool] pairs */
gboolean lac_burgers_net_get_residuals(LacBurgersNet *net,
                                       const double  *points,
                                       gint64         step,
                                       double        *residuals,
                                       GError       **error);

/* @values: [n_judged] */
gboolean
lac_burgers_net_get_values(LacBurgersNet *net, gint64 step, double *values, GError **error);

G_END_DECLS
