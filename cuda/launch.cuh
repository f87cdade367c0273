/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernel launches and shared-memory declarations: the same source is compiled by nvcc for the device and by a plain
 * C++ compiler for the tests' emulator (tests/cuda/emulator/README.md).
 *
 * Rules of a kernel, so that it can be tested without a device:
 *  - launched only by launch(), never by <<<>>>; its arguments are at most 4096 bytes of plain values;
 *  - shared memory by LAC_SHARED or LAC_DYNAMIC_SHARED, at the top of the kernel, reached by every thread;
 *  - __syncthreads, __syncwarp, __shfl_*_sync, __ballot_sync, integer atomics as usual; never float atomics;
 *  - no thread exits before the last barrier of its block, none reads data not written by itself or before a barrier;
 *  - overloaded mathematics (exp, sqrt, fabs, fma), never those of one type (expf), so that a template serves both. */
#pragma once

#include "cuda/check.cuh"

/* LAC_SHARED(Real, tile, 256): `tile` is an array of 256 in shared memory, uninitialised. LAC_SHARED(Real[33], tile,
 * 32): rows of 33. LAC_DYNAMIC_SHARED(Real, tile): the memory requested by launch(), once per kernel. */
#ifdef __CUDACC__
#  define LAC_SHARED(Type, name, n) \
    using name##_element = Type;    \
    __shared__ name##_element name[n]
#  define LAC_DYNAMIC_SHARED(Type, name)            \
    extern __shared__ double2 lac_dynamic_shared[]; \
    Type *const               name = reinterpret_cast<Type *>(lac_dynamic_shared)
#else
#  define LAC_SHARED(Type, name, n)              \
    using name##_element = Type;                 \
    static lac_emulator::Shared name##_of_block; \
    name##_element *const       name =           \
      static_cast<name##_element *>(name##_of_block.of_this_block((n) * sizeof(name##_element)))
#  define LAC_DYNAMIC_SHARED(Type, name) \
    Type *const name = static_cast<Type *>(lac_emulator::dynamic_shared())
#endif

/* LAC_UNROLLED precedes a loop over arrays in registers, LAC_KEPT_LOOP one that must not be unrolled. */
#ifdef __CUDACC__
#  define LAC_UNROLLED  _Pragma("unroll")
#  define LAC_KEPT_LOOP _Pragma("unroll 1")
#else
#  define LAC_UNROLLED
#  define LAC_KEPT_LOOP
#endif

/* Hooks of the arena for memory it hands out and takes back: the emulator fills it with NaN and marks the gaps out of
 * bounds; it may also refuse an allocation, as if each were a piece of its own. */
#ifdef __CUDACC__
#  define LAC_GUARD_BYTES ((size_t) 0)
static inline void
memory_taken(void *, size_t)
{
}
static inline void
memory_free(void *, size_t)
{
}
static inline bool
memory_refused(void)
{
  return false;
}
#else
#  define LAC_GUARD_BYTES ((size_t) 256)
using lac_emulator::memory_free;
using lac_emulator::memory_refused;
using lac_emulator::memory_taken;
#endif

#define LAC_PLAIN_SHARED_BYTES ((size_t) 48 << 10) /* above this a kernel must opt in, once */

/* Returns the number of blocks of `size` threads that cover n elements. */
static inline unsigned
blocks_for(size_t n, unsigned size)
{
  return (unsigned) ((n + size - 1) / size);
}

/* ---- a thread per element of a matrix, without a division ---- */

/* Threads of a block: along x the columns, as many as there are up to `size`, so that neighbours are adjacent in memory; along y
 * rows. Of the grid: along x the rows, which may be many, along y the columns, and along z the matrices of a batch. */
static const size_t most_blocks_across = 65535; /* along y and along z */

static inline dim3
matrix_block(size_t n_columns, unsigned size)
{
  unsigned x = 1;

  while (x < size && x < n_columns)
    x *= 2;
  return dim3(x, size / x, 1);
}

__device__ static inline size_t
row_of_matrix(void)
{
  return (size_t) blockIdx.x * blockDim.y + threadIdx.y;
}

__device__ static inline size_t
column_of_matrix(void)
{
  return (size_t) blockIdx.y * blockDim.x + threadIdx.x;
}

/* Loops over the columns of a thread, for kernels that launch_rows() launches. */
#define LAC_EACH_COLUMN(column, n) \
  LAC_KEPT_LOOP                    \
  for (size_t column = column_of_matrix(); column < (n); column += (size_t) gridDim.y * blockDim.x)

/* Enqueues a kernel with one thread per element of a matrix, [n_batch][n_rows][n_columns]. */
#define launch_matrix(kernel, ...) (name_launch(#kernel), launch_kernel_matrix(kernel, __VA_ARGS__))
/* The same for rows of any length: a thread has several columns where the grid is too small for all. */
#define launch_rows(kernel, ...) (name_launch(#kernel), launch_kernel_rows(kernel, __VA_ARGS__))

/* Enqueues a kernel in a stream; an empty grid does nothing. Only on the thread of the stream's owner. */
#define launch(kernel, ...) (name_launch(#kernel), launch_kernel(kernel, __VA_ARGS__))
/* Enqueues a kernel with one thread per item, in blocks of a given size. */
#define launch_each(kernel, ...) (name_launch(#kernel), launch_kernel_each(kernel, __VA_ARGS__))

/* Launches a kernel whose name the caller has stored. */
template <typename... Parameters, typename... Arguments>
static inline LacStatus
launch_kernel(void (*kernel)(Parameters...),
              dim3         grid,
              dim3         block,
              size_t       shared_bytes,
              cudaStream_t stream,
              Arguments... arguments)
{
  static_assert((sizeof(Parameters) + ... + 0) <= 4096, "a kernel takes 4096 bytes at most");
  if (grid.x == 0 || grid.y == 0 || grid.z == 0)
    return LAC_STATUS_OK;
  if (shared_bytes > LAC_PLAIN_SHARED_BYTES) {
    const cudaError_t answer =
      cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel),
                           cudaFuncAttributeMaxDynamicSharedMemorySize, (int) shared_bytes);

    if (answer != cudaSuccess)
      return status_of_launch(answer);
  }
#ifdef __CUDACC__
  kernel<<<grid, block, shared_bytes, stream>>>(arguments...);
#else
  lac_emulator::start(kernel, grid, block, shared_bytes, stream, arguments...);
#endif
  const LacStatus status = status_of_launch(cudaGetLastError());

  if (status == LAC_STATUS_OK)
    take_launch_stamp(reinterpret_cast<const void *>(kernel), (size_t) grid.x * grid.y * grid.z,
                      (size_t) block.x * block.y * block.z, shared_bytes);
  return status;
}

template <typename... Parameters, typename... Arguments>
static inline LacStatus
launch_kernel_each(void (*kernel)(Parameters...),
                   size_t       n_items,
                   unsigned     size,
                   cudaStream_t stream,
                   Arguments... arguments)
{
  return launch_kernel(kernel, blocks_for(n_items, size), size, 0, stream, arguments...);
}

struct MatrixSize {
  size_t n_rows, n_columns, n_batch;
};

template <typename... Parameters, typename... Arguments>
static inline LacStatus
launch_kernel_matrix(void (*kernel)(Parameters...),
                     MatrixSize   size,
                     unsigned     n_threads,
                     cudaStream_t stream,
                     Arguments... arguments)
{
  const dim3     block = matrix_block(size.n_columns, n_threads);
  const unsigned n_parts = blocks_for(size.n_columns, block.x);

  if (n_parts > most_blocks_across || size.n_batch > most_blocks_across)
    return LAC_STATUS_UNSUPPORTED;
  return launch_kernel(kernel,
                       dim3(blocks_for(size.n_rows, block.y), n_parts, (unsigned) size.n_batch),
                       block, 0, stream, arguments...);
}

template <typename... Parameters, typename... Arguments>
static inline LacStatus
launch_kernel_rows(void (*kernel)(Parameters...),
                   size_t       n_rows,
                   size_t       n_columns,
                   unsigned     n_threads,
                   cudaStream_t stream,
                   Arguments... arguments)
{
  const dim3   block = matrix_block(n_columns, n_threads);
  const size_t n_parts = (n_columns + block.x - 1) / block.x;

  return launch_kernel(
    kernel,
    dim3(blocks_for(n_rows, block.y),
         (unsigned) (n_parts < most_blocks_across ? n_parts : most_blocks_across), 1),
    block, 0, stream, arguments...);
}
