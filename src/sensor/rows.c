/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cholesky QR: one product for all inner products of the rows. A second round recovers the digits lost by the first. */
#include "sensor/rows.h"

#include "backend/dense.h"

#include <math.h>
#include <string.h>

enum { SLAB = 1024 };

#define DEPENDENT \
  1e-10 /* squared sine of the angle to the preceding rows: below it a row counts as linearly dependent */

void
lac_rows_combine(double *rows, gsize n_in, gsize n, const double *transform, gsize n_out)
{
  g_autofree double *slab = g_new(double, MAX(n_out, 1) * SLAB);

  for (gsize first = 0; first < n && n_in > 0; first += SLAB) {
    const gsize width = MIN(SLAB, n - first);

    lac_dense_gemm(FALSE, FALSE, n_out, width, n_in, 1, transform, n_in, rows + first, n, 0, slab,
                   SLAB);
    for (gsize i = 0; i < n_out; i++)
      memcpy(rows + i * n + first, slab + i * SLAB, width * sizeof *rows);
  }
}

/* gram: [n][n] of unit diagonal; its lower triangle becomes the Cholesky factor. Returns: the number of independent
 * rows. */
static gsize
factor(double *gram, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    double rest = gram[i * n + i];

    for (gsize j = 0; j < i; j++) {
      double sum = gram[i * n + j];

      for (gsize k = 0; k < j; k++)
        sum -= gram[i * n + k] * gram[j * n + k];
      gram[i * n + j] = sum / gram[j * n + j];
      rest -= gram[i * n + j] * gram[i * n + j];
    }
    if (!(rest > DEPENDENT))
      return i;
    gram[i * n + i] = sqrt(rest);
  }
  return n;
}

/* right: [n][n] is replaced by root^-1 right, in its first n_rows rows. */
static void
divide(const double *root, gsize n, gsize n_rows, double *right)
{
  for (gsize i = 0; i < n_rows; i++)
    for (gsize j = 0; j < n; j++) {
      double sum = right[i * n + j];

      for (gsize k = 0; k < i; k++)
        sum -= root[i * n + k] * right[k * n + j];
      right[i * n + j] = sum / root[i * n + i];
    }
}

/* step: (out): [n_rows][n_rows], orthonormalises the rows up to rounding. Returns: the number of rows. */
static gsize
find_step(const double *rows, gsize n_rows, gsize n, double *step)
{
  const gsize        l = n_rows;
  g_autofree double *gram = g_new0(double, l *l), *lengths = g_new(double, l);

  lac_dense_gemm(FALSE, TRUE, l, l, n, 1, rows, n, rows, n, 0, gram, l);
  memset(step, 0, l * l * sizeof *step);
  for (gsize i = 0; i < l; i++) {
    lengths[i] = sqrt(gram[i * l + i]);
    if (lengths[i] > 0)
      step[i * l + i] = 1 / lengths[i];
  }
  for (gsize i = 0; i < l; i++)
    for (gsize j = 0; j < l; j++)
      gram[i * l + j] *= step[i * l + i] * step[j * l + j];
  n_rows = factor(gram, l);
  divide(gram, l, n_rows, step);
  return n_rows;
}

gsize
lac_rows_orthonormalise(double *rows, gsize n_rows, gsize n, double *transform)
{
  const gsize        l = n_rows;
  g_autofree double *step = g_new(double, MAX(l * l, 1));

  memset(transform, 0, l * l * sizeof *transform);
  for (gsize i = 0; i < l; i++)
    transform[i * l + i] = 1;
  if (l == 0)
    return 0;
  for (int round = 0; round < 2; round++) {
    n_rows = MIN(n_rows, find_step(rows, l, n, step));
    lac_rows_combine(rows, l, n, step, n_rows);
    lac_rows_combine(transform, l, l, step, n_rows);
    memset(rows + n_rows * n, 0, (l - n_rows) * n * sizeof *rows);
  }
  return n_rows;
}

static double
length(const double *row, gsize n)
{
  double squares = 0;

  for (gsize j = 0; j < n; j++)
    squares += row[j] * row[j];
  return sqrt(squares);
}

static void
subtract_part_along(double *row, const double *unit, gsize n)
{
  double along = 0;

  for (gsize j = 0; j < n; j++)
    along += row[j] * unit[j];
#pragma omp simd
  for (gsize j = 0; j < n; j++)
    row[j] -= along * unit[j];
}

/* A round that halves the row leaves rounding errors in the old directions: another round removes them. */
static gboolean
make_unit(double *row, const double *basis, gsize n_basis, gsize n)
{
  double left = length(row, n);

  for (int round = 0; round < 5; round++) {
    if (!(left > 0))
      return FALSE;
    for (gsize j = 0; j < n; j++)
      row[j] /= left;
    if (round > 0 && left > 0.5)
      return TRUE;
    for (gsize k = 0; k < n_basis; k++)
      subtract_part_along(row, basis + k * n, n);
    left = length(row, n);
  }
  return FALSE;
}

gsize
lac_rows_make_basis(double *rows, gsize n_rows, gsize n)
{
  gsize kept = 0;

  for (gsize i = 0; i < n_rows; i++) {
    memmove(rows + kept * n, rows + i * n, n * sizeof *rows);
    kept += make_unit(rows + kept * n, rows, kept, n);
  }
  return kept;
}
