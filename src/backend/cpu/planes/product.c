/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of small matrices with shifted planes, and of planes with planes: the building blocks of all
 * convolutions. */
#include "backend/cpu/planes/real.h"

#ifdef __AVX512F__
#  define MOST_ROWS 8 /* rows of a tile, with three vectors of columns: 24 of 32 registers */
#else
#  define MOST_ROWS 4 /* 12 of 16 */
#endif
#define VECTORS     3
#define FEW_ROWS    4 /* up to here a tile takes more columns, to have enough sums in flight */
#define FEW_VECTORS 4
#define UNROLL      _Pragma("GCC unroll 8")

/* m rows and n vectors of columns stay in registers over taps and depth. */
LAC_INLINE void
tile(const LacPlaneProduct *args, size_t row, size_t j, const int m, const int n)
{
  const size_t a_row = args->a_row, a_depth = args->a_depth, b_stride = args->b_stride;
  Real        *c = (Real *) args->c + row * args->c_stride + j;
  Register     sum[MOST_ROWS][FEW_VECTORS], x[FEW_VECTORS];

  UNROLL for (int i = 0; i < m; i++) UNROLL for (int v = 0; v < n; v++) sum[i][v] = (Register){0};
  for (size_t t = 0; t < args->n_taps; t++) {
    const Real *a = (const Real *) args->taps[t].a + row * a_row;
    const Real *b = (const Real *) args->taps[t].b + j;

    for (size_t k = 0; k < args->depth; k++, a += a_depth, b += b_stride) {
      UNROLL for (int v = 0; v < n; v++) x[v] = load(b + (size_t) v * LANES);
      UNROLL for (int i = 0; i < m; i++) UNROLL for (int v = 0; v < n; v++) sum[i][v] +=
        a[(size_t) i * a_row] * x[v];
    }
  }
  UNROLL for (int i = 0; i < m; i++) UNROLL for (int v = 0; v < n; v++)
  {
    Real *to = c + (size_t) i * args->c_stride + (size_t) v * LANES;
    store(to, args->add ? load(to) + sum[i][v] : sum[i][v]);
  }
}

/* Constant strides of `a` are folded: one of them is 1 or there is one row. */
LAC_INLINE void
all_rows(const LacPlaneProduct *args, size_t j, const int n)
{
  size_t row = 0;

  for (; n < FEW_VECTORS && row + MOST_ROWS <= args->n_rows; row += MOST_ROWS)
    tile(args, row, j, MOST_ROWS, n);
  for (; row + 4 <= args->n_rows; row += 4)
    tile(args, row, j, 4, n);
  for (; row + 2 <= args->n_rows; row += 2)
    tile(args, row, j, 2, n);
  for (; row < args->n_rows; row++)
    tile(args, row, j, 1, n);
}

void
LAC_PLANE(product)(const LacPlaneProduct *args)
{
  size_t n = args->n / LANES, j = 0;

  if (args->n_rows > FEW_ROWS)
    for (; j + VECTORS <= n; j += VECTORS)
      all_rows(args, j * LANES, VECTORS);
  else
    for (; j + FEW_VECTORS <= n; j += FEW_VECTORS)
      all_rows(args, j * LANES, FEW_VECTORS);
  for (; j + 2 <= n; j += 2)
    all_rows(args, j * LANES, 2);
  for (; j < n; j++)
    all_rows(args, j * LANES, 1);
}

#define DOT_ROWS    4 /* with four columns: 16 sums, 8 loads */
#define DOT_COLUMNS 4

LAC_INLINE Real
total(Register x)
{
  Real sum = 0;

  for (size_t i = 0; i < LANES; i++)
    sum += x[i];
  return sum;
}

LAC_INLINE void
dot_tile(const LacPlaneDots *args, size_t row, size_t column, const int m, const int n)
{
  const Real *p = (const Real *) args->p + row * args->p_stride;
  const Real *q[DOT_COLUMNS];
  Register    sum[DOT_ROWS][DOT_COLUMNS], y[DOT_COLUMNS];
  Real       *c = (Real *) args->c + row * args->n_columns + column;

  UNROLL for (int s = 0; s < n; s++) q[s] = args->q[column + (size_t) s];
  UNROLL for (int r = 0; r < m; r++) UNROLL for (int s = 0; s < n; s++) sum[r][s] = (Register){0};
  for (size_t j = 0; j < args->n; j += LANES) {
    UNROLL for (int s = 0; s < n; s++) y[s] = load(q[s] + j);
    UNROLL for (int r = 0; r < m; r++)
    {
      const Register x = load(p + (size_t) r * args->p_stride + j);
      UNROLL for (int s = 0; s < n; s++) sum[r][s] += x * y[s];
    }
  }
  UNROLL for (int r = 0; r < m; r++) UNROLL for (int s = 0; s < n; s++)
    c[(size_t) r * args->n_columns + (size_t) s] = total(sum[r][s]);
}

LAC_INLINE void
dot_rows(const LacPlaneDots *args, size_t row, const int m)
{
  size_t column = 0;

  for (; column + DOT_COLUMNS <= args->n_columns; column += DOT_COLUMNS)
    dot_tile(args, row, column, m, DOT_COLUMNS);
  for (; column < args->n_columns; column++)
    dot_tile(args, row, column, m, 1);
}

void
LAC_PLANE(dots)(const LacPlaneDots *args)
{
  size_t row = 0;

  for (; row + DOT_ROWS <= args->n_rows; row += DOT_ROWS)
    dot_rows(args, row, DOT_ROWS);
  for (; row + 2 <= args->n_rows; row += 2)
    dot_rows(args, row, 2);
  for (; row < args->n_rows; row++)
    dot_rows(args, row, 1);
}

#define BLOCK 16 /* side of a transposed block in elements: one or two cache lines */

void
LAC_PLANE(transpose)(const LacPlaneTranspose *args)
{
  for (size_t j0 = 0; j0 < args->n; j0 += BLOCK)
    for (size_t c0 = 0; c0 < args->n_channels; c0 += BLOCK) {
      const Real  *x = (const Real *) args->x + c0 * args->x_stride + j0;
      Real        *y = (Real *) args->y + j0 * args->y_stride + c0;
      const size_t m = args->n - j0 < BLOCK ? args->n - j0 : BLOCK;
      const size_t n = args->n_channels - c0 < BLOCK ? args->n_channels - c0 : BLOCK;

      for (size_t j = 0; j < m; j++)
        for (size_t c = 0; c < n; c++)
          y[j * args->y_stride + c] = x[c * args->x_stride + j];
    }
}
