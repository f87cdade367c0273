/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of 32-bit matrices on bfloat16 tensor cores: a value is the sum of two or three bfloat16, and the
 * significant products of the parts are summed in 32 bits, the smallest first, by one call over concatenated parts.
 * Relative error of a product of uniform random values with the true rounding of the parts: 4e-6 with three products,
 * 5e-7 with six, 3e-7 for plain 32 bits (tests/cuda/test-precision.c; larger for second derivatives). The units'
 * rounding in summation is not specified; no sum is longer than `most_rows` elements at a time. */
#include "cuda/device.cuh"
#include "cuda/launch.cuh"

#include <cuda_bf16.h>

static const unsigned block_size = 256;
static const size_t   most_rows = 4096; /* rows of x and y_bar split at a time */

/* Part of each factor that a product uses, the leading one being 0. */
struct SplitPlan {
  int n, a[6], b[6];
};

static SplitPlan
plan_of(LacPrecision precision)
{
  if (precision == LAC_PRECISION_BF16X6)
    return {6, {1, 2, 0, 1, 0, 0}, {1, 0, 2, 0, 1, 0}};
  return {3, {1, 0, 0}, {0, 1, 0}};
}

/* Part number `part` of x: the remainder after the earlier parts, rounded to bfloat16. */
__device__ static inline __nv_bfloat16
part_of(float x, int part)
{
  __nv_bfloat16 leading = __float2bfloat16(x);

  for (int k = 0; k < part; k++) {
    x -= __bfloat162float(leading);
    leading = __float2bfloat16(x);
  }
  return leading;
}

struct SplitArgs {
  const float   *x;
  size_t         n_rows, n_columns;
  bool           beside; /* out[row][product][column], else out[product][row][column] */
  int            n, part[6];
  __nv_bfloat16 *out;
};

__global__ static void
split_kernel(SplitArgs s)
{
  const size_t row = row_of_matrix(), column = column_of_matrix(), n = (size_t) s.n;

  if (row >= s.n_rows || column >= s.n_columns)
    return;
  for (size_t p = 0; p < n; p++)
    s.out[(s.beside ? row * n + p : p * s.n_rows + row) * s.n_columns + column] =
      part_of(s.x[row * s.n_columns + column], s.part[p]);
}

static LacStatus
split(CudaDevice *device, SplitArgs s, const int *parts)
{
  for (int p = 0; p < s.n; p++)
    s.part[p] = parts[p];
  return launch_matrix(split_kernel, MatrixSize{s.n_rows, s.n_columns, 1}, block_size,
                       device->stream, s);
}

/* c = op(a) op(b) + beta c in cuBLAS's convention, over factors already split. */
struct SplitGemm {
  cublasOperation_t    op_a, op_b;
  size_t               m, n, k;
  const __nv_bfloat16 *a;
  size_t               lda;
  const __nv_bfloat16 *b;
  size_t               ldb;
  float                beta;
  float               *c;
  size_t               ldc;
};

static LacStatus
multiply_parts(CudaDevice *device, const SplitGemm &g)
{
  const float alpha = 1;

  return blas_status(cublasGemmEx(device->blas, g.op_a, g.op_b, (int) g.m, (int) g.n, (int) g.k,
                                  &alpha, g.a, CUDA_R_16BF, (int) g.lda, g.b, CUDA_R_16BF,
                                  (int) g.ldb, &g.beta, g.c, CUDA_R_32F, (int) g.ldc,
                                  CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}

/* Scratch for the split weight, then for the rows at a time. */
struct SplitRoom {
  __nv_bfloat16 *weight, *rows, *other_rows;
  size_t         n_rows; /* 0: the matrix is too large for the scratch */
};

static SplitRoom
room_for(const CudaDevice *device, size_t weight, size_t row, size_t other_row)
{
  const size_t   room = device->split_bytes / sizeof(__nv_bfloat16);
  const size_t   used = (weight + 127) / 128 * 128, rest = room > used ? room - used : 0;
  const size_t   fit = rest / (row + other_row), n_rows = fit < most_rows ? fit : most_rows;
  __nv_bfloat16 *first = static_cast<__nv_bfloat16 *>(device->split);

  return {first, first + used, first + used + n_rows * row, n_rows};
}

static size_t
rows_at(const SplitRoom &room, size_t first, size_t n)
{
  return n - first < room.n_rows ? n - first : room.n_rows;
}

LacStatus
split_product(CudaDevice *device, const LacLinear *args, void *y)
{
  const SplitPlan plan = plan_of(device->precision);
  const size_t    n = args->n_points * args->n_streams, p = (size_t) plan.n;
  const size_t    depth = p * args->n_in;
  const SplitRoom room = room_for(device, args->n_out * depth, depth, 0);
  const float    *x = static_cast<const float *>(args->x), *w = static_cast<const float *>(args->w);

  if (room.n_rows == 0)
    return LAC_STATUS_UNSUPPORTED;
  LAC_TRY(split(device, {w, args->n_out, args->n_in, true, plan.n, {}, room.weight}, plan.b));
  for (size_t first = 0; first < n; first += room.n_rows) {
    const size_t rows = rows_at(room, first, n);

    LAC_TRY(split(device, {x + first * args->n_in, rows, args->n_in, true, plan.n, {}, room.rows},
                  plan.a));
    LAC_TRY(multiply_parts(device, {CUBLAS_OP_T, CUBLAS_OP_N, args->n_out, rows, depth, room.weight,
                                    depth, room.rows, depth, 0,
                                    static_cast<float *>(y) + first * args->n_out, args->n_out}));
  }
  return LAC_STATUS_OK;
}

LacStatus
split_x_bar(CudaDevice *device, const LacLinear *args)
{
  const SplitPlan plan = plan_of(device->precision);
  const size_t    n = args->n_points * args->n_streams, p = (size_t) plan.n;
  const size_t    depth = p * args->n_out;
  const SplitRoom room = room_for(device, args->n_in * depth, depth, 0);
  const float    *y_bar = static_cast<const float *>(args->y_bar);
  const float     beta = args->x_bar_fresh ? 0.0f : 1.0f;

  if (room.n_rows == 0)
    return LAC_STATUS_UNSUPPORTED;
  LAC_TRY(split(
    device,
    {static_cast<const float *>(args->w), args->n_out, args->n_in, false, plan.n, {}, room.weight},
    plan.b));
  for (size_t first = 0; first < n; first += room.n_rows) {
    const size_t rows = rows_at(room, first, n);

    LAC_TRY(split(device,
                  {y_bar + first * args->n_out, rows, args->n_out, true, plan.n, {}, room.rows},
                  plan.a));
    LAC_TRY(
      multiply_parts(device, {CUBLAS_OP_N, CUBLAS_OP_N, args->n_in, rows, depth, room.weight,
                              args->n_in, room.rows, depth, beta,
                              static_cast<float *>(args->x_bar) + first * args->n_in, args->n_in}));
  }
  return LAC_STATUS_OK;
}

LacStatus
split_w_bar(CudaDevice *device, const LacLinear *args)
{
  const SplitPlan plan = plan_of(device->precision);
  const size_t    n = args->n_points * args->n_streams, p = (size_t) plan.n;
  const SplitRoom room = room_for(device, 0, p * args->n_in, p * args->n_out);
  const float    *x = static_cast<const float *>(args->x);
  const float    *y_bar = static_cast<const float *>(args->y_bar);

  if (room.n_rows == 0)
    return LAC_STATUS_UNSUPPORTED;
  for (size_t first = 0; first < n; first += room.n_rows) {
    const size_t rows = rows_at(room, first, n);

    LAC_TRY(split(device, {x + first * args->n_in, rows, args->n_in, false, plan.n, {}, room.rows},
                  plan.a));
    LAC_TRY(split(
      device, {y_bar + first * args->n_out, rows, args->n_out, false, plan.n, {}, room.other_rows},
      plan.b));
    LAC_TRY(multiply_parts(device, {CUBLAS_OP_N, CUBLAS_OP_T, args->n_in, args->n_out, p * rows,
                                    room.rows, args->n_in, room.other_rows, args->n_out, 1,
                                    static_cast<float *>(args->w_bar), args->n_in}));
  }
  return LAC_STATUS_OK;
}

/* The scratch of a mode is allocated with it and never freed: a recorded step may use it. */
LacStatus
set_precision_cuda(void *self, LacPrecision precision)
{
  CudaDevice *device = device_of(self);

  LAC_TRY(not_recording(self));
  if (precision != LAC_PRECISION_PLAIN && !device->split) {
    LAC_TRY(arena_take(device->arena, CUDA_SPLIT_BYTES, &device->split));
    device->split_bytes = CUDA_SPLIT_BYTES;
  }
  device->precision = precision;
  return LAC_STATUS_OK;
}
