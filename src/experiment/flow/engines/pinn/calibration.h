/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the sensors that no network learnt from say of the ensemble's deviation: by how much it is too small or too large. */
#pragma once

#include "experiment/flow/observations.h"
#include "experiment/flow/scene.h"

G_BEGIN_DECLS

/* The held-out places at all times, as the axes of the equation have them. @x: (out) (nullable): [n][n_axes]. Returns: n */
gsize lac_pinn_held_points(const LacCase         *subject,
                           const LacObservations *observations,
                           const guint8          *held_out,
                           double                *x);

/* The factor s with sum e^2 = sum (s^2 d^2 + sigma^2) over what was seen there, e the mean's error and d the deviation; at least a
 * tenth. @mean, @deviation: [n_fields][n] at those points. Returns: 1 where nothing was held out. */
double lac_pinn_held_scale(const LacCase         *subject,
                           const LacObservations *observations,
                           const guint8          *held_out,
                           const double          *mean,
                           const double          *deviation);

G_END_DECLS
