/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Start of a network: its output layer fitted to the measurements and conditions by least squares. Source: Wang, Li, Chen
 * and Perdikaris (2024), PirateNets, arXiv 2402.00326. */
#pragma once

#include "experiment/flow/methods/pinn/loss.h"

G_BEGIN_DECLS

/**
 * lac_pinn_fit_last_layer:
 * @settings: of the loss; its residuals, which are not linear in the fields, are left out of the fit
 * @rng: for the points of the conditions
 * @theta: (inout): [n_parameters] of the model; only the output layer changes
 *
 * The misfits of measurements and conditions are affine in the output layer, with hard conditions too if those are.
 * The layer is kept as it was if the fit does not reduce them.
 *
 * Returns: %FALSE with %LAC_ERROR_DEVICE, %LAC_ERROR_FAILED or %LAC_ERROR_CANCELLED set.
 */
gboolean lac_pinn_fit_last_layer(const LacPinnLossSettings *settings,
                                 const LacContext          *context,
                                 LacRng                    *rng,
                                 double                    *theta,
                                 GError                   **error);

G_END_DECLS
