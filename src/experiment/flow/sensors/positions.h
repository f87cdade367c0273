/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places that a person names (experiment/places.h), put on a grid as bilinear stencils. */
#pragma once

#include "experiment/flow/observations.h"
#include "experiment/flow/truth.h"
#include "experiment/places.h"

G_BEGIN_DECLS

/**
 * lac_positions_stencil:
 * @sensor: x, y and field are set; rows and weights are filled
 *
 * Returns: FALSE with an error where the place is outside of the grid or inside of what is cut out.
 */
gboolean lac_positions_stencil(const LacTruth *truth, LacSensor *sensor, GError **error);

G_END_DECLS
