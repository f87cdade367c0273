/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The flow laboratory: every scene is an experiment in which the selected methods run side by side on the same
 * sensors, noise and truth. Each step of a run advances every method by its share, so that all end together, while
 * the displayed time sweeps through the observations. */
#pragma once

#include "experiment/experiment.h"
#include "experiment/flow/scene.h"

G_BEGIN_DECLS

/* Quality figures of a layout, as returned by lac_planner_evaluate(). */
enum {
  LAC_FLOW_FIGURE_ERROR, /* %: expected static reconstruction error relative to the fluctuation, under the prior */
  LAC_FLOW_FIGURE_CONDITION, /* condition number of the modes at the sensors; may be infinite */
};

/* Returns the experiments, one per scene, in the order of the scenes. Made at the first call; any thread. */
const LacExperiment *const *lac_laboratory_experiments(gsize *n_experiments);

/* Makes an experiment from an unlisted scene; both must remain valid until the program ends. @equation: (nullable): its
 * text, copied. Any thread. */
const LacExperiment *lac_laboratory_add(const LacScene *scene, const char *equation);

/* Returns: (nullable): the last experiment added under @name. */
const LacExperiment *lac_laboratory_find_added(const char *name);

G_END_DECLS
