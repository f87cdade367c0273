/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answer of a run in one sentence: which method is the best, and how good it and the others are. */
#pragma once

#include "report/summary/method-table.h"

G_BEGIN_DECLS

/* Returns: (transfer full) (nullable): translated, computed from the column that ranks the methods: "Gappy POD is the
 * best of 3 methods with 0.21 % (mean over observations 101–150); then Ensemble Kalman filter 0.3 %."; NULL while
 * there is no value. */
char *lac_method_answer_dup(const LacMethodTable *table);

G_END_DECLS
