/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The flow laboratory: every scene as an experiment, with the methods a person names side by side on the same sensors, the
 * same noise and the same truth. A run's step advances every method by its share, so that all end together; the time shown
 * sweeps through the observations meanwhile. */
#pragma once

#include "experiment/experiment.h"
#include "experiment/flow/scene.h"

G_BEGIN_DECLS

/* What lac_planner_evaluate() says of a layout. */
enum {
  LAC_FLOW_FIGURE_CONDITION, /* of the modes at the sensors; infinite where they cannot be told apart */
  LAC_FLOW_FIGURE_ERROR, /* %: of the static reconstruction, relative to the fluctuation, under the training spread */
};

/* The experiments, one a scene, in the order of the scenes. Made at the first call; any thread. */
const LacExperiment *const *lac_laboratory_experiments(gsize *n_experiments);

/* An experiment of a scene that is in no list; it and @scene stay to the end of the program. Any thread. */
const LacExperiment *lac_laboratory_add(const LacScene *scene);

/* Returns: (nullable): what was added last under that name. */
const LacExperiment *lac_laboratory_find_added(const char *name);

G_END_DECLS
