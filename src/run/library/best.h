/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one number that tells a run from its neighbours: the result of its best method. */
#pragma once

#include "run/library/headline.h"

G_BEGIN_DECLS

/* Finds the best value, over the methods of the run, of its key result; of a run with a known energy, its distance from
 * that. What is only compared with the methods never counts. Returns: (nullable): NULL if there is no finite value. */
const LacHeadlineMetric *lac_run_headline_find_best(const LacRunHeadline *headline);

/* Returns TRUE for an error relative to the true field, shown in per cent. */
gboolean lac_headline_metric_is_share(const LacHeadlineMetric *metric);

G_END_DECLS
