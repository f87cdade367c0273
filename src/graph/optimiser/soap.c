/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SOAP: Adam in the slowly rotating eigenbases of G G^T and G^T G of every matrix. Source: Vyas et al. (2024), arXiv
 * 2409.11321, algorithm 3; as there, the first gradient only sets up the first bases. All state is stored and
 * computed in double on the host, on the calling thread. */
#include "backend/dense.h"
#include "base/error.h"
#include "graph/optimiser/optimiser-private.h"

#include <math.h>
#include <string.h>

#define LONGEST_SIDE 10000 /* a longer side is not rotated */

/* numbers: the common ones, whether there are bases, m [n], v in the basis [n], then the sides of the matrices */
enum { HAS_BASES = LAC_N_NUMBERS, M };

/* One side of a matrix; NULL members: not rotated. */
typedef struct {
  gsize   n;
  double *mean;  /* [n][n] running mean of G G^T or G^T G */
  double *basis; /* [n][n] one eigenvector per row */
} Side;

typedef struct {
  const LacMatrixShape *shape;
  Side                  left, right;
  double               *v; /* second moment of the matrix, in the basis */
} Matrix;

/* Layout of optimiser->work. */
typedef struct {
  double *gradient, *theta; /* [n] */
  double *rotated, *change; /* size of the largest part */
  double *spare; /* size of the largest part, also for the factorisation of the longest side */
} Scratch;

static gboolean
is_rotated(gsize n)
{
  return n > 1 && n <= LONGEST_SIDE;
}

/* Returns the size of theta, or the square of a side if larger; @longest: (out): longest rotated side */
static gsize
largest_part(const LacOptimiser *optimiser, gsize *longest)
{
  *longest = 0;
  for (gsize i = 0; i < optimiser->settings.n_matrices; i++) {
    const LacMatrixShape *shape = &optimiser->settings.matrices[i];

    if (is_rotated(shape->n_rows))
      *longest = MAX(*longest, shape->n_rows);
    if (is_rotated(shape->n_columns))
      *longest = MAX(*longest, shape->n_columns);
  }
  return MAX(optimiser->n, *longest * *longest);
}

static void
lay_out(LacOptimiser *optimiser)
{
  gsize longest, largest = largest_part(optimiser, &longest), end = 0;

  optimiser->n_kept = 0;
  optimiser->n_scratch = optimiser->n; /* the gradient */
  optimiser->n_numbers = M + 2 * optimiser->n;
  for (gsize i = 0; i < optimiser->settings.n_matrices; i++) {
    const LacMatrixShape *shape = &optimiser->settings.matrices[i];

    g_assert(shape->offset >= end);
    end = shape->offset + shape->n_rows * shape->n_columns;
    g_assert(end <= optimiser->n);
    optimiser->n_numbers += is_rotated(shape->n_rows) ? 2 * shape->n_rows * shape->n_rows : 0;
    optimiser->n_numbers +=
      is_rotated(shape->n_columns) ? 2 * shape->n_columns * shape->n_columns : 0;
  }
  optimiser->n_work = 2 * optimiser->n + 3 * largest + LAC_DENSE_ORTHONORMAL_WORK * longest;
}

static Scratch
scratch_of(const LacOptimiser *optimiser)
{
  gsize   longest, largest = largest_part(optimiser, &longest);
  double *work = optimiser->work;
  double *parts = work + 2 * optimiser->n;

  return (Scratch){work, work + optimiser->n, parts, parts + largest, parts + 2 * largest};
}

static Side
take_side(double **numbers, gsize n)
{
  Side side = {.n = n};

  if (!is_rotated(n))
    return side;
  side.mean = *numbers;
  side.basis = *numbers + n * n;
  *numbers += 2 * n * n;
  return side;
}

/* @sides: start of this matrix's sides, advanced to those of the next */
static Matrix
take_matrix(LacOptimiser *optimiser, gsize i, double **sides)
{
  const LacMatrixShape *shape = &optimiser->settings.matrices[i];
  Matrix matrix = {.shape = shape, .v = optimiser->numbers + M + optimiser->n + shape->offset};

  matrix.left = take_side(sides, shape->n_rows);
  matrix.right = take_side(sides, shape->n_columns);
  return matrix;
}

static double *
first_side(LacOptimiser *optimiser)
{
  return optimiser->numbers + M + 2 * optimiser->n;
}

static void
set_identity(Side *side)
{
  for (gsize i = 0; side->basis && i < side->n; i++)
    side->basis[i * side->n + i] = 1;
}

static void
start(LacOptimiser *optimiser)
{
  double *sides = first_side(optimiser);

  for (gsize i = 0; i < optimiser->settings.n_matrices; i++) {
    Matrix matrix = take_matrix(optimiser, i, &sides);

    set_identity(&matrix.left);
    set_identity(&matrix.right);
  }
  optimiser->numbers[HAS_BASES] = optimiser->settings.refresh_steps == 0;
}

/* @to = L @from R^T with the bases L, R. @spare: same size; the three must not overlap. */
static void
rotate(const Matrix *matrix, const double *from, double *to, double *spare)
{
  const gsize rows = matrix->shape->n_rows, columns = matrix->shape->n_columns;

  memcpy(spare, from, rows * columns * sizeof *spare);
  if (matrix->left.basis)
    lac_dense_gemm(FALSE, FALSE, rows, columns, rows, 1, matrix->left.basis, rows, from, columns, 0,
                   spare, columns);
  memcpy(to, spare, rows * columns * sizeof *to);
  if (matrix->right.basis)
    lac_dense_gemm(FALSE, TRUE, rows, columns, columns, 1, spare, columns, matrix->right.basis,
                   columns, 0, to, columns);
}

/* @values = L^T @values R */
static void
rotate_back(const Matrix *matrix, double *values, double *spare)
{
  const gsize rows = matrix->shape->n_rows, columns = matrix->shape->n_columns;

  memcpy(spare, values, rows * columns * sizeof *spare);
  if (matrix->left.basis)
    lac_dense_gemm(TRUE, FALSE, rows, columns, rows, 1, matrix->left.basis, rows, values, columns,
                   0, spare, columns);
  memcpy(values, spare, rows * columns * sizeof *values);
  if (matrix->right.basis)
    lac_dense_gemm(FALSE, FALSE, rows, columns, columns, 1, spare, columns, matrix->right.basis,
                   columns, 0, values, columns);
}

/* Updates the running means with @g, with weight 1 - @beta. */
static void
add_squares(const Matrix *matrix, const double *g, double beta)
{
  const gsize rows = matrix->shape->n_rows, columns = matrix->shape->n_columns;

  if (matrix->left.mean)
    lac_dense_gemm(FALSE, TRUE, rows, rows, columns, 1 - beta, g, columns, g, columns, beta,
                   matrix->left.mean, rows);
  if (matrix->right.mean)
    lac_dense_gemm(TRUE, FALSE, columns, columns, rows, 1 - beta, g, columns, g, columns, beta,
                   matrix->right.mean, columns);
}

static gboolean
find_basis(const Side *side, const Scratch *scratch)
{
  if (!side->mean)
    return TRUE;
  memcpy(side->basis, side->mean, side->n * side->n * sizeof *side->basis);
  /* the contiguous parts hold 3 n^2 + 33 n values in total */
  return lac_dense_eigh_within(side->basis, side->n, scratch->rotated, scratch->rotated + side->n);
}

static void
swap(double *a, double *b, gsize n, gsize stride)
{
  for (gsize i = 0; i < n; i++) {
    const double kept = a[i * stride];

    a[i * stride] = b[i * stride];
    b[i * stride] = kept;
  }
}

/* One step of the power method, vectors sorted by largest Rayleigh quotient first, so that each keeps its index from
 * one basis to the next. @is_left: the vectors correspond to rows of v */
static gboolean
turn_basis(const Matrix *matrix, gboolean is_left, const Scratch *scratch)
{
  const Side *side = is_left ? &matrix->left : &matrix->right;
  const gsize n = side->n, rows = matrix->shape->n_rows, columns = matrix->shape->n_columns;
  double     *product = scratch->change, *quotients = scratch->spare;

  if (!side->mean)
    return TRUE;
  lac_dense_gemm(FALSE, FALSE, n, n, n, 1, side->basis, n, side->mean, n, 0, product, n);
  for (gsize i = 0; i < n; i++) {
    quotients[i] = 0;
    for (gsize j = 0; j < n; j++)
      quotients[i] += product[i * n + j] * side->basis[i * n + j];
  }
  for (gsize i = 0; i + 1 < n; i++) {
    gsize best = i;

    for (gsize j = i + 1; j < n; j++)
      best = quotients[j] > quotients[best] ? j : best;
    if (best == i)
      continue;
    swap(quotients + i, quotients + best, 1, 1);
    swap(product + i * n, product + best * n, n, 1);
    if (is_left)
      swap(matrix->v + i * columns, matrix->v + best * columns, columns, 1);
    else
      swap(matrix->v + i, matrix->v + best, rows, columns);
  }
  memcpy(side->basis, product, n * n * sizeof *product);
  return lac_dense_orthonormal_rows(side->basis, n, n, scratch->spare);
}

/* Updates the means with the gradient; computes new bases when due. */
static gboolean
learn(LacOptimiser *optimiser, const Scratch *scratch, GError **error)
{
  double        *numbers = optimiser->numbers, *sides = first_side(optimiser);
  const gboolean is_first = numbers[HAS_BASES] == 0;
  const guint    refresh = optimiser->settings.refresh_steps;
  const gboolean is_time = refresh > 0 && fmod(numbers[LAC_NUMBER_UPDATES], refresh) == 0;
  gboolean       found = TRUE;

  for (gsize i = 0; i < optimiser->settings.n_matrices && refresh > 0; i++) {
    Matrix matrix = take_matrix(optimiser, i, &sides);

    add_squares(&matrix, scratch->gradient + matrix.shape->offset, optimiser->settings.beta2);
    if (is_first)
      found = found && find_basis(&matrix.left, scratch) && find_basis(&matrix.right, scratch);
    else if (is_time)
      found = found && turn_basis(&matrix, TRUE, scratch) && turn_basis(&matrix, FALSE, scratch);
  }
  numbers[HAS_BASES] = 1;
  if (!found)
    g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED,
                "SOAP could not compute a basis for a weight matrix after %.0f steps: the squared "
                "gradients overflow or underflow; rescale the loss",
                numbers[LAC_NUMBER_UPDATES]);
  return found;
}

/* @change: the decrease of theta at rate 1. @m, @g: in the basis; @v is updated. */
static void
adam(const LacOptimiser *optimiser,
     const double       *m,
     const double       *g,
     double             *v,
     double             *change,
     gsize               n)
{
  const LacOptimiserSettings *settings = &optimiser->settings;
  const double                t = optimiser->numbers[LAC_NUMBER_UPDATES];
  const double                correction1 = 1 / (1 - pow(settings->beta1, t));
  const double                correction2 = 1 / (1 - pow(settings->beta2, t));

  for (gsize i = 0; i < n; i++) {
    v[i] = settings->beta2 * v[i] + (1 - settings->beta2) * g[i] * g[i];
    change[i] = correction1 * m[i] / (sqrt(correction2 * v[i]) + settings->epsilon);
  }
}

/* Applies @change from element @first of theta on, with the rates of its ranges. */
static void
apply(const LacOptimiser *optimiser, const double *change, gsize first, gsize n, double *theta)
{
  const gsize end = first + n;

  for (gsize i = first; i < end;) {
    double      factor;
    const gsize next = MIN(lac_optimiser_rate_range(optimiser, i, &factor), end);

    for (; i < next; i++)
      theta[i] -= factor * optimiser->settings.rate * change[i - first];
  }
}

/* Plain Adam for a part of theta outside every matrix. */
static void
step_plain(LacOptimiser *optimiser, const Scratch *scratch, gsize first, gsize end)
{
  double *m = optimiser->numbers + M + first, *v = m + optimiser->n;

  adam(optimiser, m, scratch->gradient + first, v, scratch->change, end - first);
  apply(optimiser, scratch->change, first, end - first, scratch->theta);
}

static void
step_matrix(LacOptimiser *optimiser, const Scratch *scratch, const Matrix *matrix)
{
  const gsize first = matrix->shape->offset, n = matrix->shape->n_rows * matrix->shape->n_columns;

  rotate(matrix, scratch->gradient + first, scratch->rotated, scratch->spare);
  rotate(matrix, optimiser->numbers + M + first, scratch->change, scratch->spare);
  adam(optimiser, scratch->change, scratch->rotated, matrix->v, scratch->change, n);
  rotate_back(matrix, scratch->change, scratch->spare);
  apply(optimiser, scratch->change, first, n, scratch->theta);
}

/* Updates every part of theta in order. */
static void
move(LacOptimiser *optimiser, const Scratch *scratch)
{
  const double beta = optimiser->settings.beta1;
  double      *m = optimiser->numbers + M, *sides = first_side(optimiser);
  gsize        done = 0;

  optimiser->numbers[LAC_NUMBER_UPDATES]++;
  for (gsize i = 0; i < optimiser->n; i++)
    m[i] = beta * m[i] + (1 - beta) * scratch->gradient[i];
  for (gsize i = 0; i < optimiser->settings.n_matrices; i++) {
    const Matrix matrix = take_matrix(optimiser, i, &sides);

    step_plain(optimiser, scratch, done, matrix.shape->offset);
    step_matrix(optimiser, scratch, &matrix);
    done = matrix.shape->offset + matrix.shape->n_rows * matrix.shape->n_columns;
  }
  step_plain(optimiser, scratch, done, optimiser->n);
}

static gboolean
step(LacOptimiser *optimiser, gpointer theta, LacOptimiserReport *report, GError **error)
{
  const Scratch scratch = scratch_of(optimiser);
  gpointer      gradient = lac_vector(optimiser, 0);

  if (!lac_optimiser_evaluate(optimiser, theta, gradient, &report->loss, error))
    return FALSE;
  if (!isfinite(report->loss) || !isfinite(lac_vector_dot(optimiser, gradient, gradient))) {
    report->stalled = TRUE;
    return TRUE;
  }
  lac_vector_download(optimiser, gradient, scratch.gradient, optimiser->n);
  lac_vector_download(optimiser, theta, scratch.theta, optimiser->n);
  if (optimiser->numbers[HAS_BASES] == 0)
    return learn(optimiser, &scratch, error);
  move(optimiser, &scratch);
  lac_vector_upload(optimiser, theta, scratch.theta, optimiser->n);
  return learn(optimiser, &scratch, error);
}

const LacMethod lac_method_soap = {
  .defaults = {.rate = 3e-3, .beta1 = 0.95, .beta2 = 0.95, .epsilon = 1e-8, .refresh_steps = 10},
  .lay_out = lay_out,
  .start = start,
  .step = step,
};
