/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrix products through cuBLAS, and the layer composed of them and the jet formulas. Row-major here is the
 * transpose in cuBLAS: [n][m] with rows of m is its m x n. Recorded steps may contain them: with results on the
 * device and a user-provided workspace cuBLAS may be captured (cuBLAS documentation, "CUDA Graphs Support"). */
#include "cuda/device.cuh"
#include "cuda/launch.cuh"

static const unsigned block_size = 256;
static const size_t   rows_per_part = 1024, most_parts = 64;

/* c = op(a) op(b) + beta c in cuBLAS's convention, n_parts times; the given strides, in elements, separate the
 * parts. */
template <typename Real> struct Gemm {
  cublasOperation_t op_a, op_b;
  size_t            m, n, k;
  const Real       *a;
  size_t            lda;
  const Real       *b;
  size_t            ldb;
  double            beta;
  Real             *c;
  size_t            ldc;
  size_t            part_a, part_b, part_c, n_parts;
};

static inline cublasStatus_t
call_gemm(cublasHandle_t blas, const Gemm<float> &g, float alpha, float beta)
{
  return cublasSgemmStridedBatched(blas, g.op_a, g.op_b, (int) g.m, (int) g.n, (int) g.k, &alpha,
                                   g.a, (int) g.lda, (long long) g.part_a, g.b, (int) g.ldb,
                                   (long long) g.part_b, &beta, g.c, (int) g.ldc,
                                   (long long) g.part_c, (int) g.n_parts);
}

static inline cublasStatus_t
call_gemm(cublasHandle_t blas, const Gemm<double> &g, double alpha, double beta)
{
  return cublasDgemmStridedBatched(blas, g.op_a, g.op_b, (int) g.m, (int) g.n, (int) g.k, &alpha,
                                   g.a, (int) g.lda, (long long) g.part_a, g.b, (int) g.ldb,
                                   (long long) g.part_b, &beta, g.c, (int) g.ldc,
                                   (long long) g.part_c, (int) g.n_parts);
}

template <typename Real>
static LacStatus
gemm(CudaDevice *device, const Gemm<Real> &g)
{
  if (g.m == 0 || g.n == 0 || g.n_parts == 0)
    return LAC_STATUS_OK;
  return blas_status_of_call(call_gemm(device->blas, g, (Real) 1, (Real) g.beta),
                             "cublasGemmStridedBatched");
}

template <typename Real>
__global__ static void
add_bias_kernel(Real *y, const Real *bias, size_t n_points, size_t n_out, size_t row)
{
  const size_t point = row_of_matrix(), column = column_of_matrix();

  if (point < n_points && column < n_out)
    y[point * row + column] += bias[column];
}

/* y = x w^T */
template <typename Real>
static LacStatus
multiply(CudaDevice *device, const LacLinear *args, void *y)
{
  if (is_split(device, args->type))
    return split_product(device, args, y);
  return gemm<Real>(
    device, {CUBLAS_OP_T, CUBLAS_OP_N, args->n_out, args->n_points * args->n_streams, args->n_in,
             static_cast<const Real *>(args->w), args->n_in, static_cast<const Real *>(args->x),
             args->n_in, 0, static_cast<Real *>(y), args->n_out, 0, 0, 0, 1});
}

template <typename Real>
static LacStatus
linear(CudaDevice *device, const LacLinear *args)
{
  LAC_TRY(multiply<Real>(device, args, args->y));
  if (!args->bias)
    return LAC_STATUS_OK;
  return launch_matrix(add_bias_kernel<Real>, MatrixSize{args->n_points, args->n_out, 1},
                       block_size, device->stream, static_cast<Real *>(args->y),
                       static_cast<const Real *>(args->bias), args->n_points, args->n_out,
                       args->n_streams * args->n_out);
}

LAC_ENTRY(linear, LacLinear, linear)

/* w_bar += y_bar^T x over many rows: equal shares of them, each summed from zero, then the shares added in order. */
template <typename Real>
static LacStatus
add_weights(CudaDevice *device, const LacLinear *args)
{
  const size_t n = args->n_points * args->n_streams, size = args->n_in * args->n_out;
  const size_t room = CUDA_SCRATCH_BYTES / (size * sizeof(Real));
  const size_t most = room < most_parts ? room : most_parts, wanted = n / rows_per_part;
  const size_t n_parts = wanted < most ? wanted : most, share = n_parts ? n / n_parts : 0;
  const size_t done = share * n_parts;
  const Real  *x = static_cast<const Real *>(args->x);
  const Real  *y_bar = static_cast<const Real *>(args->y_bar);
  Real        *w_bar = static_cast<Real *>(args->w_bar);
  Gemm<Real>   g = {CUBLAS_OP_N, CUBLAS_OP_T, args->n_in, args->n_out, n, x, args->n_in, y_bar,
                    args->n_out, 1,           w_bar,      args->n_in,  0, 0, 0,          1};

  if (n_parts < 2)
    return gemm(device, g);
  g.k = share;
  g.beta = 0;
  g.c = reinterpret_cast<Real *>(device->scratch);
  g.part_a = share * args->n_in;
  g.part_b = share * args->n_out;
  g.part_c = size;
  g.n_parts = n_parts;
  LAC_TRY(gemm(device, g));
  LAC_TRY(sum_parts(device, args->type, device->scratch, n_parts, size, w_bar));
  g = {CUBLAS_OP_N, CUBLAS_OP_T,
       args->n_in,  args->n_out,
       n - done,    x + done * args->n_in,
       args->n_in,  y_bar + done * args->n_out,
       args->n_out, 1,
       w_bar,       args->n_in,
       0,           0,
       0,           (size_t) (n > done)};
  return gemm(device, g);
}

template <typename Real>
static LacStatus
linear_reverse(CudaDevice *device, const LacLinear *args)
{
  const size_t n = args->n_points * args->n_streams;
  const Real  *y_bar = static_cast<const Real *>(args->y_bar);

  if (n == 0)
    return LAC_STATUS_OK;
  if (args->x_bar && is_split(device, args->type))
    LAC_TRY(split_x_bar(device, args));
  else if (args->x_bar)
    LAC_TRY(gemm<Real>(device, {CUBLAS_OP_N, CUBLAS_OP_N, args->n_in, n, args->n_out,
                                static_cast<const Real *>(args->w), args->n_in, y_bar, args->n_out,
                                args->x_bar_fresh ? 0.0 : 1.0, static_cast<Real *>(args->x_bar),
                                args->n_in, 0, 0, 0, 1}));
  if (args->w_bar)
    LAC_TRY(is_split(device, args->type) ? split_w_bar(device, args)
                                         : add_weights<Real>(device, args));
  if (args->bias_bar)
    return sum_rows(device, args->type, y_bar, args->n_points, args->n_streams * args->n_out,
                    args->n_out, args->bias_bar);
  return LAC_STATUS_OK;
}

LAC_ENTRY(linear_reverse, LacLinear, linear_reverse)

/* ---- the layer: `saved` holds z with its bias ---- */

static LacLinear
linear_of(const LacLayer *args)
{
  LacLinear linear = {};

  linear.type = args->type;
  linear.n_points = args->n_points;
  linear.n_streams = args->jet->n_streams;
  linear.n_in = args->n_in;
  linear.n_out = args->n_out;
  linear.x = args->x;
  linear.w = args->w;
  linear.y_bar = args->y_bar;
  linear.x_bar = args->x_bar;
  linear.w_bar = args->w_bar;
  linear.bias_bar = args->bias_bar;
  linear.x_bar_fresh = args->x_bar_fresh;
  return linear;
}

static LacMapJet
map_of(const LacLayer *args)
{
  LacMapJet map = {};

  map.scalar = args->scalar;
  map.type = args->type;
  map.jet = args->jet;
  map.n_points = args->n_points;
  map.n_columns = args->n_out;
  map.x = args->saved ? args->saved : args->y;
  return map;
}

/* cuBLAS needs no packed copy of w. */
size_t
layer_pack_bytes_cuda(void *, const LacLayer *)
{
  return 0;
}

LacStatus
layer_pack_cuda(void *, const LacLayer *, void *, void *)
{
  return LAC_STATUS_OK;
}

size_t
layer_work_bytes_cuda(void *, const LacLayer *)
{
  return 0;
}

LacStatus
layer_cuda(void *self, const LacLayer *args)
{
  const LacLinear linear = linear_of(args);
  LacMapJet       map = map_of(args);

  if (args->fused)
    return fused_layer(device_of(self), args);
  map.y = args->y;
  LAC_TRY(LAC_BY_TYPE(args->type, multiply, device_of(self), &linear, const_cast<void *>(map.x)));
  return map_biased_jet(device_of(self), &map, args->bias);
}

LacStatus
layer_reverse_cuda(void *self, const LacLayer *args)
{
  LacLinear linear = linear_of(args);
  LacMapJet map = map_of(args);
  bool      bias_done = false;

  map.y_bar = args->y_bar;
  map.x_bar = args->y_bar;
  if (args->fused) {
    LAC_TRY(fused_layer_reverse(device_of(self), args, &map, &bias_done));
    linear.x_bar = NULL;
    linear.bias_bar = bias_done ? NULL : args->bias_bar;
  } else
    LAC_TRY(map_jet_reverse_cuda(self, &map));
  return linear_reverse_cuda(self, &linear);
}

/* ---- a matrix times a vector ---- */

LacStatus
matvec_cuda(void *self, const LacMatvec *args)
{
  const int    m = (int) args->n_columns, n = (int) args->n_rows;
  const double alpha = args->alpha, beta = args->beta;
  const float  alpha_f32 = (float) alpha, beta_f32 = (float) beta;
  /* row by row is the transpose of column by column */
  const cublasOperation_t op = args->transposed ? CUBLAS_OP_N : CUBLAS_OP_T;

  if (n == 0)
    return LAC_STATUS_OK;
  if (args->type == LAC_F32)
    return blas_status(cublasSgemv(
      device_of(self)->blas, op, m, n, &alpha_f32, static_cast<const float *>(args->a), m,
      static_cast<const float *>(args->x), 1, &beta_f32, static_cast<float *>(args->y), 1));
  return blas_status(
    cublasDgemv(device_of(self)->blas, op, m, n, &alpha, static_cast<const double *>(args->a), m,
                static_cast<const double *>(args->x), 1, &beta, static_cast<double *>(args->y), 1));
}

/* ---- a matrix times a matrix ---- */

LacStatus
product_cuda(void *self, const LacProduct *args)
{
  const double alpha = args->alpha, beta = args->beta;

  if (args->m == 0 || args->n == 0)
    return LAC_STATUS_OK;
  return blas_status(cublasDgemmStridedBatched(
    device_of(self)->blas, args->transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N,
    args->transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N, (int) args->n, (int) args->m, (int) args->k,
    &alpha, args->b, (int) args->b_row, 0, args->a, (int) args->a_row, 0, &beta, args->y,
    (int) args->y_row, 0, 1));
}
