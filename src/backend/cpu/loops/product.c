/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A blocked matrix product: panels of b are packed on the stack, tiles of c stay in registers. */
#include "backend/cpu/loops/product.h"

#include <string.h>

#if defined(__AVX512F__)
#  define VECTOR_BYTES 64
#  define ROWS         12 /* with two vectors each, 24 of 32 registers */
#elif defined(__AVX__)
#  define VECTOR_BYTES 32
#  define ROWS         6 /* 12 of 16 registers */
#else
#  define VECTOR_BYTES 16
#  define ROWS         4
#endif

#define LANES (VECTOR_BYTES / sizeof(Real))
#define PANEL (2 * LANES)
#define DEPTH 256 /* a packed panel is at most 32 KB */

typedef Real Vector __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(Real)), may_alias));

typedef struct {
  size_t      depth, n; /* n: columns of c to write */
  const Real *a, *b;
  Real       *c;
  size_t      a_row, a_depth, c_row;
  int         add;
} Tile;

static void
store_part(const Tile *t, size_t row, Vector sum[2])
{
  Real *c = t->c + row * t->c_row;
  Real  line[PANEL];

  memcpy(line, sum, sizeof line);
  for (size_t j = 0; j < t->n; j++)
    c[j] = t->add ? c[j] + line[j] : line[j];
}

LAC_INLINE void
run_tile(const int rows, const Tile *t)
{
  const Real  *a = t->a, *b = t->b;
  const size_t a_row = t->a_row, a_depth = t->a_depth;
  Vector       sum[ROWS][2];

#pragma GCC unroll 12
  for (int i = 0; i < rows; i++)
    sum[i][0] = sum[i][1] = (Vector){0};
  for (size_t k = 0; k < t->depth; k++, a += a_depth, b += PANEL) {
    const Vector b0 = *(const Vector *) b, b1 = *(const Vector *) (b + LANES);
#pragma GCC unroll 12
    for (int i = 0; i < rows; i++) {
      const Real x = a[(size_t) i * a_row];
      sum[i][0] += x * b0;
      sum[i][1] += x * b1;
    }
  }
  if (t->n < PANEL) {
    for (int i = 0; i < rows; i++)
      store_part(t, (size_t) i, sum[i]);
    return;
  }
#pragma GCC unroll 12
  for (int i = 0; i < rows; i++) {
    Vector *c = (Vector *) (t->c + (size_t) i * t->c_row);
    if (t->add) {
      sum[i][0] += c[0];
      sum[i][1] += c[1];
    }
    c[0] = sum[i][0];
    c[1] = sum[i][1];
  }
}

static void
run_rows(Tile *t, size_t m)
{
  while (m) {
    const size_t rows = m >= ROWS ? ROWS : m >= 4 ? 4 : 1;

    if (rows == ROWS)
      run_tile(ROWS, t);
    else if (rows == 4)
      run_tile(4, t);
    else
      run_tile(1, t);
    t->a += rows * t->a_row;
    t->c += rows * t->c_row;
    m -= rows;
  }
}

/* packed[k][j] of n columns, padded with zeros to a panel */
static void
pack(const Gemm *g, const Real *b, size_t depth, size_t n, Real *packed)
{
  if (n < PANEL)
    memset(packed, 0, depth * PANEL * sizeof(Real));
  if (g->b_column == 1)
    for (size_t k = 0; k < depth; k++)
      memcpy(packed + k * PANEL, b + k * g->b_depth, n * sizeof(Real));
  else
    for (size_t j = 0; j < n; j++)
      for (size_t k = 0; k < depth; k++)
        packed[k * PANEL + j] = b[j * g->b_column + k * g->b_depth];
}

void
LAC_LOOP(gemm)(const Gemm *g)
{
  Real packed[DEPTH * PANEL] __attribute__((aligned(VECTOR_BYTES)));

  for (size_t k = 0; k < g->depth; k += DEPTH)
    for (size_t j = 0; j < g->n; j += PANEL) {
      Tile tile = {.depth = LAC_MIN(DEPTH, g->depth - k),
                   .n = LAC_MIN(PANEL, g->n - j),
                   .a = g->a + k * g->a_depth,
                   .b = packed,
                   .c = g->c + j,
                   .a_row = g->a_row,
                   .a_depth = g->a_depth,
                   .c_row = g->c_row,
                   .add = g->add || k};
      pack(g, g->b + k * g->b_depth + j * g->b_column, tile.depth, tile.n, packed);
      run_rows(&tile, g->m);
    }
}
