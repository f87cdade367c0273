/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels that access each element once: fill, strided copy, rank update, Adam. One template per kernel, both types. */
#include "cuda/device.cuh"
#include "cuda/launch.cuh"
#include "cuda/together.cuh"

#include <math.h>
#include <string.h>

static const unsigned block_size = 256;

template <typename Real>
__global__ static void
fill_kernel(Real *y, Real value, size_t n)
{
  const size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n)
    y[i] = value;
}

template <typename Real>
static LacStatus
fill(CudaDevice *device, void *y, double value, size_t n)
{
  return launch_each(fill_kernel<Real>, n, block_size, device->stream, static_cast<Real *>(y),
                     (Real) value, n);
}

LacStatus
fill_cuda(void *self, LacType type, void *y, double value, size_t n)
{
  bool done;

  LAC_TRY(fill_together(device_of(self), type, y, value, n, &done));
  if (done)
    return LAC_STATUS_OK;
  return LAC_BY_TYPE(type, fill, device_of(self), y, value, n);
}

template <typename Real>
__global__ static void
strided_kernel(LacStrided args)
{
  const size_t row = row_of_matrix();

  if (row >= args.n_rows)
    return;
  const Real  alpha = (Real) (args.scale ? args.alpha * *args.scale : args.alpha);
  const Real *from = static_cast<const Real *>(args.x) + row * args.x_stride;
  Real       *to = static_cast<Real *>(args.y) + row * args.y_stride;

  LAC_EACH_COLUMN(column, args.n_columns)
  to[column] =
    args.beta == 0 ? alpha * from[column] : alpha * from[column] + (Real) args.beta * to[column];
}

template <typename Real>
static LacStatus
strided(CudaDevice *device, const LacStrided *args)
{
  return launch_rows(strided_kernel<Real>, args->n_rows, args->n_columns, block_size,
                     device->stream, *args);
}

LacStatus
strided_cuda(void *self, const LacStrided *args)
{
  bool done;

  LAC_TRY(strided_together(device_of(self), args, &done));
  if (done)
    return LAC_STATUS_OK;
  return LAC_BY_TYPE(args->type, strided, device_of(self), args);
}

/* c (v_i v_j), not (c v_i) v_j: keeps the matrix bitwise symmetric however its rows are split. */
template <typename Real>
__global__ static void
rank_update_kernel(LacRankUpdate args)
{
  const size_t row = args.row_first + row_of_matrix(), column = column_of_matrix();

  if (row >= args.row_last || column >= args.n)
    return;
  Real *h = static_cast<Real *>(args.h) + row * args.n + column;
  Real  sum = (Real) args.alpha * *h;

  for (int k = 0; k < args.n_terms; k++) {
    const Real *v = static_cast<const Real *>(args.v[k]);

    sum += (Real) args.c[k] * (v[row] * v[column]);
  }
  *h = sum;
}

template <typename Real>
static LacStatus
rank_update(CudaDevice *device, const LacRankUpdate *args)
{
  return launch_matrix(rank_update_kernel<Real>,
                       MatrixSize{args->row_last - args->row_first, args->n, 1}, block_size,
                       device->stream, *args);
}

LAC_ENTRY(rank_update, LacRankUpdate, rank_update)

template <typename Real>
__global__ static void
adam_kernel(LacAdam args)
{
  const size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= args.n)
    return;
  const double rate = args.numbers ? args.rate * args.numbers[0] : args.rate;
  const double correction1 = args.numbers ? args.numbers[1] : args.correction1;
  const Real   correction2 = (Real) (args.numbers ? args.numbers[2] : args.correction2);
  const Real   g = static_cast<const Real *>(args.gradient)[i];
  Real        *m = static_cast<Real *>(args.m) + i, *v = static_cast<Real *>(args.v) + i;
  const Real   m_new = (Real) args.beta1 * *m + (Real) (1 - args.beta1) * g;
  const Real   v_new = (Real) args.beta2 * *v + (Real) (1 - args.beta2) * (g * g);

  *m = m_new;
  *v = v_new;
  static_cast<Real *>(args.theta)[i] -=
    (Real) (rate * correction1) * m_new / (sqrt(v_new * correction2) + (Real) args.epsilon);
}

template <typename Real>
static LacStatus
adam(CudaDevice *device, const LacAdam *args)
{
  return launch_each(adam_kernel<Real>, args->n, block_size, device->stream, *args);
}

LAC_ENTRY(adam, LacAdam, adam)

struct Letter {
  char bytes[CUDA_STORE_BYTES];
};

__global__ static void
store_kernel(char *memory, Letter letter, unsigned n_bytes)
{
  for (unsigned i = threadIdx.x; i < n_bytes; i += blockDim.x)
    memory[i] = letter.bytes[i];
}

LacStatus
store_bytes(CudaDevice *device, void *memory, const void *host, size_t n_bytes)
{
  Letter letter;

  memcpy(letter.bytes, host, n_bytes);
  return launch(store_kernel, 1, block_size, 0, device->stream, static_cast<char *>(memory), letter,
                (unsigned) n_bytes);
}
