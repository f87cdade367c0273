/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills, copies, sums and updates of plain vectors and matrices. */
#include "backend/cpu/loops/real.h"

#include <math.h>
#include <string.h>

void
LAC_LOOP(fill)(void *y, double value, size_t n)
{
  Real *out = y;

  LAC_SIMD for (size_t i = 0; i < n; i++) out[i] = R(value);
}

void
LAC_LOOP(scale)(void *y, double factor, size_t n)
{
  Real      *out = y;
  const Real f = R(factor);

  LAC_SIMD for (size_t i = 0; i < n; i++) out[i] *= f;
}

static Real
factor_of(const LacStrided *args)
{
  return R(args->scale ? args->alpha * *args->scale : args->alpha);
}

static void
copy_row(const LacStrided *args, size_t n, const Real *x, Real *y)
{
  const Real alpha = factor_of(args), beta = R(args->beta);

  if (args->beta < 0 || args->beta > 0)
    LAC_SIMD for (size_t i = 0; i < n; i++) y[i] = alpha * x[i] + beta * y[i];
  else
    LAC_SIMD for (size_t i = 0; i < n; i++) y[i] = alpha * x[i];
}

#define FEW_COLUMNS 4 /* up to here a call per row costs more than strided access */

void
LAC_LOOP(strided)(const LacStrided *args)
{
  const Real  *x = args->x;
  Real        *y = args->y;
  const size_t n = args->n_rows, x_stride = args->x_stride, y_stride = args->y_stride;
  const Real   alpha = factor_of(args), beta = R(args->beta);

  if (args->n_columns == x_stride && args->n_columns == y_stride)
    copy_row(args, n * args->n_columns, x, y);
  else if (args->n_columns > FEW_COLUMNS)
    for (size_t i = 0; i < n; i++)
      copy_row(args, args->n_columns, x + i * x_stride, y + i * y_stride);
  else if (beta < 0 || beta > 0)
    for (size_t k = 0; k < args->n_columns; k++)
      for (size_t i = 0; i < n; i++)
        y[i * y_stride + k] = alpha * x[i * x_stride + k] + beta * y[i * y_stride + k];
  else
    for (size_t k = 0; k < args->n_columns; k++)
      for (size_t i = 0; i < n; i++)
        y[i * y_stride + k] = alpha * x[i * x_stride + k];
}

#define DOT_BLOCK 1024

void
LAC_LOOP(dot)(const LacDot *args)
{
  const Real *x = args->x, *y = args->y ? args->y : args->x, *weight = args->weight;
  double      total = 0;

  for (size_t first = 0; first < args->n; first += DOT_BLOCK) {
    const size_t last = LAC_MIN(first + DOT_BLOCK, args->n);
    double       sum = 0;
    if (weight)
      LAC_SIMD_SUM(sum)
    for (size_t i = first; i < last; i++)
      sum += (double) weight[i] * (double) x[i] * (double) y[i];
    else LAC_SIMD_SUM(sum) for (size_t i = first; i < last; i++) sum +=
      (double) x[i] * (double) y[i];
    total += sum;
  }
  if (args->sum)
    *args->sum += total;
  else
    *args->out = total;
}

#define COLUMNS 1024

/* y = beta y + alpha a^T x: the rows of a are summed in blocks of columns that stay in the first cache. */
static void
multiply_transposed(const LacMatvec *args)
{
  const Real  *x = args->x;
  const size_t n = args->n_columns;

  for (size_t first = 0; first < n; first += COLUMNS) {
    const size_t count = LAC_MIN(COLUMNS, n - first);
    Real        *y = (Real *) args->y + first;

    for (size_t i = 0; i < count; i++)
      y[i] = args->beta < 0 || args->beta > 0 ? R(args->beta) * y[i] : 0;
    for (size_t row = 0; row < args->n_rows; row++) {
      const Real *a = (const Real *) args->a + row * n + first, factor = R(args->alpha) * x[row];

      LAC_SIMD for (size_t i = 0; i < count; i++) y[i] += factor * a[i];
    }
  }
}

void
LAC_LOOP(matvec)(const LacMatvec *args)
{
  const Real  *x = args->x;
  Real        *y = args->y;
  const size_t n = args->n_columns;

  if (args->transposed) {
    multiply_transposed(args);
    return;
  }
  for (size_t row = 0; row < args->n_rows; row++) {
    const Real *a = (const Real *) args->a + row * n;
    Real        sum = 0;
    LAC_SIMD_SUM(sum)
    for (size_t i = 0; i < n; i++)
      sum += a[i] * x[i];
    sum *= R(args->alpha);
    y[row] = args->beta < 0 || args->beta > 0 ? sum + R(args->beta) * y[row] : sum;
  }
}

/* c (v_i v_j), not (c v_i) v_j: keeps the matrix bitwise symmetric however its rows are split. */
void
LAC_LOOP(rank_update)(const LacRankUpdate *args)
{
  const size_t n = args->n;
  const Real   alpha = R(args->alpha);
  const Real  *v[3];
  Real         c[3];

  for (int k = 0; k < 3; k++) {
    v[k] = args->v[k < args->n_terms ? k : 0];
    c[k] = k < args->n_terms ? R(args->c[k]) : 0;
  }
  for (size_t i = args->row_first; i < args->row_last; i++) {
    Real *h = (Real *) args->h + i * n;
    if (args->n_terms == 0) {
      LAC_SIMD for (size_t j = 0; j < n; j++) h[j] *= alpha;
    } else if (args->n_terms == 1) {
      const Real a = v[0][i];
      LAC_SIMD for (size_t j = 0; j < n; j++) h[j] = alpha * h[j] + c[0] * (a * v[0][j]);
    } else {
      const Real a0 = v[0][i], a1 = v[1][i], a2 = v[2][i];
      LAC_SIMD for (size_t j = 0; j < n; j++) h[j] =
        alpha * h[j] + (c[0] * (a0 * v[0][j]) + c[1] * (a1 * v[1][j]) + c[2] * (a2 * v[2][j]));
    }
  }
}

void
LAC_LOOP(adam)(const LacAdam *args)
{
  const Real *gradient = args->gradient;
  Real       *m = args->m, *v = args->v, *theta = args->theta;
  const Real  beta1 = R(args->beta1), beta2 = R(args->beta2), epsilon = R(args->epsilon);
  const Real  rest1 = R(1 - args->beta1), rest2 = R(1 - args->beta2);
  const Real  rate = R(args->numbers ? args->rate * args->numbers[0] * args->numbers[1]
                                     : args->rate * args->correction1);
  const Real  correction2 = R(args->numbers ? args->numbers[2] : args->correction2);

  LAC_SIMD for (size_t i = 0; i < args->n; i++)
  {
    const Real g = gradient[i];
    const Real m_new = beta1 * m[i] + rest1 * g;
    const Real v_new = beta2 * v[i] + rest2 * (g * g);
#ifdef LAC_REAL_F32
    const Real root = sqrtf(v_new * correction2);
#else
    const Real root = sqrt(v_new * correction2);
#endif
    m[i] = m_new;
    v[i] = v_new;
    theta[i] -= rate * m_new / (root + epsilon);
  }
}
