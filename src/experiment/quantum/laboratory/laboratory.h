/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The quantum laboratory: computes the ground state of a molecule with a neural wavefunction, given only the
 * positions of its nuclei. Every known molecule is an experiment, and "molecule" takes a user-defined one. The steps
 * of a run belong, in order, to the pretraining, the burn-in, the optimisation, a second burn-in and the
 * evaluation. */
#pragma once

#include "experiment/experiment.h"

G_BEGIN_DECLS

/* Returns the experiments, created at the first call; any thread. */
const LacExperiment *const *lac_quantum_experiments(gsize *n_experiments);

G_END_DECLS
