/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of cuBLAS used by this project, over OpenBLAS. Column-major; a workspace is tied to the stream set last. */
#pragma once

#include "cuda_bf16.h"
#include "cuda_runtime.h"
#include "library_types.h"

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
} cublasStatus_t;

typedef enum { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C } cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
} cublasMath_t;
typedef enum {
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
} cublasComputeType_t;
typedef enum { CUBLAS_GEMM_DEFAULT = -1 } cublasGemmAlgo_t;

typedef struct lac_emulator_blas *cublasHandle_t;

extern "C" {
cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
const char    *cublasGetStatusName(cublasStatus_t status);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t n_bytes);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);

#define LAC_EMULATOR_BLAS(P, T)                                                                 \
  cublasStatus_t cublas##P##gemm_v2(                                                            \
    cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, \
    const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, int ldc);    \
  cublasStatus_t cublas##P##gemmStridedBatched(                                                 \
    cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, \
    const T *alpha, const T *a, int lda, long long stride_a, const T *b, int ldb,               \
    long long stride_b, const T *beta, T *c, int ldc, long long stride_c, int n_batch);         \
  cublasStatus_t cublas##P##gemv_v2(cublasHandle_t handle, cublasOperation_t op, int m, int n,  \
                                    const T *alpha, const T *a, int lda, const T *x, int incx,  \
                                    const T *beta, T *y, int incy);
LAC_EMULATOR_BLAS(S, float)
LAC_EMULATOR_BLAS(D, double)
#undef LAC_EMULATOR_BLAS

/* Supports bfloat16 factors and float products with CUBLAS_COMPUTE_32F, or float throughout. */
cublasStatus_t cublasGemmEx(cublasHandle_t      handle,
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
                            cublasGemmAlgo_t    algorithm);
}

#define cublasCreate         cublasCreate_v2
#define cublasDestroy        cublasDestroy_v2
#define cublasGetVersion     cublasGetVersion_v2
#define cublasSetStream      cublasSetStream_v2
#define cublasSetWorkspace   cublasSetWorkspace_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasSgemm          cublasSgemm_v2
#define cublasDgemm          cublasDgemm_v2
#define cublasSgemv          cublasSgemv_v2
#define cublasDgemv          cublasDgemv_v2
