/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pretraining: fits the orbitals of a wavefunction to those of Hartree-Fock, at walkers sampled from the Hartree-Fock
 * density. Hartree and bohr. One thread. Source: Pfau et al. (2020), doi:10.1103/PhysRevResearch.2.033429, appendix */
#pragma once

#include "base/packing.h"
#include "experiment/quantum/hartree-fock/hartree-fock.h"
#include "experiment/quantum/wavefunction/wavefunction.h"

G_BEGIN_DECLS

/* Returns the names of basis sets for lac_hartree_fock_new(), NULL-terminated. */
const char *const *lac_pretraining_bases(void);
/* Returns their names, in the same order. */
const char *const *lac_pretraining_basis_titles(void);

typedef struct {
  LacWavefunction *wave;
  const char      *basis;
  gsize            n_walkers;
  guint            n_moves; /* moves of the walkers per step */
  guint64          seed;
  LacPool         *pool;
} LacPretrainingSettings;

typedef struct _LacPretraining LacPretraining;

LacPretraining *lac_pretraining_new(const LacPretrainingSettings *settings, GError **error);
void            lac_pretraining_free(LacPretraining *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPretraining, lac_pretraining_free)

typedef struct {
  double loss;       /* mean square difference between determinant entries and their targets */
  double acceptance; /* acceptance ratio of the walkers' moves */
} LacPretrainingReport;

/* Takes one step of Adam on @theta. Allocates only in the first call. Returns: FALSE if the step is not finite. */
gboolean lac_pretraining_step(LacPretraining       *self,
                              double               *theta,
                              double                rate,
                              LacPretrainingReport *report);

const double *lac_pretraining_get_positions(const LacPretraining *self);

/* Packs the complete state except theta. */
void lac_pretraining_pack(gpointer self, LacPacking *packing);

G_END_DECLS
