/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of Hartree and Fock: shells of contracted Gaussians and the integrals over them. */
#pragma once

#include "base/pool.h"
#include "experiment/quantum/hartree-fock/hartree-fock.h"

G_BEGIN_DECLS

#define LAC_SHELL_MAX_PRIMITIVES 6

/* One row of a basis table: what a shell of an element is made of. */
typedef struct {
  guint  charge;
  guint  angular;                                /* 0: s, 1: p */
  guint  n;                                      /* primitives */
  double exponents[LAC_SHELL_MAX_PRIMITIVES];    /* 1/bohr^2 */
  double coefficients[LAC_SHELL_MAX_PRIMITIVES]; /* of normalised primitives */
} LacShellRow;

#define LAC_STO_3G_ROWS 26
#define LAC_6_31G_ROWS  44
extern const LacShellRow lac_sto_3g[LAC_STO_3G_ROWS];
extern const LacShellRow lac_6_31g[LAC_6_31G_ROWS];

/* A shell at its nucleus: 1 function (s) or 3 (x, y, z), coefficients with all norms in. */
typedef struct {
  double centre[3];
  guint  angular, n;
  guint  first; /* of its functions in the basis */
  double exponents[LAC_SHELL_MAX_PRIMITIVES];
  double coefficients[LAC_SHELL_MAX_PRIMITIVES];
} LacShell;

typedef struct {
  guint     n_functions, n_shells;
  LacShell *shells;
} LacBasis;

/* Returns: FALSE with %LAC_ERROR_OUT_OF_RANGE for an element without a row, %LAC_ERROR_UNKNOWN_KEY for an unknown name. */
gboolean
lac_basis_build(LacBasis *basis, const LacMolecule *molecule, const char *name, GError **error);
void lac_basis_clear(LacBasis *basis);

/* All functions at one point: @values: [n_functions]. */
void lac_basis_values(const LacBasis *basis, const double point[3], double *values);

/* Boys' function F_0 ... F_@order of @x >= 0, @order <= LAC_BOYS_ORDER. */
#define LAC_BOYS_ORDER 4
void lac_boys(guint order, double x, double *values);

/* Overlap, and kinetic energy plus attraction by the nuclei: [n][n]. */
void lac_integrals_one(const LacBasis    *basis,
                       const LacMolecule *molecule,
                       double            *overlap,
                       double            *core);

/* Repulsion (ij|kl) of all, for i >= j, k >= l, ij >= kl: @values: [lac_integrals_two_size(n)]. */
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
