/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The orbitals of a wavefunction are pulled towards those of Hartree and Fock, at walkers that wander through the density of these.
 * Hartree and bohr. One thread. Source: Pfau et al. (2020), doi:10.1103/PhysRevResearch.2.033429, appendix */
#pragma once

#include "experiment/quantum/hartree-fock/hartree-fock.h"
#include "experiment/quantum/wavefunction/wavefunction.h"

G_BEGIN_DECLS

/* What lac_hartree_fock_new() takes, NULL at the end. */
const char *const *lac_pretraining_bases(void);

typedef struct {
  LacWavefunction *wave;
  const char      *basis;
  gsize            n_walkers;
  guint            n_moves; /* of the walkers a step */
  guint64          seed;
  LacPool         *pool;
} LacPretrainingSettings;

typedef struct _LacPretraining LacPretraining;

LacPretraining *lac_pretraining_new(const LacPretrainingSettings *settings, GError **error);
void            lac_pretraining_free(LacPretraining *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPretraining, lac_pretraining_free)

typedef struct {
  double loss;       /* mean square distance of an entry of the determinants from its target */
  double acceptance; /* of the walkers' moves */
} LacPretrainingReport;

/* One step of Adam on @theta. Does not allocate after the first. Returns: FALSE: the step is no number. */
gboolean lac_pretraining_step(LacPretraining       *self,
                              double               *theta,
                              double                rate,
                              LacPretrainingReport *report);

const double *lac_pretraining_get_positions(const LacPretraining *self);

/* All of it but theta, as one row of numbers. */
gsize lac_pretraining_get_state_length(const LacPretraining *self);
void  lac_pretraining_save(const LacPretraining *self, double *state);
void  lac_pretraining_load(LacPretraining *self, const double *state);

G_END_DECLS
