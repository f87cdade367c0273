/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The product inside the kernels of a layer of jets: a block forms ROWS x 16 rows and COLUMNS columns of a b, a
 * thread ROWS rows and 32 bytes of columns of it, all in registers. */
#pragma once

#include "cuda/device.cuh"
#include "cuda/launch.cuh"

/* 16 bytes of a row, loaded at once. */
template <typename Real> struct Part {
  static constexpr int n = 16 / sizeof(Real);
  alignas(16) Real at[n];
};

/* @left: remaining elements of the row; elements beyond are 0. */
template <typename Real>
__device__ static inline Part<Real>
load_part(const Real *from, int left, bool aligned)
{
  if (aligned && left >= Part<Real>::n)
    return *reinterpret_cast<const Part<Real> *>(from);
  Part<Real> part;

  for (int v = 0; v < Part<Real>::n; v++)
    part.at[v] = v < left ? from[v] : 0;
  return part;
}

template <typename Real>
__device__ static inline void
store_part(Real *to, const Part<Real> &part, int left, bool aligned)
{
  if (aligned && left >= Part<Real>::n) {
    *reinterpret_cast<Part<Real> *>(to) = part;
    return;
  }
  LAC_UNROLLED
  for (int v = 0; v < Part<Real>::n; v++)
    if (v < left)
      to[v] = part.at[v];
}

/* A row-major matrix of which a block reads some rows. */
template <typename Real> struct Rows {
  const Real *first;
  int         n_rows, n_columns;
  bool        aligned; /* every row is aligned to 16 bytes */

  __device__ Part<Real> load(int row, int column) const
  {
    return load_part(first + (size_t) row * n_columns + column,
                     row < n_rows ? n_columns - column : 0, aligned);
  }
};

template <typename Real>
static inline bool
is_aligned(const void *memory, size_t n_columns)
{
  return n_columns % Part<Real>::n == 0 && reinterpret_cast<uintptr_t>(memory) % 16 == 0;
}

/* Double buffering in shared memory: one part of the depth is summed while the next is loaded. Rows are padded by a
 * part, so that simultaneous reads of a warp's lanes fall in different banks. */
template <typename Real, int ROWS, int COLUMNS> struct Product {
  static constexpr int V = Part<Real>::n, GROUPS = 16, LANES = COLUMNS / (2 * V);
  static constexpr int THREADS = GROUPS * LANES, TILE_ROWS = GROUPS * ROWS;
  /* of a multiprocessor: while one waits for memory, another sums. A thread has 128 registers then, or 168. */
  static constexpr int BLOCKS = THREADS == 256 ? 2 : 3;
  static constexpr int DEPTH = 64 / sizeof(Real), PARTS = DEPTH / V;
  static constexpr int A_ROW = DEPTH + V, B_ROW = COLUMNS + V;
  static constexpr int A_SIZE = TILE_ROWS * A_ROW, SIZE = A_SIZE + DEPTH * B_ROW;
  static constexpr int N_A = (TILE_ROWS * PARTS + THREADS - 1) / THREADS;
  static constexpr int N_B = DEPTH * COLUMNS / V / THREADS;

  Real       sum[ROWS][2 * V];
  Part<Real> next_a[N_A], next_b[N_B];

  /* Returns the first column, within a tile, of the thread's part 0 or 1. */
  __device__ static int column_of(int part)
  {
    return part * COLUMNS / 2 + (int) threadIdx.x % LANES * V;
  }

  __device__ static int row_of_thread()
  {
    return (int) threadIdx.x / LANES * ROWS;
  }

  /* TRANSPOSED: b is given by its columns, as rows [COLUMNS][depth]; else as [depth][COLUMNS]. */
  template <bool TRANSPOSED>
  __device__ void fetch(const Rows<Real> &a, const Rows<Real> &b, int row, int column, int k)
  {
    LAC_UNROLLED
    for (int j = 0; j < N_A; j++) {
      const int i = (int) threadIdx.x + j * THREADS;

      if (i < TILE_ROWS * PARTS)
        next_a[j] = a.load(row + i / PARTS, k + i % PARTS * V);
    }
    LAC_UNROLLED
    for (int j = 0; j < N_B; j++) {
      const int i = (int) threadIdx.x + j * THREADS;

      next_b[j] = TRANSPOSED ? b.load(column + i / PARTS, k + i % PARTS * V)
                             : b.load(k + i / (COLUMNS / V), column + i % (COLUMNS / V) * V);
    }
  }

  template <bool TRANSPOSED> __device__ void put(Real *tile) const
  {
    LAC_UNROLLED
    for (int j = 0; j < N_A; j++) {
      const int i = (int) threadIdx.x + j * THREADS;

      if (i < TILE_ROWS * PARTS)
        *reinterpret_cast<Part<Real> *>(tile + i / PARTS * A_ROW + i % PARTS * V) = next_a[j];
    }
    Real *const b = tile + A_SIZE;
    LAC_UNROLLED
    for (int j = 0; j < N_B; j++) {
      const int i = (int) threadIdx.x + j * THREADS;

      if (!TRANSPOSED)
        *reinterpret_cast<Part<Real> *>(b + i / (COLUMNS / V) * B_ROW + i % (COLUMNS / V) * V) =
          next_b[j];
      else
        LAC_UNROLLED
      for (int v = 0; v < V; v++)
        b[(i % PARTS * V + v) * B_ROW + i / PARTS] = next_b[j].at[v];
    }
  }

  __device__ void add(const Real *tile)
  {
    const Real *const a = tile + row_of_thread() * A_ROW;
    const Real *const b = tile + A_SIZE + column_of(0);
    LAC_UNROLLED
    for (int k = 0; k < DEPTH; k += V) {
      Part<Real> rows[ROWS];
      LAC_UNROLLED
      for (int r = 0; r < ROWS; r++)
        rows[r] = *reinterpret_cast<const Part<Real> *>(a + r * A_ROW + k);
      LAC_UNROLLED
      for (int v = 0; v < V; v++) {
        const Part<Real> left = *reinterpret_cast<const Part<Real> *>(b + (k + v) * B_ROW);
        const Part<Real> right =
          *reinterpret_cast<const Part<Real> *>(b + (k + v) * B_ROW + COLUMNS / 2);
        LAC_UNROLLED
        for (int r = 0; r < ROWS; r++)
          LAC_UNROLLED
        for (int c = 0; c < V; c++) {
          sum[r][c] += rows[r].at[v] * left.at[c];
          sum[r][V + c] += rows[r].at[v] * right.at[c];
        }
      }
    }
  }

  /* sum = rows of a from `row` on times columns of b from `column` on. tiles: 2 SIZE elements of shared memory,
   * reusable afterwards. Must be reached by every thread. */
  template <bool TRANSPOSED>
  __device__ void
  form(const Rows<Real> &a, const Rows<Real> &b, int row, int column, int depth, Real *tiles)
  {
    LAC_UNROLLED
    for (int r = 0; r < ROWS; r++)
      LAC_UNROLLED
    for (int c = 0; c < 2 * V; c++)
      sum[r][c] = 0;
    fetch<TRANSPOSED>(a, b, row, column, 0);
    put<TRANSPOSED>(tiles);
    __syncthreads();
    for (int k = 0, turn = 0; k < depth; k += DEPTH, turn ^= 1) {
      const bool more = k + DEPTH < depth;

      if (more)
        fetch<TRANSPOSED>(a, b, row, column, k + DEPTH);
      add(tiles + turn * SIZE);
      if (more)
        put<TRANSPOSED>(tiles + (turn ^ 1) * SIZE);
      __syncthreads();
    }
  }
};
