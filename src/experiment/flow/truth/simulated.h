/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Truths by the scene's own solver, in double, as LacCase.simulation says. What trains is either a family, the same beginning with
 * other coefficients and never the true ones, or the earlier part of the same trajectory. */
#pragma once

#include "experiment/flow/scene.h"

G_BEGIN_DECLS

/* LacScene.truth: n_times observations, steps_between steps apart, the first at the beginning or after what trains.
 * Returns: %NULL with an error: cancelled, or the flow left the numbers. */
LacTruth *lac_simulated_truth(gconstpointer     params,
                              const LacCase    *subject,
                              const LacContext *context,
                              GError          **error);

/* LacScene.estimate. */
void lac_simulated_estimate(const LacCase *subject, double *seconds, double *bytes);

/* Cost of a point and step of a solver in the plane, with four stages of @n_transforms Fourier transforms. */
double lac_simulated_spectral_ns(gsize n_points, guint n_transforms);

/* Where LacCase.exact says how the truth begins: a family in the coefficient that is named there. */
void lac_simulated_configure_exact(LacCase *subject);

G_END_DECLS
