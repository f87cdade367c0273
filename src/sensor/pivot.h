/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pivots of QR on the transposed modes. */
#pragma once

#include "sensor/placement.h"

G_BEGIN_DECLS

/* Each sensor is the open point whose rows have the largest part left outside of those already chosen, less its cost; ties go
 * to the smallest index. With one component and without constraints these are the pivots of LAPACK's dgeqp3. Once nothing is
 * left the remaining sensors are greedy steps of the determinant. As the member `choose` of a placement method otherwise. */
gboolean lac_pivot_choose(const LacPlacementProblem *problem,
                          gsize                     *places,
                          gsize                      n_sensors,
                          GError                   **error);

G_END_DECLS
