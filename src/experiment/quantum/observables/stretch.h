/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The force that stretches a molecule whose distances are all proportional to one bond: -dE/d(bond) of psi's own energy. Hartree and
 * bohr. One thread calls. */
#pragma once

#include "experiment/quantum/observables/observables.h"
#include "experiment/quantum/wavefunction/wavefunction.h"

G_BEGIN_DECLS

typedef struct {
  const LacMolecule *molecule;
  double             bond; /* its length in @molecule */
  const LacAnsatz   *ansatz;
  const char        *precision; /* "f64", "f32" */
  gsize              n_walkers;
  gsize              n_steps; /* batches at most */
  LacPool           *pool;
  const LacDevice   *device; /* (nullable): works on the walkers */
} LacStretchSettings;

typedef struct _LacStretch LacStretch;

/* Returns: NULL with an error: the ansatz is refused. */
LacStretch *lac_stretch_new(const LacStretchSettings *settings, GError **error);
void        lac_stretch_free(LacStretch *stretch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacStretch, lac_stretch_free)

/* One batch: walkers at @positions, [n_walkers][N][3], distributed as psi squared of @theta, and their local @energies, [n_walkers].
 *
 * Nuclei and electrons move together, all by the same factor, so that whoever is near a nucleus stays there and nothing diverges:
 * with R the bond, dE/dR = <dE_L/dR> + 2 <(E_L - <E_L>) d log|psi| / dR>, both by differences between a bond a little shorter and
 * one a little longer. Where psi is exact at every bond, E_L is E(R) at every walker and nothing scatters. Walkers without a number
 * do not count. Costs two local energies. Does not allocate after the first call.
 * Source: C. J. Umrigar, Int. J. Quantum Chem. 36, 217 (1989); R. Assaraf and M. Caffarel, J. Chem. Phys. 119, 10536 (2003). */
void lac_stretch_add(LacStretch   *stretch,
                     const double *theta,
                     const double *positions,
                     const double *energies);

/* As if no batch had been added. */
void lac_stretch_forget(LacStretch *stretch);

/* NaN before two batches. */
LacObserved lac_stretch_find(LacStretch *stretch);

/* All of it as one row of numbers. */
gsize lac_stretch_get_state_length(const LacStretch *stretch);
void  lac_stretch_save(const LacStretch *stretch, double *state);
void  lac_stretch_load(LacStretch *stretch, const double *state);

G_END_DECLS
