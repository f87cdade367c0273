/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the layers over planes share: their table's functions, sums that every thread of a block learns, partial sums put together in
 * order. */
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

/* The entry of the table that is `function` for either type. */
#define PLANE_LAYER(name, Args, function)                            \
  LacStatus planes_##name##_cuda(void *self, const Args *args)       \
  {                                                                  \
    return LAC_BY_TYPE(args->type, function, device_of(self), args); \
  }

const LacPlaneLayers *planes_cuda(void);

#define PLANE_THREADS 256 /* of most blocks */
#define PLANE_WARPS   (PLANE_THREADS / 32)

/* The sum over a block of PLANE_THREADS, in every thread; @warps: [PLANE_WARPS] of the block's memory, free when it begins and
 * when it returns. */
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

/* planes-sum.cu: y[r y_row + j] = sum over p < n_parts of parts[(p n_rows + r) n + j], in order and in double precision, for each of
 * n_sets: their parts lie one behind the other, their y y_set apart. */
typedef struct {
  LacType     type;
  const void *parts;
  size_t      n_parts, n_sets, n_rows, n;
  void       *y;
  size_t      y_row, y_set;
} PlaneParts;

LacStatus sum_plane_parts(CudaDevice *device, const PlaneParts *args);
