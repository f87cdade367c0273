/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hartree-Fock in a basis of contracted Gaussians, the target of pretraining. Spin-restricted if as many electrons
 * have spin up as down, unrestricted otherwise. Any thread; immutable once made.
 * Source: L. E. McMurchie and E. R. Davidson, J. Comput. Phys. 26, 218 (1978); P. Pulay, J. Comput. Chem. 3, 556
 * (1982). */
#pragma once

#include "base/pool.h"
#include "field/molecule.h"

G_BEGIN_DECLS

typedef struct _LacHartreeFock LacHartreeFock;

/**
 * lac_hartree_fock_new:
 * @basis: "sto-3g" or "6-31g"
 * @pool: computes the integrals; not retained
 *
 * Returns: %NULL with %LAC_ERROR_UNKNOWN_KEY (no such basis), %LAC_ERROR_OUT_OF_RANGE (more electrons of one spin than functions)
 * or %LAC_ERROR_FAILED (not converged).
 */
LacHartreeFock *
lac_hartree_fock_new(const LacMolecule *molecule, const char *basis, LacPool *pool, GError **error);
void lac_hartree_fock_free(LacHartreeFock *hf);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacHartreeFock, lac_hartree_fock_free)

double
lac_hartree_fock_get_energy(const LacHartreeFock *hf); /* hartree, including nuclear repulsion */
double lac_hartree_fock_get_spin_squared(const LacHartreeFock *hf); /* <S^2> */
guint  lac_hartree_fock_get_n_occupied(const LacHartreeFock *hf, gboolean is_up);

/* Returns the energies of the occupied orbitals, lowest first: [n_occupied], hartree. */
const double *lac_hartree_fock_get_levels(const LacHartreeFock *hf, gboolean is_up);

/* Evaluates the occupied orbitals: @points: [@n][3], @values: [@n][n_occupied]. */
void lac_hartree_fock_orbitals(const LacHartreeFock *hf,
                               gboolean              is_up,
                               const double         *points,
                               gsize                 n,
                               double               *values);

/* Computes the logarithm of the absolute value of the Hartree-Fock determinant, up to a constant. @positions:
 * [@n][N][3], spin-up electrons first; @log_abs: [@n]; -infinity on a node. */
void
lac_hartree_fock_value(const LacHartreeFock *hf, const double *positions, gsize n, double *log_abs);

G_END_DECLS
