/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of cuSOLVER used by this project, over LAPACK: column-major, info in device memory, workspace from the
 * caller. */
#pragma once

#include "cublas_v2.h"
#include "cusolver_common.h"

typedef enum { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER } cublasFillMode_t;
typedef enum { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSideMode_t;

typedef struct lac_emulator_solver *cusolverDnHandle_t;

extern "C" {
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);

#define LAC_EMULATOR_SOLVER(P, T, ORGQR, SYEVD)                                                    \
  cusolverStatus_t cusolverDn##P##potrf_bufferSize(                                                \
    cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *a, int lda, int *length);          \
  cusolverStatus_t cusolverDn##P##potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,   \
                                        T *a, int lda, T *work, int length, int *info);            \
  cusolverStatus_t cusolverDn##P##potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,   \
                                        int n_right, const T *a, int lda, T *b, int ldb,           \
                                        int *info);                                                \
  cusolverStatus_t cusolverDn##P##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T *a,  \
                                                   int lda, int *length);                          \
  cusolverStatus_t cusolverDn##P##getrf(cusolverDnHandle_t handle, int m, int n, T *a, int lda,    \
                                        T *work, int *pivots, int *info);                          \
  cusolverStatus_t cusolverDn##P##getrs(cusolverDnHandle_t handle, cublasOperation_t op, int n,    \
                                        int n_right, const T *a, int lda, const int *pivots, T *b, \
                                        int ldb, int *info);                                       \
  cusolverStatus_t cusolverDn##P##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T *a,  \
                                                   int lda, int *length);                          \
  cusolverStatus_t cusolverDn##P##geqrf(cusolverDnHandle_t handle, int m, int n, T *a, int lda,    \
                                        T *tau, T *work, int length, int *info);                   \
  cusolverStatus_t cusolverDn##ORGQR##_bufferSize(cusolverDnHandle_t handle, int m, int n, int k,  \
                                                  const T *a, int lda, const T *tau, int *length); \
  cusolverStatus_t cusolverDn##ORGQR(cusolverDnHandle_t handle, int m, int n, int k, T *a,         \
                                     int lda, const T *tau, T *work, int length, int *info);       \
  cusolverStatus_t cusolverDn##SYEVD##_bufferSize(                                                 \
    cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t uplo, int n, const T *a,   \
    int lda, const T *w, int *length);                                                             \
  cusolverStatus_t cusolverDn##SYEVD(cusolverDnHandle_t handle, cusolverEigMode_t mode,            \
                                     cublasFillMode_t uplo, int n, T *a, int lda, T *w, T *work,   \
                                     int length, int *info);
LAC_EMULATOR_SOLVER(S, float, Sorgqr, Ssyevd)
LAC_EMULATOR_SOLVER(D, double, Dorgqr, Dsyevd)
#undef LAC_EMULATOR_SOLVER
}
