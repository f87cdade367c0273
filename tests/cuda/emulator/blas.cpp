/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuBLAS over OpenBLAS: column-major, in the handle's stream, with the handle's workspace. */
#include "cublas_v2.h"
#include "limits.h"
#include "stream.h"

#include <cblas.h>

struct lac_emulator_blas {
  cudaStream_t        stream;
  void               *workspace;
  size_t              workspace_bytes;
  cublasPointerMode_t pointers;
};

using namespace lac_emulator;

cublasStatus_t
cublasCreate_v2(cublasHandle_t *handle)
{
  Guard guard(lock());

  *handle = nullptr;
  if (anything_captures()) {
    invalidate_captures();
    return CUBLAS_STATUS_ALLOC_FAILED;
  }
  if (is_refused())
    return CUBLAS_STATUS_ALLOC_FAILED;
  *handle = new lac_emulator_blas{};
  counts().alive++;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasDestroy_v2(cublasHandle_t handle)
{
  Guard guard(lock());

  delete handle;
  counts().alive--;
  return CUBLAS_STATUS_SUCCESS;
}

const char *
cublasGetStatusName(cublasStatus_t status)
{
  switch (status) {
  case CUBLAS_STATUS_SUCCESS: return "CUBLAS_STATUS_SUCCESS";
  case CUBLAS_STATUS_NOT_INITIALIZED: return "CUBLAS_STATUS_NOT_INITIALIZED";
  case CUBLAS_STATUS_ALLOC_FAILED: return "CUBLAS_STATUS_ALLOC_FAILED";
  case CUBLAS_STATUS_INVALID_VALUE: return "CUBLAS_STATUS_INVALID_VALUE";
  case CUBLAS_STATUS_ARCH_MISMATCH: return "CUBLAS_STATUS_ARCH_MISMATCH";
  case CUBLAS_STATUS_EXECUTION_FAILED: return "CUBLAS_STATUS_EXECUTION_FAILED";
  case CUBLAS_STATUS_INTERNAL_ERROR: return "CUBLAS_STATUS_INTERNAL_ERROR";
  case CUBLAS_STATUS_NOT_SUPPORTED: return "CUBLAS_STATUS_NOT_SUPPORTED";
  }
  return "an unknown status";
}

cublasStatus_t
cublasGetVersion_v2(cublasHandle_t, int *version)
{
  *version = 130000;
  return CUBLAS_STATUS_SUCCESS;
}

/* The workspace reverts to the library's own pool, as documented. */
cublasStatus_t
cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream)
{
  handle->stream = stream;
  handle->workspace = nullptr;
  handle->workspace_bytes = 0;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t n_bytes)
{
  if ((size_t) workspace % 256 != 0 || !is_device_memory(workspace, n_bytes))
    return CUBLAS_STATUS_INVALID_VALUE;
  handle->workspace = workspace;
  handle->workspace_bytes = n_bytes;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasSetMathMode(cublasHandle_t, cublasMath_t)
{
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode)
{
  handle->pointers = mode;
  return CUBLAS_STATUS_SUCCESS;
}

static CBLAS_TRANSPOSE
transpose(cublasOperation_t op)
{
  return op == CUBLAS_OP_N ? CblasNoTrans : CblasTrans;
}

static void
multiply(CBLAS_TRANSPOSE ta,
         CBLAS_TRANSPOSE tb,
         int             m,
         int             n,
         int             k,
         float           alpha,
         const float    *a,
         int             lda,
         const float    *b,
         int             ldb,
         float           beta,
         float          *c,
         int             ldc)
{
  cblas_sgemm(CblasColMajor, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

static void
multiply(CBLAS_TRANSPOSE ta,
         CBLAS_TRANSPOSE tb,
         int             m,
         int             n,
         int             k,
         double          alpha,
         const double   *a,
         int             lda,
         const double   *b,
         int             ldb,
         double          beta,
         double         *c,
         int             ldc)
{
  cblas_dgemm(CblasColMajor, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

static void
multiply_vector(CBLAS_TRANSPOSE t,
                int             m,
                int             n,
                float           alpha,
                const float    *a,
                int             lda,
                const float    *x,
                int             incx,
                float           beta,
                float          *y,
                int             incy)
{
  cblas_sgemv(CblasColMajor, t, m, n, alpha, a, lda, x, incx, beta, y, incy);
}

static void
multiply_vector(CBLAS_TRANSPOSE t,
                int             m,
                int             n,
                double          alpha,
                const double   *a,
                int             lda,
                const double   *x,
                int             incx,
                double          beta,
                double         *y,
                int             incy)
{
  cblas_dgemv(CblasColMajor, t, m, n, alpha, a, lda, x, incx, beta, y, incy);
}

/* Bytes from the first to the last element of a column-major matrix. */
static size_t
extent(int rows, int columns, int ld, size_t size)
{
  return rows && columns ? ((size_t) (columns - 1) * (size_t) ld + (size_t) rows) * size : 0;
}

static void
must_be_device(const void *matrix, size_t n_bytes)
{
  if (n_bytes && !is_device_memory(matrix, n_bytes))
    fail("a matrix given to cuBLAS does not lie in device memory");
}

/* During a capture the library may not allocate memory. */
static cublasStatus_t
begin(cublasHandle_t handle)
{
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (is_capturing(handle->stream) && !handle->workspace) {
    Guard guard(lock());

    invalidate_captures();
    return CUBLAS_STATUS_INTERNAL_ERROR;
  }
  return CUBLAS_STATUS_SUCCESS;
}

/* Enqueues the work of a call; the content of its workspace is then undefined. */
static cublasStatus_t
end(cublasHandle_t handle, std::function<void()> work)
{
  void        *workspace = handle->workspace;
  const size_t n_bytes = handle->workspace_bytes;
  const auto   whole = [=]() {
    if (workspace)
      memset(workspace, POISON, std::min(n_bytes, (size_t) 4096));
    work();
  };

  return enqueue(handle->stream, whole) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                       : CUBLAS_STATUS_EXECUTION_FAILED;
}

template <typename T> struct Product {
  CBLAS_TRANSPOSE op_a, op_b;
  int             m, n, k;
  const T        *a;
  int             lda;
  long long       stride_a;
  const T        *b;
  int             ldb;
  long long       stride_b;
  T              *c;
  int             ldc;
  long long       stride_c;
  int             n_batch;
};

template <typename T>
static bool
is_sane(const Product<T> &p)
{
  const int rows_a = p.op_a == CblasNoTrans ? p.m : p.k,
            rows_b = p.op_b == CblasNoTrans ? p.k : p.n;

  if (p.m < 0 || p.n < 0 || p.k < 0 || p.n_batch < 0 || p.lda < std::max(1, rows_a) ||
      p.ldb < std::max(1, rows_b) || p.ldc < std::max(1, p.m))
    return false;
  for (int i = 0; i < p.n_batch; i += std::max(1, p.n_batch - 1)) {
    must_be_device(p.a + p.stride_a * i, extent(rows_a, p.m + p.k - rows_a, p.lda, sizeof(T)));
    must_be_device(p.b + p.stride_b * i, extent(rows_b, p.k + p.n - rows_b, p.ldb, sizeof(T)));
    must_be_device(p.c + p.stride_c * i, extent(p.m, p.n, p.ldc, sizeof(T)));
  }
  return true;
}

template <typename T>
static cublasStatus_t
product(cublasHandle_t handle, const Product<T> &p, const T *alpha, const T *beta)
{
  const cublasStatus_t status = begin(handle);

  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  if (!is_sane(p))
    return CUBLAS_STATUS_INVALID_VALUE;
  const bool on_device = handle->pointers == CUBLAS_POINTER_MODE_DEVICE;
  const T    alpha_now = on_device ? T(0) : *alpha, beta_now = on_device ? T(0) : *beta;

  if (p.m == 0 || p.n == 0 || p.n_batch == 0)
    return CUBLAS_STATUS_SUCCESS;
  return end(handle, [=]() {
    for (int i = 0; i < p.n_batch; i++)
      multiply(p.op_a, p.op_b, p.m, p.n, p.k, on_device ? *alpha : alpha_now, p.a + p.stride_a * i,
               p.lda, p.b + p.stride_b * i, p.ldb, on_device ? *beta : beta_now,
               p.c + p.stride_c * i, p.ldc);
  });
}

template <typename T>
static cublasStatus_t
vector_product(cublasHandle_t    handle,
               cublasOperation_t op,
               int               m,
               int               n,
               const T          *alpha,
               const T          *a,
               int               lda,
               const T          *x,
               int               incx,
               const T          *beta,
               T                *y,
               int               incy)
{
  const cublasStatus_t status = begin(handle);
  const int            n_x = op == CUBLAS_OP_N ? n : m, n_y = op == CUBLAS_OP_N ? m : n;

  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  if (m < 0 || n < 0 || lda < std::max(1, m) || incx == 0 || incy == 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  must_be_device(a, extent(m, n, lda, sizeof(T)));
  must_be_device(x, extent(1, n_x, abs(incx), sizeof(T)));
  must_be_device(y, extent(1, n_y, abs(incy), sizeof(T)));
  const bool on_device = handle->pointers == CUBLAS_POINTER_MODE_DEVICE;
  const T    alpha_now = on_device ? T(0) : *alpha, beta_now = on_device ? T(0) : *beta;

  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return end(handle, [=]() {
    multiply_vector(transpose(op), m, n, on_device ? *alpha : alpha_now, a, lda, x, incx,
                    on_device ? *beta : beta_now, y, incy);
  });
}

#define LAC_EMULATOR_BLAS(P, T)                                                                 \
  cublasStatus_t cublas##P##gemm_v2(                                                            \
    cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, \
    const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, int ldc)     \
  {                                                                                             \
    return product<T>(                                                                          \
      handle, {transpose(op_a), transpose(op_b), m, n, k, a, lda, 0, b, ldb, 0, c, ldc, 0, 1},  \
      alpha, beta);                                                                             \
  }                                                                                             \
  cublasStatus_t cublas##P##gemmStridedBatched(                                                 \
    cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, \
    const T *alpha, const T *a, int lda, long long stride_a, const T *b, int ldb,               \
    long long stride_b, const T *beta, T *c, int ldc, long long stride_c, int n_batch)          \
  {                                                                                             \
    return product<T>(handle,                                                                   \
                      {transpose(op_a), transpose(op_b), m, n, k, a, lda, stride_a, b, ldb,     \
                       stride_b, c, ldc, stride_c, n_batch},                                    \
                      alpha, beta);                                                             \
  }                                                                                             \
  cublasStatus_t cublas##P##gemv_v2(cublasHandle_t handle, cublasOperation_t op, int m, int n,  \
                                    const T *alpha, const T *a, int lda, const T *x, int incx,  \
                                    const T *beta, T *y, int incy)                              \
  {                                                                                             \
    return vector_product<T>(handle, op, m, n, alpha, a, lda, x, incx, beta, y, incy);          \
  }
LAC_EMULATOR_BLAS(S, float)
LAC_EMULATOR_BLAS(D, double)

/* Products of bfloat16 are exact in float; their sum is rounded to float, in an order of the library's choice. */
static void
multiply_bf16(const Product<__nv_bfloat16> &p, float alpha, float beta, float *c)
{
  for (int j = 0; j < p.n; j++)
    for (int i = 0; i < p.m; i++) {
      float sum = 0;

      for (int l = 0; l < p.k; l++) {
        const size_t at_a = p.op_a == CblasNoTrans ? (size_t) i + (size_t) l * (size_t) p.lda
                                                   : (size_t) l + (size_t) i * (size_t) p.lda;
        const size_t at_b = p.op_b == CblasNoTrans ? (size_t) l + (size_t) j * (size_t) p.ldb
                                                   : (size_t) j + (size_t) l * (size_t) p.ldb;
        sum += __bfloat162float(p.a[at_a]) * __bfloat162float(p.b[at_b]);
      }
      float *at = c + (size_t) i + (size_t) j * (size_t) p.ldc;

      *at = beta == 0 ? alpha * sum : alpha * sum + beta * *at;
    }
}

cublasStatus_t
cublasGemmEx(cublasHandle_t      handle,
             cublasOperation_t   op_a,
             cublasOperation_t   op_b,
             int                 m,
             int                 n,
             int                 k,
             const void         *alpha,
             const void         *a,
             cudaDataType        type_a,
             int                 lda,
             const void         *b,
             cudaDataType        type_b,
             int                 ldb,
             const void         *beta,
             void               *c,
             cudaDataType        type_c,
             int                 ldc,
             cublasComputeType_t compute,
             cublasGemmAlgo_t)
{
  const cublasStatus_t status = begin(handle);
  const float  by = *static_cast<const float *>(alpha), old = *static_cast<const float *>(beta);
  float *const out = static_cast<float *>(c);
  const Product<__nv_bfloat16> p = {transpose(op_a),
                                    transpose(op_b),
                                    m,
                                    n,
                                    k,
                                    static_cast<const __nv_bfloat16 *>(a),
                                    lda,
                                    0,
                                    static_cast<const __nv_bfloat16 *>(b),
                                    ldb,
                                    0,
                                    nullptr,
                                    ldc,
                                    0,
                                    0};

  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  if (type_a != CUDA_R_16BF || type_b != CUDA_R_16BF || type_c != CUDA_R_32F ||
      compute != CUBLAS_COMPUTE_32F || handle->pointers != CUBLAS_POINTER_MODE_HOST)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (!is_sane(p))
    return CUBLAS_STATUS_INVALID_VALUE;
  must_be_device(a, extent(op_a == CUBLAS_OP_N ? m : k, op_a == CUBLAS_OP_N ? k : m, lda, 2));
  must_be_device(b, extent(op_b == CUBLAS_OP_N ? k : n, op_b == CUBLAS_OP_N ? n : k, ldb, 2));
  must_be_device(c, extent(m, n, ldc, 4));
  return end(handle, [=]() { multiply_bf16(p, by, old, out); });
}
