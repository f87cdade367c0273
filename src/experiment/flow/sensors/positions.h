/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sensor positions given by the user (experiment/places.h), converted to bilinear stencils of the grid. */
#pragma once

#include "experiment/flow/observations.h"
#include "experiment/flow/truth.h"
#include "experiment/places.h"

G_BEGIN_DECLS

/**
 * lac_positions_stencil:
 * @sensor: x, y and field are set; rows and weights are filled
 *
 * Returns: FALSE with an error if the position is outside the grid or inside a hole.
 */
gboolean lac_positions_stencil(const LacTruth *truth, LacSensor *sensor, GError **error);

G_END_DECLS
