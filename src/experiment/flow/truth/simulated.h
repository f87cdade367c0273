/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Truth computed by the scene's own solver, in double, as LacCase.simulation specifies. Training snapshots are either
 * a family (the same initial condition with other coefficients, never the true ones) or the earlier part of the same
 * trajectory. */
#pragma once

#include "experiment/flow/scene.h"

G_BEGIN_DECLS

/* See LacScene.truth: n_times observations, steps_between steps apart, the first at the initial condition or after
 * the training part. Returns: %NULL with an error if cancelled or the flow diverged. */
LacTruth *lac_simulated_truth(gconstpointer     params,
                              const LacCase    *subject,
                              const LacContext *context,
                              GError          **error);

/* See LacScene.estimate. */
void lac_simulated_estimate(const LacCase *subject, double *seconds, double *bytes);

/* Returns the nanoseconds per point and step of a 2D solver on @n_points points, with four stages of @n_transforms
 * Fourier transforms. */
double lac_simulated_spectral_ns(gsize n_points, guint n_transforms);

/* Configures a case whose initial condition is LacCase.exact->solution; the family varies exact->family_coefficient. */
void lac_simulated_configure_exact(LacCase *subject);

G_END_DECLS
