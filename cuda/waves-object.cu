/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descents over the pixels of an object: a thread for each pixel, a block for each row where its pixels are summed. */
#include "cuda/waves.cuh"

__global__ static void
variables_kernel(LacWaveVariables v)
{
  const size_t i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;

  if (i < v.support * v.support)
    lac_wave_variables_find_object(&v, i);
}

__global__ static void
variables_bar_kernel(LacWaveVariables v)
{
  const size_t i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;

  if (i < v.support * v.support)
    lac_wave_variables_find_bar(&v, i);
}

__global__ static void
penalise_kernel(LacWaveVariables v)
{
  LAC_SHARED(double, warps, PLANE_WARPS);
  double sum = 0;

  for (size_t x = threadIdx.x; x < v.support; x += PLANE_THREADS)
    sum += lac_wave_variables_penalise(&v, blockIdx.x, x);
  sum = sum_for_block(sum, warps);
  if (threadIdx.x == 0)
    v.penalties[blockIdx.x] = sum;
}

__global__ static void
conjugate_kernel(LacWaveConjugate c)
{
  const size_t i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;

  if (i < c.support * c.support)
    lac_wave_conjugate_turn(&c, i);
}

/* One block. */
__global__ static void
newton_kernel(LacWaveNewton newton)
{
  LAC_SHARED(double, warps, PLANE_WARPS);
  LacWaveSlopes sum = {0, 0, 0};

  for (size_t slot = threadIdx.x; slot < newton.n_slots; slot += PLANE_THREADS) {
    sum.first += newton.slopes[slot].first;
    sum.second += newton.slopes[slot].second;
    sum.most += newton.slopes[slot].most;
  }
  sum.first = sum_for_block(sum.first, warps);
  sum.second = sum_for_block(sum.second, warps);
  sum.most = sum_for_block(sum.most, warps);
  if (threadIdx.x == 0)
    *newton.t = lac_wave_newton_find_t(&newton, sum);
}

#define OBJECT(name, Args, kernel, n_blocks)                                                \
  LacStatus waves_##name##_cuda(void *self, const Args *args)                               \
  {                                                                                         \
    return launch(kernel, (unsigned) (n_blocks), PLANE_THREADS, 0, stream_of(self), *args); \
  }
#define PIXELS blocks_for(args->support * args->support, PLANE_THREADS)
OBJECT(reparametrise, LacWaveVariables, variables_kernel, PIXELS)
OBJECT(reparametrise_reverse, LacWaveVariables, variables_bar_kernel, PIXELS)
OBJECT(penalise, LacWaveVariables, penalise_kernel, args->support)
OBJECT(conjugate, LacWaveConjugate, conjugate_kernel, PIXELS)
OBJECT(newton, LacWaveNewton, newton_kernel, 1)
#undef PIXELS
#undef OBJECT
