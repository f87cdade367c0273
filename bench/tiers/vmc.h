/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Variational Monte Carlo without a run around it, in a selected variant: the operations of an iteration one by one. */
#pragma once

#include "bench/tiers/training.h"

G_BEGIN_DECLS

typedef struct {
  const char *molecule; /* of the laboratory: "h2" */
  LacAnsatz   ansatz;
  gsize       n_walkers;
  gint64      n_iterations; /* of the comparison of energies */
} LacVmcCase;

typedef struct _LacVmc LacVmc;

/* @way: its threads, precision, and the switches of the wavefunction. Returns: NULL with an error */
LacVmc *lac_vmc_new(const LacVmcCase *subject, const LacBenchWay *way, GError **error);
void    lac_vmc_free(LacVmc *vmc);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacVmc, lac_vmc_free)

/* Move all walkers; compute local energies and their gradient; take a step of Adam; evaluate log |psi|; do the first
 * three together. Return: FALSE with an error if the step is not finite. */
gboolean lac_vmc_move(LacVmc *vmc, GError **error);
gboolean lac_vmc_find_gradient(LacVmc *vmc, GError **error);
gboolean lac_vmc_update(LacVmc *vmc, GError **error);
gboolean lac_vmc_evaluate(LacVmc *vmc, GError **error);
gboolean lac_vmc_train(LacVmc *vmc, GError **error);

double lac_vmc_get_energy(const LacVmc *vmc); /* mean of the walkers, hartree */

G_END_DECLS
