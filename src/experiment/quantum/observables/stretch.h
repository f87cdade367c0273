/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The force along the bond of a molecule whose distances all scale with one bond length: -dE/d(bond), with E the
 * energy of psi. Hartree and bohr. One thread. */
#pragma once

#include "base/packing.h"
#include "experiment/quantum/observables/observables.h"
#include "experiment/quantum/wavefunction/wavefunction.h"

G_BEGIN_DECLS

typedef struct {
  const LacMolecule *molecule;
  double             bond; /* bond length of @molecule */
  const LacAnsatz   *ansatz;
  const char        *precision; /* "f64", "f32" */
  gsize              n_walkers;
  gsize              n_steps; /* maximum number of batches */
  LacPool           *pool;
  const LacDevice   *device; /* (nullable): device that evaluates the walkers */
} LacStretchSettings;

typedef struct _LacStretch LacStretch;

/* Returns: NULL with an error if the ansatz is invalid. */
LacStretch *lac_stretch_new(const LacStretchSettings *settings, GError **error);
void        lac_stretch_free(LacStretch *stretch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacStretch, lac_stretch_free)

/* Adds one batch: walkers at @positions, [n_walkers][N][3], distributed as |psi|^2 at @theta, and their local
 * @energies, [n_walkers].
 *
 * Nuclei and electrons are scaled together, so that an electron near a nucleus stays near it and nothing diverges:
 * with R the bond length, dE/dR = <dE_L/dR> + 2 <(E_L - <E_L>) d log|psi| / dR>, where both derivatives on the right
 * are central differences in R. If psi is exact at every bond length, E_L is E(R) at every walker and the variance
 * is zero. Walkers with non-finite values do not count. Costs two local energies. Allocates only in the first call.
 * Source: C. J. Umrigar, Int. J. Quantum Chem. 36, 217 (1989); R. Assaraf and M. Caffarel, J. Chem. Phys. 119, 10536
 * (2003). */
void lac_stretch_add(LacStretch   *stretch,
                     const double *theta,
                     const double *positions,
                     const double *energies);

/* Discards all batches. */
void lac_stretch_forget(LacStretch *stretch);

/* Returns the force; NaN with fewer than two batches. */
LacObserved lac_stretch_find(LacStretch *stretch);

/* Packs the complete state. */
void lac_stretch_pack(gpointer stretch, LacPacking *packing);

G_END_DECLS
