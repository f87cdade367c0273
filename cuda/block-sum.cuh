/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums over the threads of a block in a fixed order. */
#pragma once

#include "cuda/launch.cuh"

/* Returns the sum in every thread. sums: [blockDim.x] in shared memory; blockDim.x is a power of two. */
__device__ static inline double
sum_of_threads(double value, double *sums)
{
  sums[threadIdx.x] = value;
  for (unsigned reach = blockDim.x / 2; reach > 0; reach /= 2) {
    __syncthreads();
    if (threadIdx.x < reach)
      sums[threadIdx.x] += sums[threadIdx.x + reach];
  }
  __syncthreads();
  value = sums[0];
  __syncthreads();
  return value;
}
