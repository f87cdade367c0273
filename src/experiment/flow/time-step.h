/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the forecast model of a scene is stepped finely enough for its flow. */
#pragma once

#include "experiment/flow/engine.h"

G_BEGIN_DECLS

/* The largest step that does not blow up: what the solver says of the beginning that the scene gives and of the snapshots
 * that train, with the coefficients as an engine begins. INFINITY where nothing limits it or there is no state to judge by.
 * Returns: NaN with an error: the solver cannot be made. */
double lac_time_step_find_largest(const LacProblem *problem, GError **error);

/* Returns: %FALSE with an error that names the largest step. */
gboolean lac_time_step_check(const LacProblem *problem, GError **error);

G_END_DECLS
