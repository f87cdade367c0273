/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internals of Hartree-Fock: shells of contracted Gaussians and the integrals over them. */
#pragma once

#include "base/pool.h"
#include "experiment/quantum/hartree-fock/hartree-fock.h"

G_BEGIN_DECLS

#define LAC_SHELL_MAX_PRIMITIVES 6

/* One row of a basis table: one shell of an element. */
typedef struct {
  guint  charge;
  guint  angular;                                /* 0: s, 1: p */
  guint  n;                                      /* number of primitives */
  double exponents[LAC_SHELL_MAX_PRIMITIVES];    /* 1/bohr^2 */
  double coefficients[LAC_SHELL_MAX_PRIMITIVES]; /* for normalised primitives */
} LacShellRow;

#define LAC_STO_3G_ROWS 26
#define LAC_6_31G_ROWS  44
extern const LacShellRow lac_sto_3g[LAC_STO_3G_ROWS];
extern const LacShellRow lac_6_31g[LAC_6_31G_ROWS];

/* A shell at its nucleus: 1 function (s) or 3 (x, y, z); coefficients include all normalisation. */
typedef struct {
  double centre[3];
  guint  angular, n;
  guint  first; /* index of its first basis function */
  double exponents[LAC_SHELL_MAX_PRIMITIVES];
  double coefficients[LAC_SHELL_MAX_PRIMITIVES];
} LacShell;

typedef struct {
  guint     n_functions, n_shells;
  LacShell *shells;
} LacBasis;

/* Returns: FALSE with %LAC_ERROR_OUT_OF_RANGE for an element not in the basis set, %LAC_ERROR_UNKNOWN_KEY for an
 * unknown basis set. */
gboolean
lac_basis_build(LacBasis *basis, const LacMolecule *molecule, const char *name, GError **error);
void lac_basis_clear(LacBasis *basis);

/* Evaluates all functions at one point: @values: [n_functions]. */
void lac_basis_values(const LacBasis *basis, const double point[3], double *values);

#define LAC_BOYS_ORDER 4

/* Computes the Boys functions F_0 ... F_@order at @x >= 0, @order <= LAC_BOYS_ORDER. */
void lac_boys(guint order, double x, double *values);

/* Computes the overlap matrix, and the core Hamiltonian: kinetic energy plus nuclear attraction. [n][n] each. */
void lac_integrals_one(const LacBasis    *basis,
                       const LacMolecule *molecule,
                       double            *overlap,
                       double            *core);

/* Returns the index of the pair (ij). Repulsion integrals (ij|kl) are stored for i >= j, k >= l, ij >= kl:
 * [lac_integrals_two_size(n)]. */
static inline gsize
lac_integrals_pair(gsize i, gsize j)
{
  return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
}

static inline gsize
lac_integrals_two_size(gsize n)
{
  gsize n_pairs = n * (n + 1) / 2;

  return n_pairs * (n_pairs + 1) / 2;
}

void lac_integrals_two(const LacBasis *basis, LacPool *pool, double *values);

enum { LAC_UP, LAC_DOWN, LAC_N_SPINS };

struct _LacHartreeFock {
  LacBasis basis;
  double   energy, spin_squared;
  guint    n_occupied[LAC_N_SPINS];
  double  *orbitals[LAC_N_SPINS]; /* [n_occupied][n_functions] */
  double  *levels[LAC_N_SPINS];
};

G_END_DECLS
