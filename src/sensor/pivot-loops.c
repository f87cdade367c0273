/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops over chunks of points, compiled once per x86-64 level; LAC_LEVEL names it. */
#include "sensor/pivot-loops.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)
#define UNROLL      _Pragma("GCC unroll 16")

/* Number of columns for which the sums of a batch fit into registers. */
#if defined(__AVX512F__)
enum { LANES = 16, VECTORS = 4 };
#elif defined(__AVX__)
enum { LANES = 8, VECTORS = 2 };
#else
enum { LANES = 4, VECTORS = 2 };
#endif

enum { CHUNK = LAC_PIVOT_CHUNK, BATCH = LAC_PIVOT_BATCH, STRIP = LANES * VECTORS };

typedef float Vector __attribute__((vector_size(LANES * sizeof(float)), aligned(4), may_alias));

static void
remove_strip(const float *rows, size_t n_modes, const float *directions, float *left)
{
  Vector sums[BATCH][VECTORS] = {{{0}}};

  for (size_t m = 0; m < n_modes; m++)
    UNROLL for (int d = 0; d < BATCH; d++) UNROLL for (int v = 0; v < VECTORS; v++) sums[d][v] +=
      directions[(size_t) d * n_modes + m] *
      *(const Vector *) (rows + m * CHUNK + (size_t) v * LANES);
  UNROLL for (int v = 0; v < VECTORS; v++) UNROLL for (int d = 0; d < BATCH; d++) *
    (Vector *) (left + (size_t) v * LANES) -= sums[d][v] * sums[d][v];
}

static void
remove_directions(const float *rows,
                  size_t       n_modes,
                  const float *directions,
                  size_t       n_directions,
                  float       *left)
{
  for (size_t d = 0; d < n_directions; d += BATCH)
    for (size_t j = 0; j < CHUNK; j += STRIP)
      remove_strip(rows + j, n_modes, directions + d * n_modes, left + j);
}

static void
measure(const double *from, size_t n_modes, size_t stride, double *squares)
{
  for (size_t m = 0; m < n_modes; m++) {
    const double *row = from + m * stride;

#pragma omp simd
    for (size_t j = 0; j < CHUNK; j++)
      squares[j] += row[j] * row[j];
  }
}

static void
pack(const double *from, size_t n_modes, size_t stride, double scale, float *rows)
{
  for (size_t m = 0; m < n_modes; m++) {
    const double *row = from + m * stride;

#pragma omp simd
    for (size_t j = 0; j < CHUNK; j++)
      rows[m * CHUNK + j] = (float) (scale * row[j]);
  }
}

const LacPivotLoops JOIN(lac_pivot_loops_, LAC_LEVEL) = {remove_directions, measure, pack};
