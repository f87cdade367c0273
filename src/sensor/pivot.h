/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Column-pivoted QR of the transposed modes. */
#pragma once

#include "sensor/placement.h"

G_BEGIN_DECLS

/* Chooses for each sensor the open point whose rows have the largest residual outside the span of the rows already
 * chosen, minus its cost; ties go to the smallest index. With one component and no constraints these are the pivots
 * of LAPACK's dgeqp3. Once no residual is left, the remaining sensors are chosen greedily by the log-determinant.
 * Otherwise like LacPlacementMethod.choose. */
gboolean lac_pivot_choose(const LacPlacementProblem *problem,
                          gsize                     *places,
                          gsize                      n_sensors,
                          GError                   **error);

G_END_DECLS
