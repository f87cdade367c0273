/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels that touch each element once: fill, strided copy, rank update, Adam. One template per kernel, both types. */
#include "cuda/device.cuh"

static const unsigned block_size = 256;

static unsigned
blocks_for(size_t n)
{
  return (unsigned) ((n + block_size - 1) / block_size);
}

template <typename Real>
__global__ void
fill_kernel(Real *y, Real value, size_t n)
{
  const size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n)
    y[i] = value;
}

LacStatus
fill_cuda(void *self, LacType type, void *y, double value, size_t n)
{
  if (n == 0)
    return LAC_STATUS_OK;
  if (type == LAC_F32)
    fill_kernel<<<blocks_for(n), block_size, 0, stream_of(self)>>>((float *) y, (float) value, n);
  else
    fill_kernel<<<blocks_for(n), block_size, 0, stream_of(self)>>>((double *) y, value, n);
  return status_of(cudaGetLastError());
}

template <typename Real>
__global__ void
strided_kernel(LacStrided args)
{
  const size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= args.n_rows * args.n_columns)
    return;
  const size_t row = i / args.n_columns, column = i % args.n_columns;
  const Real   x = ((const Real *) args.x)[row * args.x_stride + column];
  Real        *y = (Real *) args.y + row * args.y_stride + column;

  *y = args.beta == 0 ? (Real) args.alpha * x : (Real) args.alpha * x + (Real) args.beta * *y;
}

LacStatus
strided_cuda(void *self, const LacStrided *args)
{
  const size_t n = args->n_rows * args->n_columns;

  if (n == 0)
    return LAC_STATUS_OK;
  if (args->type == LAC_F32)
    strided_kernel<float><<<blocks_for(n), block_size, 0, stream_of(self)>>>(*args);
  else
    strided_kernel<double><<<blocks_for(n), block_size, 0, stream_of(self)>>>(*args);
  return status_of(cudaGetLastError());
}

template <typename Real>
__global__ void
rank_update_kernel(LacRankUpdate args)
{
  const size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= (args.row_last - args.row_first) * args.n)
    return;
  const size_t row = args.row_first + i / args.n, column = i % args.n;
  Real        *h = (Real *) args.h + row * args.n + column;
  Real         sum = (Real) args.alpha * *h;

  for (int k = 0; k < args.n_terms; k++)
    sum += (Real) args.c[k] * ((const Real *) args.v[k])[row] * ((const Real *) args.v[k])[column];
  *h = sum;
}

LacStatus
rank_update_cuda(void *self, const LacRankUpdate *args)
{
  const size_t n = (args->row_last - args->row_first) * args->n;

  if (n == 0)
    return LAC_STATUS_OK;
  if (args->type == LAC_F32)
    rank_update_kernel<float><<<blocks_for(n), block_size, 0, stream_of(self)>>>(*args);
  else
    rank_update_kernel<double><<<blocks_for(n), block_size, 0, stream_of(self)>>>(*args);
  return status_of(cudaGetLastError());
}

template <typename Real>
__global__ void
adam_kernel(LacAdam args)
{
  const size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= args.n)
    return;
  const Real g = ((const Real *) args.gradient)[i];
  const Real m = (Real) args.beta1 * ((Real *) args.m)[i] + (Real) (1 - args.beta1) * g;
  const Real v = (Real) args.beta2 * ((Real *) args.v)[i] + (Real) (1 - args.beta2) * g * g;

  ((Real *) args.m)[i] = m;
  ((Real *) args.v)[i] = v;
  ((Real *) args.theta)[i] -= (Real) args.rate * (m / (Real) args.correction1) /
                              (sqrt(v / (Real) args.correction2) + (Real) args.epsilon);
}

LacStatus
adam_cuda(void *self, const LacAdam *args)
{
  if (args->n == 0)
    return LAC_STATUS_OK;
  if (args->type == LAC_F32)
    adam_kernel<float><<<blocks_for(args->n), block_size, 0, stream_of(self)>>>(*args);
  else
    adam_kernel<double><<<blocks_for(args->n), block_size, 0, stream_of(self)>>>(*args);
  return status_of(cudaGetLastError());
}
