/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared parts of the layers over planes: table entries, block-wide sums available in every thread, ordered reduction
 * of partial sums. */
#pragma once

#include "backend/plane-layers.h"
#include "cuda/device.cuh"
#include "cuda/launch.cuh"

#define K(name, Args) LacStatus planes_##name##_cuda(void *self, const Args *args);
LAC_PLANE_LAYERS(K)
#undef K
size_t planes_convolve_scratch_cuda(const LacConvolve *args);
size_t planes_normalise_sums_cuda(const LacNormalise *args);
size_t planes_picture_sums_cuda(const LacPlanePicture *args);

const LacPlaneLayers *planes_cuda(void);

#define PLANE_THREADS 256 /* threads in a block of most kernels */
#define PLANE_WARPS   (PLANE_THREADS / 32)

/* Returns, in every thread, the sum over a block of PLANE_THREADS. @warps: [PLANE_WARPS] of shared memory, reusable
 * before and after. */
__device__ static inline double
sum_for_block(double value, double *warps)
{
  double sum = 0;

  for (unsigned reach = 16; reach > 0; reach /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, (int) reach);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = value;
  __syncthreads();
  for (unsigned k = 0; k < PLANE_WARPS; k++)
    sum += warps[k];
  __syncthreads();
  return sum;
}

/* planes.cu: y[r y_row + j] = sum over p < n_parts of parts[(p n_rows + r) n + j], in order and in double precision,
 * for each of n_sets. The parts of consecutive sets are contiguous, their results y_set apart. */
typedef struct {
  LacType     type;
  const void *parts;
  size_t      n_parts, n_sets, n_rows, n;
  void       *y;
  size_t      y_row, y_set;
} PlaneParts;

LacStatus sum_plane_parts(CudaDevice *device, const PlaneParts *args);
