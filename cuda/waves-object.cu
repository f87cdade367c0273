/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descents over the pixels of an object: a thread for each pixel, a block for each row where its pixels are summed. */
#include "cuda/waves.cuh"

template <typename Args, void (*formula)(const Args *args, size_t pixel)>
__global__ static void
pixels_kernel(Args args)
{
  const size_t i = (size_t) blockIdx.x * PLANE_THREADS + threadIdx.x;

  if (i < args.support * args.support)
    formula(&args, i);
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

#define PIXELS(name, Args, formula)                                                           \
  LacStatus waves_##name##_cuda(void *self, const Args *args)                                 \
  {                                                                                           \
    return launch(pixels_kernel<Args, formula>,                                               \
                  blocks_for(args->support * args->support, PLANE_THREADS), PLANE_THREADS, 0, \
                  stream_of(self), *args);                                                    \
  }
PIXELS(reparametrise, LacWaveVariables, lac_wave_variables_find_object)
PIXELS(reparametrise_reverse, LacWaveVariables, lac_wave_variables_find_bar)
PIXELS(conjugate, LacWaveConjugate, lac_wave_conjugate_turn)
#undef PIXELS

LacStatus
waves_penalise_cuda(void *self, const LacWaveVariables *args)
{
  return launch(penalise_kernel, (unsigned) args->support, PLANE_THREADS, 0, stream_of(self),
                *args);
}

LacStatus
waves_newton_cuda(void *self, const LacWaveNewton *args)
{
  return launch(newton_kernel, 1, PLANE_THREADS, 0, stream_of(self), *args);
}
