/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two Cholesky solves, one from each side. */
#include "experiment/quantum/methods/kronecker.h"

#include "backend/dense.h"

#include <math.h>
#include <string.h>

static double
mean_of_diagonal(const double *matrix, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += matrix[i * n + i];
  return sum / (double) n;
}

static void
copy_damped(const double *matrix, gsize n, double damping, double *to)
{
  memcpy(to, matrix, n * n * sizeof *to);
  for (gsize i = 0; i < n; i++)
    to[i * n + i] += damping;
}

static void
transpose(const double *matrix, gsize rows, gsize columns, double *to)
{
  for (gsize i = 0; i < rows; i++)
    for (gsize k = 0; k < columns; k++)
      to[k * rows + i] = matrix[i * columns + k];
}

gboolean
lac_kronecker_solve(const LacKroneckerBlock *block,
                    double                   damping,
                    const double            *gradient,
                    double                  *step,
                    double                  *work)
{
  const gsize  rows = block->rows, columns = block->columns;
  const double in = mean_of_diagonal(block->a, rows);
  const double out = mean_of_diagonal(block->g, columns);
  const double share = sqrt(damping / (double) block->repeats);
  const double pi = sqrt(MAX(in, 1e-30) / MAX(out, 1e-30));
  double      *a = work, *g = a + rows * rows, *turned = g + columns * columns;

  if (!isfinite(in) || !isfinite(out))
    return FALSE;
  copy_damped(block->a, rows, pi * share, a);
  copy_damped(block->g, columns, share / pi, g);
  memcpy(step, gradient, rows * columns * sizeof *step);
  if (!lac_dense_cholesky_solve(a, rows, step, columns))
    return FALSE;
  transpose(step, rows, columns, turned);
  if (!lac_dense_cholesky_solve(g, columns, turned, rows))
    return FALSE;
  transpose(turned, columns, rows, step);
  for (gsize i = 0; i < rows * columns; i++)
    step[i] /= (double) block->repeats;
  return TRUE;
}
