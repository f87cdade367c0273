/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The imaging laboratory: every object is an experiment in which the chosen methods run side by side on the same
 * exposures. A run's step advances every method by its share, so that all end together. */
#pragma once

#include "experiment/experiment.h"

G_BEGIN_DECLS

/* Returns the experiments, one per object, in the order of the objects. Made at the first call; any thread. */
const LacExperiment *const *lac_imaging_experiments(gsize *n_experiments);

G_END_DECLS
