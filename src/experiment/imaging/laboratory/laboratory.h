/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The imaging laboratory: every object as an experiment, with the solvers a person names side by side on the same exposures. A run's
 * step advances every solver by its share, so that all end together. */
#pragma once

#include "experiment/experiment.h"

G_BEGIN_DECLS

/* The experiments, one an object, in the order of the objects. Made at the first call; any thread. */
const LacExperiment *const *lac_imaging_experiments(gsize *n_experiments);

G_END_DECLS
