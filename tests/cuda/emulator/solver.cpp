/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuSOLVER over LAPACK, with LAPACK's scratch allocated here; the content of the caller's is then undefined. */
#include "cusolverDn.h"
#include "limits.h"
#include "stream.h"

struct lac_emulator_solver {
  cudaStream_t stream;
};

using namespace lac_emulator;

extern "C" {
#define LAPACK(p, T)                                                                               \
  void p##potrf_(const char *, const int *, T *, const int *, int *, size_t);                      \
  void p##potrs_(const char *, const int *, const int *, const T *, const int *, T *, const int *, \
                 int *, size_t);                                                                   \
  void p##getrf_(const int *, const int *, T *, const int *, int *, int *);                        \
  void p##getrs_(const char *, const int *, const int *, const T *, const int *, const int *, T *, \
                 const int *, int *, size_t);                                                      \
  void p##geqrf_(const int *, const int *, T *, const int *, T *, T *, const int *, int *);        \
  void p##orgqr_(const int *, const int *, const int *, T *, const int *, const T *, T *,          \
                 const int *, int *);                                                              \
  void p##syevd_(const char *, const char *, const int *, T *, const int *, T *, T *, const int *, \
                 int *, const int *, int *, size_t, size_t);
LAPACK(s, float)
LAPACK(d, double)
#undef LAPACK
}

cusolverStatus_t
cusolverDnCreate(cusolverDnHandle_t *handle)
{
  Guard guard(lock());

  *handle = nullptr;
  if (anything_captures()) {
    invalidate_captures();
    return CUSOLVER_STATUS_ALLOC_FAILED;
  }
  if (is_refused())
    return CUSOLVER_STATUS_ALLOC_FAILED;
  *handle = new lac_emulator_solver{};
  counts().alive++;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t
cusolverDnDestroy(cusolverDnHandle_t handle)
{
  Guard guard(lock());

  delete handle;
  counts().alive--;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t
cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream)
{
  handle->stream = stream;
  return CUSOLVER_STATUS_SUCCESS;
}

static void
must_be_device(const void *memory, size_t n, size_t size)
{
  if (n && !is_device_memory(memory, n * size))
    fail("what is given to cuSOLVER does not lie in device memory");
}

template <typename T>
static void
spoil(T *work, int length)
{
  if (length > 0)
    memset(static_cast<void *>(work), POISON, (size_t) length * sizeof(T));
}

static const char *
triangle(cublasFillMode_t uplo)
{
  return uplo == CUBLAS_FILL_MODE_LOWER ? "L" : "U";
}

/* Refuses captures: cuSOLVER's documentation does not permit them. */
static cusolverStatus_t
add(cusolverDnHandle_t handle, std::function<void()> work)
{
  Guard guard(lock());

  if (is_capturing(handle->stream)) {
    invalidate_captures();
    return CUSOLVER_STATUS_INTERNAL_ERROR;
  }
  return enqueue(handle->stream, work) == cudaSuccess ? CUSOLVER_STATUS_SUCCESS
                                                      : CUSOLVER_STATUS_EXECUTION_FAILED;
}

/* Returns a plausible workspace length, independent of LAPACK's. */
static cusolverStatus_t
ask_for(int wanted, int *length)
{
  *length = wanted;
  return CUSOLVER_STATUS_SUCCESS;
}

#define LAC_EMULATOR_SOLVER(P, p, T, ORGQR, SYEVD)                                                   \
  cusolverStatus_t cusolverDn##P##potrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int n,      \
                                                   T *, int, int                            *length) \
  {                                                                                                  \
    return ask_for(n, length);                                                                       \
  }                                                                                                  \
  cusolverStatus_t cusolverDn##P##potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,     \
                                        T *a, int lda, T *work, int length, int *info)               \
  {                                                                                                  \
    if (n < 0 || lda < n || length < n)                                                              \
      return CUSOLVER_STATUS_INVALID_VALUE;                                                          \
    must_be_device(a, (size_t) lda *(size_t) n, sizeof(T));                                          \
    must_be_device(work, (size_t) length, sizeof(T));                                                \
    must_be_device(info, 1, sizeof *info);                                                           \
    return add(handle, [=]() {                                                                       \
      spoil(work, length);                                                                           \
      p##potrf_(triangle(uplo), &n, a, &lda, info, 1);                                               \
    });                                                                                              \
  }                                                                                                  \
  cusolverStatus_t cusolverDn##P##potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,     \
                                        int n_right, const T *a, int lda, T *b, int ldb,             \
                                        int *info)                                                   \
  {                                                                                                  \
    if (n < 0 || lda < n || ldb < n)                                                                 \
      return CUSOLVER_STATUS_INVALID_VALUE;                                                          \
    must_be_device(a, (size_t) lda *(size_t) n, sizeof(T));                                          \
    must_be_device(b, (size_t) ldb *(size_t) n_right, sizeof(T));                                    \
    must_be_device(info, 1, sizeof *info);                                                           \
    return add(handle,                                                                               \
               [=]() { p##potrs_(triangle(uplo), &n, &n_right, a, &lda, b, &ldb, info, 1); });       \
  }                                                                                                  \
  cusolverStatus_t cusolverDn##P##getrf_bufferSize(cusolverDnHandle_t, int m, int n, T *, int,       \
                                                   int *length)                                      \
  {                                                                                                  \
    return ask_for(m + n, length);                                                                   \
  }                                                                                                  \
  cusolverStatus_t cusolverDn##P##getrf(cusolverDnHandle_t handle, int m, int n, T *a, int lda,      \
                                        T *work, int *pivots, int *info)                             \
  {                                                                                                  \
    if (m < 0 || n < 0 || lda < m)                                                                   \
      return CUSOLVER_STATUS_INVALID_VALUE;                                                          \
    must_be_device(a, (size_t) lda *(size_t) n, sizeof(T));                                          \
    must_be_device(work, (size_t) (m + n), sizeof(T));                                               \
    must_be_device(pivots, (size_t) std::min(m, n), sizeof *pivots);                                 \
    must_be_device(info, 1, sizeof *info);                                                           \
    return add(handle, [=]() {                                                                       \
      spoil(work, m + n);                                                                            \
      p##getrf_(&m, &n, a, &lda, pivots, info);                                                      \
    });                                                                                              \
  }                                                                                                  \
  cusolverStatus_t cusolverDn##P##getrs(cusolverDnHandle_t handle, cublasOperation_t op, int n,      \
                                        int n_right, const T *a, int lda, const int *pivots, T *b,   \
                                        int ldb, int *info)                                          \
  {                                                                                                  \
    if (n < 0 || lda < n || ldb < n)                                                                 \
      return CUSOLVER_STATUS_INVALID_VALUE;                                                          \
    must_be_device(a, (size_t) lda *(size_t) n, sizeof(T));                                          \
    must_be_device(b, (size_t) ldb *(size_t) n_right, sizeof(T));                                    \
    must_be_device(info, 1, sizeof *info);                                                           \
    return add(handle, [=]() {                                                                       \
      p##getrs_(op == CUBLAS_OP_N ? "N" : "T", &n, &n_right, a, &lda, pivots, b, &ldb, info, 1);     \
    });                                                                                              \
  }                                                                                                  \
  cusolverStatus_t cusolverDn##P##geqrf_bufferSize(cusolverDnHandle_t, int m, int n, T *, int,       \
                                                   int *length)                                      \
  {                                                                                                  \
    return ask_for(m + 32 * n, length);                                                              \
  }                                                                                                  \
  cusolverStatus_t cusolverDn##P##geqrf(cusolverDnHandle_t handle, int m, int n, T *a, int lda,      \
                                        T *tau, T *work, int length, int *info)                      \
  {                                                                                                  \
    if (m < 0 || n < 0 || lda < m || length < n)                                                     \
      return CUSOLVER_STATUS_INVALID_VALUE;                                                          \
    must_be_device(a, (size_t) lda *(size_t) n, sizeof(T));                                          \
    must_be_device(tau, (size_t) std::min(m, n), sizeof(T));                                         \
    must_be_device(work, (size_t) length, sizeof(T));                                                \
    must_be_device(info, 1, sizeof *info);                                                           \
    return add(handle, [=]() {                                                                       \
      std::vector<T> own((size_t) (32 * n + 1));                                                     \
      const int      n_own = (int) own.size();                                                       \
      spoil(work, length);                                                                           \
      p##geqrf_(&m, &n, a, &lda, tau, own.data(), &n_own, info);                                     \
    });                                                                                              \
  }                                                                                                  \
  cusolverStatus_t cusolverDn##ORGQR##_bufferSize(cusolverDnHandle_t, int m, int n, int,             \
                                                  const T *, int, const T *, int *length)            \
  {                                                                                                  \
    return ask_for(m + 32 * n, length);                                                              \
  }                                                                                                  \
  cusolverStatus_t cusolverDn##ORGQR(cusolverDnHandle_t handle, int m, int n, int k, T *a,           \
                                     int lda, const T *tau, T *work, int length, int *info)          \
  {                                                                                                  \
    if (m < n || n < k || lda < m || length < n)                                                     \
      return CUSOLVER_STATUS_INVALID_VALUE;                                                          \
    must_be_device(a, (size_t) lda *(size_t) n, sizeof(T));                                          \
    must_be_device(tau, (size_t) k, sizeof(T));                                                      \
    must_be_device(work, (size_t) length, sizeof(T));                                                \
    must_be_device(info, 1, sizeof *info);                                                           \
    return add(handle, [=]() {                                                                       \
      std::vector<T> own((size_t) (32 * n + 1));                                                     \
      const int      n_own = (int) own.size();                                                       \
      spoil(work, length);                                                                           \
      p##orgqr_(&m, &n, &k, a, &lda, tau, own.data(), &n_own, info);                                 \
    });                                                                                              \
  }                                                                                                  \
  cusolverStatus_t cusolverDn##SYEVD##_bufferSize(cusolverDnHandle_t, cusolverEigMode_t,             \
                                                  cublasFillMode_t, int n, const T *, int,           \
                                                  const T *, int       *length)                      \
  {                                                                                                  \
    return ask_for(n * n + 32 * n, length);                                                          \
  }                                                                                                  \
  cusolverStatus_t cusolverDn##SYEVD(cusolverDnHandle_t handle, cusolverEigMode_t mode,              \
                                     cublasFillMode_t uplo, int n, T *a, int lda, T *w, T *work,     \
                                     int length, int *info)                                          \
  {                                                                                                  \
    if (n < 0 || lda < n || length < n * n)                                                          \
      return CUSOLVER_STATUS_INVALID_VALUE;                                                          \
    must_be_device(a, (size_t) lda *(size_t) n, sizeof(T));                                          \
    must_be_device(w, (size_t) n, sizeof(T));                                                        \
    must_be_device(work, (size_t) length, sizeof(T));                                                \
    must_be_device(info, 1, sizeof *info);                                                           \
    return add(handle, [=]() {                                                                       \
      std::vector<T>   own((size_t) (1 + 6 * n + 2 * n * n));                                        \
      std::vector<int> integers((size_t) (3 + 5 * n));                                               \
      const int        n_own = (int) own.size(), n_integers = (int) integers.size();                 \
      spoil(work, length);                                                                           \
      p##syevd_(mode == CUSOLVER_EIG_MODE_VECTOR ? "V" : "N", triangle(uplo), &n, a, &lda, w,        \
                own.data(), &n_own, integers.data(), &n_integers, info, 1, 1);                       \
    });                                                                                              \
  }
LAC_EMULATOR_SOLVER(S, s, float, Sorgqr, Ssyevd)
LAC_EMULATOR_SOLVER(D, d, double, Dorgqr, Dsyevd)
