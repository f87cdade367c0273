/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Observables besides the energy: dipole, forces on the nuclei, total spin; means over a walk with error bars by
 * blocking. Hartree atomic units. One thread. */
#pragma once

#include "base/packing.h"
#include "field/molecule.h"

G_BEGIN_DECLS

#define LAC_DEBYE_PER_ATOMIC_UNIT \
  2.541746473 /* debye per atomic unit of dipole moment; CODATA 2018 */

typedef struct _LacObservables LacObservables;

/* @n_steps: maximum number of batches. */
LacObservables *lac_observables_new(const LacMolecule *molecule, gsize n_steps);
void            lac_observables_free(LacObservables *observables);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacObservables, lac_observables_free)

typedef struct {
  gsize         n_walkers;
  const double *positions; /* [n_walkers][N][3] */
  const double
    *gradients; /* (nullable) [n_walkers][N][3]: gradients of log |psi|; NULL: no forces */
  const double *spin_squared; /* (nullable) [n_walkers], from lac_spin_squared() */
} LacObservedBatch;

/* Adds one batch, which becomes one sample of each observable. Walkers with a non-finite value do not count. Does not
 * allocate. */
void lac_observables_add(LacObservables *observables, const LacObservedBatch *batch);

gsize lac_observables_get_n_batches(const LacObservables *observables);

typedef struct {
  double value, error; /* mean and its standard error; NaN if unknown */
} LacObserved;

/* Returns component 0 to 2 of the dipole moment, in e bohr: sum Z R - sum r. It depends on the origin if the molecule
 * is charged. */
LacObserved lac_observables_get_dipole(LacObservables *observables, guint component);

/* Finds the components of the dipole moment that are 0 by symmetry: bit c of the result, and the centre of the nuclear
 * charge, about which they are. Looks for reflections and rotations by half a turn along the axes only, so that a
 * molecule in another orientation may have more. */
guint lac_dipole_find_forbidden(const LacMolecule *molecule, double centre[3]);

/* Returns the largest forbidden component of the measured dipole moment in its standard errors; 0 where none is
 * forbidden. */
double lac_observables_get_forbidden_dipole(LacObservables *observables);

/* Returns the force on a nucleus, hartree/bohr: the sum over electrons of (grad Q) . grad log |psi|, with
 * Q = Z (r - R) / |r - R|, plus the force of the other nuclei. Its mean is that of the Hellmann-Feynman force for any
 * psi, with finite variance; for an exact psi it is -dE/dR.
 * Source: R. Assaraf and M. Caffarel, J. Chem. Phys. 119, 10536 (2003). */
LacObserved lac_observables_get_force(LacObservables *observables, guint nucleus, guint component);

LacObserved lac_observables_get_spin_squared(LacObservables *observables);

/* Packs the complete state. */
void lac_observables_pack(gpointer observables, LacPacking *packing);

/* Computes log |psi| and the sign of psi, -1 or 1, for @n_walkers walkers at @positions, [n_walkers][N][3]. */
typedef void (*LacSignedAmplitude)(const double *positions,
                                   gsize         n_walkers,
                                   double       *log_abs,
                                   gint8        *sign,
                                   gpointer      user_data);

/* Bytes of scratch for S^2 of @n_walkers walkers with @n_electrons electrons each. */
#define LAC_SPIN_SQUARED_SCRATCH(n_walkers, n_electrons) \
  ((n_walkers) * ((3 * (n_electrons) + 1) * sizeof(double) + sizeof(gint8)))

/* Settings for S^2 of every walker: S_z (S_z + 1) + N_down - sum over up-down pairs of psi(pair exchanged) / psi. */
typedef struct {
  const LacMolecule *molecule;
  gsize              n_walkers;
  LacSignedAmplitude amplitude; /* called N_up N_down times */
  gpointer           user_data;
  gpointer scratch; /* (nullable): [LAC_SPIN_SQUARED_SCRATCH] bytes; NULL: allocated by the call */
} LacSpinSquared;

/* Computes S^2 of every walker. @log_abs, @sign: those of psi at @positions; @values: (out) [n_walkers]. */
void lac_spin_squared(const LacSpinSquared *spin,
                      const double         *positions,
                      const double         *log_abs,
                      const gint8          *sign,
                      double               *values);

G_END_DECLS
