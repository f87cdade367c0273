/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The quantum laboratory: the ground state of a molecule by a neural wavefunction, from nothing but the positions of its nuclei.
 * Every known molecule is an experiment, and "molecule" is what a person writes down. A run's steps are, one after the other,
 * steps of the pretraining, of the burn-in, of the optimisation, of a second burn-in and of the evaluation. */
#pragma once

#include "experiment/experiment.h"

G_BEGIN_DECLS

/* Made at the first call; any thread. */
const LacExperiment *const *lac_quantum_experiments(gsize *n_experiments);

G_END_DECLS
