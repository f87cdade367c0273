/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Self-consistent field: Fock matrices, extrapolation (DIIS), several initial guesses of which the lowest solution is
 * used. */
#include "experiment/quantum/hartree-fock/hartree-fock.h"

#include "backend/dense.h"
#include "base/error.h"
#include "base/rng.h"
#include "experiment/quantum/hartree-fock/hartree-fock-private.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define MAX_ITERATIONS 300
#define HISTORY        8    /* number of Fock matrices for the extrapolation */
#define CONVERGED      1e-9 /* largest element of F D S - S D F: the energy error is its square */
#define ACCEPTED       1e-5 /* limit by rounding when nuclei nearly coincide */
#define DEPENDENT \
  1e-7 /* combinations of functions with a smaller overlap eigenvalue are left out */
#define N_BEGINNINGS \
  6 /* initial guesses: the core Hamiltonian, then its orbitals rotated at random */
#define TURN          0.3
#define RANDOM_STREAM 0x6866 /* arbitrary: initial guesses are the same in every run */

/* Matrices are n x n unless stated otherwise; reduced ones m x m in the orthonormal combinations X. */
typedef struct {
  gsize    n, m;
  guint    n_occupied[LAC_N_SPINS];
  gboolean restricted;
  double  *overlap, *core, *two;
  double  *x;                     /* [m][n], rows: orthonormal combinations */
  double  *orbitals[LAC_N_SPINS]; /* [m][n], lowest first */
  double  *levels[LAC_N_SPINS];   /* [m] */
  double  *density[LAC_N_SPINS], *fock[LAC_N_SPINS];
  double  *coulomb;
  double  *past_fock[HISTORY], *past_error[HISTORY]; /* [spins][n n], [spins][m m] */
  guint    n_past;
  double  *scratch[3];
} Field;

static void
field_init(Field *field, const LacBasis *basis, const LacMolecule *molecule)
{
  gsize n = basis->n_functions, square = n * n;

  memset(field, 0, sizeof *field);
  field->n = n;
  field->n_occupied[LAC_UP] = molecule->n_up;
  field->n_occupied[LAC_DOWN] = molecule->n_down;
  field->restricted = molecule->n_up == molecule->n_down;
  field->overlap = g_new0(double, square);
  field->core = g_new0(double, square);
  field->coulomb = g_new0(double, square);
  field->two = g_new0(double, lac_integrals_two_size(n));
  field->x = g_new0(double, square);
  for (guint s = 0; s < LAC_N_SPINS; s++) {
    field->orbitals[s] = g_new0(double, square);
    field->levels[s] = g_new0(double, n);
    field->density[s] = g_new0(double, square);
    field->fock[s] = g_new0(double, square);
  }
  for (guint i = 0; i < HISTORY; i++) {
    field->past_fock[i] = g_new0(double, LAC_N_SPINS *square);
    field->past_error[i] = g_new0(double, LAC_N_SPINS *square);
  }
  for (guint i = 0; i < G_N_ELEMENTS(field->scratch); i++)
    field->scratch[i] = g_new0(double, square);
}

static void
field_clear(Field *field)
{
  g_free(field->overlap);
  g_free(field->core);
  g_free(field->coulomb);
  g_free(field->two);
  g_free(field->x);
  for (guint s = 0; s < LAC_N_SPINS; s++) {
    g_free(field->orbitals[s]);
    g_free(field->levels[s]);
    g_free(field->density[s]);
    g_free(field->fock[s]);
  }
  for (guint i = 0; i < HISTORY; i++) {
    g_free(field->past_fock[i]);
    g_free(field->past_error[i]);
  }
  for (guint i = 0; i < G_N_ELEMENTS(field->scratch); i++)
    g_free(field->scratch[i]);
}

/* Computes X = s^(-1/2) U^T: orthonormal combinations. Returns: FALSE if the eigenproblem does not converge. */
static gboolean
orthonormal_combinations(Field *field)
{
  gsize              n = field->n;
  g_autofree double *values = g_new(double, n);

  memcpy(field->x, field->overlap, n * n * sizeof(double));
  if (!lac_dense_eigh(field->x, n, values))
    return FALSE;
  while (field->m < n && values[field->m] > DEPENDENT)
    field->m++;
  for (gsize i = 0; i < field->m; i++)
    for (gsize j = 0; j < n; j++)
      field->x[i * n + j] /= sqrt(values[i]);
  return TRUE;
}

/* Computes the orbitals of a Fock matrix, lowest first. */
static gboolean
diagonalise(Field *field, const double *fock, guint spin)
{
  gsize   n = field->n, m = field->m;
  double *half = field->scratch[0], *reduced = field->scratch[1], *values = field->scratch[2];

  lac_dense_gemm(FALSE, FALSE, m, n, n, 1, field->x, n, fock, n, 0, half, n);
  lac_dense_gemm(FALSE, TRUE, m, m, n, 1, half, n, field->x, n, 0, reduced, m);
  if (!lac_dense_eigh(reduced, m, values))
    return FALSE;
  lac_dense_gemm(FALSE, FALSE, m, n, m, 1, reduced, m, field->x, n, 0, half, n);
  for (gsize i = 0; i < m; i++) {
    memcpy(field->orbitals[spin] + i * n, half + (m - 1 - i) * n, n * sizeof(double));
    field->levels[spin][i] = values[m - 1 - i];
  }
  return TRUE;
}

static void
fill_density(Field *field, guint spin)
{
  gsize n = field->n;

  lac_dense_gemm(TRUE, FALSE, n, n, field->n_occupied[spin], 1, field->orbitals[spin], n,
                 field->orbitals[spin], n, 0, field->density[spin], n);
}

/* Adds one integral to half of the elements of its eight equal permutations; a transposition adds the others;
 * coinciding elements are halved beforehand. */
static void
scatter(Field *field, gsize at[4], double value, const double *total)
{
  gsize n = field->n, i = at[0], j = at[1], k = at[2], l = at[3];

  field->coulomb[i * n + j] += 2 * value * total[k * n + l];
  field->coulomb[k * n + l] += 2 * value * total[i * n + j];
  for (guint s = 0; s < LAC_N_SPINS; s++) {
    const double *density = field->density[s];
    double       *fock = field->fock[s];

    if (s == LAC_DOWN && field->restricted)
      break;
    fock[i * n + k] -= value * density[j * n + l];
    fock[j * n + k] -= value * density[i * n + l];
    fock[i * n + l] -= value * density[j * n + k];
    fock[j * n + l] -= value * density[i * n + k];
  }
}

/* F = h + J[D] - K[D of this spin]. */
static void
fill_fock(Field *field)
{
  gsize         n = field->n;
  double       *total = field->scratch[0];
  const double *next = field->two;

  for (gsize i = 0; i < n * n; i++)
    total[i] = field->density[LAC_UP][i] + field->density[LAC_DOWN][i];
  memset(field->coulomb, 0, n * n * sizeof(double));
  for (guint s = 0; s < LAC_N_SPINS; s++)
    memset(field->fock[s], 0, n * n * sizeof(double));
  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j <= i; j++)
      for (gsize k = 0; k <= i; k++)
        for (gsize l = 0; l <= (k == i ? j : k); l++) {
          double value = *next++;

          value *= (i == j ? 0.5 : 1) * (k == l ? 0.5 : 1) * (i == k && j == l ? 0.5 : 1);
          scatter(field, (gsize[]){i, j, k, l}, value, total);
        }
  for (guint s = 0; s < (field->restricted ? 1 : LAC_N_SPINS); s++)
    for (gsize i = 0; i < n; i++)
      for (gsize j = 0; j <= i; j++) {
        double repulsion = field->coulomb[i * n + j] + field->coulomb[j * n + i];
        double exchange = field->fock[s][i * n + j] + field->fock[s][j * n + i];

        field->fock[s][i * n + j] = field->fock[s][j * n + i] =
          field->core[i * n + j] + repulsion + exchange;
      }
  if (field->restricted)
    memcpy(field->fock[LAC_DOWN], field->fock[LAC_UP], n * n * sizeof(double));
}

static double
electronic_energy(const Field *field)
{
  double sum = 0;

  for (guint s = 0; s < LAC_N_SPINS; s++)
    for (gsize i = 0; i < field->n * field->n; i++)
      sum += 0.5 * field->density[s][i] * (field->core[i] + field->fock[s][i]);
  return sum;
}

/* Computes X (F D S - S D F) X^T, which is 0 when F and D share their orbitals. Returns: its largest element. */
static double
commutator(Field *field, guint spin, double *error)
{
  gsize   n = field->n, m = field->m;
  double *first = field->scratch[0], *second = field->scratch[1], largest = 0;

  lac_dense_gemm(FALSE, FALSE, n, n, n, 1, field->fock[spin], n, field->density[spin], n, 0, first,
                 n);
  lac_dense_gemm(FALSE, FALSE, n, n, n, 1, first, n, field->overlap, n, 0, second, n);
  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < n; j++)
      first[i * n + j] = second[i * n + j] - second[j * n + i];
  lac_dense_gemm(FALSE, FALSE, m, n, n, 1, field->x, n, first, n, 0, second, n);
  lac_dense_gemm(FALSE, TRUE, m, m, n, 1, second, n, field->x, n, 0, error, m);
  for (gsize i = 0; i < m * m; i++)
    largest = fmax(largest, fabs(error[i]));
  return largest;
}

static double
dot(const double *a, const double *b, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* Replaces the Fock matrices by the combination of past ones whose errors cancel best. */
static void
extrapolate(Field *field)
{
  gsize  n = field->n, m = field->m, n_past = MIN(field->n_past, HISTORY), size = n_past + 1;
  double matrix[(HISTORY + 1) * (HISTORY + 1)] = {0}, weights[HISTORY + 1] = {0}, scale;
  gsize  latest = (field->n_past - 1) % HISTORY;

  scale = dot(field->past_error[latest], field->past_error[latest], LAC_N_SPINS * m * m);
  if (n_past < 2 || scale <= 0)
    return;
  for (gsize i = 0; i < n_past; i++) {
    for (gsize j = 0; j < n_past; j++)
      matrix[i * size + j] =
        dot(field->past_error[i], field->past_error[j], LAC_N_SPINS * m * m) / scale;
    matrix[i * size + n_past] = matrix[n_past * size + i] = -1;
  }
  weights[n_past] = -1;
  if (!lac_dense_least_squares(matrix, size, size, weights, 1))
    return;
  for (guint s = 0; s < LAC_N_SPINS; s++) {
    memset(field->fock[s], 0, n * n * sizeof(double));
    for (gsize p = 0; p < n_past; p++)
      for (gsize i = 0; i < n * n; i++)
        field->fock[s][i] += weights[p] * field->past_fock[p][s * n * n + i];
  }
}

/* Sets initial orbitals of the core Hamiltonian; after the first guess rotated among themselves at random. */
static gboolean
begin(Field *field, guint beginning)
{
  gsize  n = field->n, m = field->m;
  LacRng rng = lac_rng(beginning, RANDOM_STREAM);

  for (guint s = 0; s < LAC_N_SPINS; s++) {
    double *turn = field->scratch[0], *turned = field->scratch[1];

    if (!diagonalise(field, field->core, s))
      return FALSE;
    if (beginning > 0 && !(s == LAC_DOWN && field->restricted)) {
      g_autofree double *work = g_new(double, LAC_DENSE_ORTHONORMAL_WORK *m);

      for (gsize i = 0; i < m * m; i++)
        turn[i] = TURN * lac_rng_normal(&rng) + (i % (m + 1) == 0 ? 1 : 0);
      if (!lac_dense_orthonormal_rows(turn, m, m, work))
        return FALSE;
      lac_dense_gemm(FALSE, FALSE, m, n, m, 1, turn, m, field->orbitals[s], n, 0, turned, n);
      memcpy(field->orbitals[s], turned, m * n * sizeof(double));
    }
    if (s == LAC_DOWN && field->restricted)
      memcpy(field->orbitals[LAC_DOWN], field->orbitals[LAC_UP], m * n * sizeof(double));
    fill_density(field, s);
  }
  field->n_past = 0;
  return TRUE;
}

/* Returns: the electronic energy; NaN: not converged. */
static double
iterate(Field *field)
{
  gsize  n = field->n, m = field->m;
  double energy = (double) NAN, error = INFINITY;

  for (guint iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    gsize at = field->n_past % HISTORY;

    fill_fock(field);
    energy = electronic_energy(field);
    error = 0;
    for (guint s = 0; s < LAC_N_SPINS; s++) {
      memcpy(field->past_fock[at] + s * n * n, field->fock[s], n * n * sizeof(double));
      error = fmax(error, commutator(field, s, field->past_error[at] + s * m * m));
    }
    field->n_past++;
    if (error < CONVERGED)
      break;
    extrapolate(field);
    for (guint s = 0; s < LAC_N_SPINS; s++) {
      if (!diagonalise(field, field->fock[s], s))
        return (double) NAN;
      fill_density(field, s);
    }
  }
  return error < ACCEPTED ? energy : (double) NAN;
}

/* <S^2> = S_z (S_z + 1) + N_down - sum of the squared overlaps of up and down orbitals. */
static double
spin_squared(const LacHartreeFock *hf, const double *overlap)
{
  gsize  n = hf->basis.n_functions;
  double z = 0.5 * ((double) hf->n_occupied[LAC_UP] - (double) hf->n_occupied[LAC_DOWN]);
  double sum = z * (z + 1) + hf->n_occupied[LAC_DOWN];

  for (guint i = 0; i < hf->n_occupied[LAC_UP]; i++)
    for (guint j = 0; j < hf->n_occupied[LAC_DOWN]; j++) {
      double product = 0;

      for (gsize k = 0; k < n; k++)
        product +=
          hf->orbitals[LAC_UP][i * n + k] * dot(overlap + k * n, hf->orbitals[LAC_DOWN] + j * n, n);
      sum -= product * product;
    }
  return sum;
}

static void
keep(LacHartreeFock *hf, const Field *field, double energy)
{
  hf->energy = energy;
  for (guint s = 0; s < LAC_N_SPINS; s++) {
    memcpy(hf->orbitals[s], field->orbitals[s], field->n_occupied[s] * field->n * sizeof(double));
    memcpy(hf->levels[s], field->levels[s], field->n_occupied[s] * sizeof(double));
  }
  hf->spin_squared = spin_squared(hf, field->overlap);
}

static gboolean
solve(LacHartreeFock *hf, Field *field, GError **error)
{
  gboolean found = FALSE;

  if (field->n_occupied[LAC_UP] > field->m || field->n_occupied[LAC_DOWN] > field->m) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                _("%u electrons of one spin do not fit into a basis of %u functions. Use 6-31g, "
                  "which has more functions than sto-3g, or set pretraining to 0."),
                MAX(field->n_occupied[LAC_UP], field->n_occupied[LAC_DOWN]), (guint) field->m);
    return FALSE;
  }
  for (guint beginning = 0; beginning < N_BEGINNINGS; beginning++) {
    double energy = begin(field, beginning) ? iterate(field) : (double) NAN;

    /* Later guesses must be lower by more than the convergence error. */
    if (!isfinite(energy) || (found && energy > hf->energy - 1e-9))
      continue;
    keep(hf, field, energy);
    found = TRUE;
  }
  if (!found)
    g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED,
                _("The Hartree-Fock equations did not converge within %d iterations from any of %d "
                  "initial guesses. Set pretraining to 0 or choose another geometry."),
                MAX_ITERATIONS, N_BEGINNINGS);
  return found;
}

LacHartreeFock *
lac_hartree_fock_new(const LacMolecule *molecule, const char *basis, LacPool *pool, GError **error)
{
  g_autoptr(LacHartreeFock) hf = g_new0(LacHartreeFock, 1);
  Field                     field;
  gboolean                  is_solved;

  if (!lac_basis_build(&hf->basis, molecule, basis, error))
    return NULL;
  field_init(&field, &hf->basis, molecule);
  for (guint s = 0; s < LAC_N_SPINS; s++) {
    hf->n_occupied[s] = field.n_occupied[s];
    hf->orbitals[s] = g_new0(double, field.n_occupied[s] * field.n + 1);
    hf->levels[s] = g_new0(double, field.n_occupied[s] + 1);
  }
  lac_integrals_one(&hf->basis, molecule, field.overlap, field.core);
  lac_integrals_two(&hf->basis, pool, field.two);
  is_solved = orthonormal_combinations(&field) && solve(hf, &field, error);
  field_clear(&field);
  if (!is_solved)
    return NULL;
  hf->energy += lac_molecule_get_repulsion(molecule);
  return g_steal_pointer(&hf);
}
