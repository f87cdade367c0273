/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Natural-gradient equation in walker space, by Cholesky factorisation from cuSOLVER. Its documentation does not
 * state that potrf and potrs may be captured into a graph, as those of cuBLAS and cuFFT do ("CUDA Graphs Support"):
 * so they are not recorded. */
#include "cuda/block-sum.cuh"
#include "cuda/electron-plan.cuh"

#include <cusolverDn.h>
#include <stdlib.h>

static const unsigned block_size = 256;

struct CudaSolver {
  cusolverDnHandle_t handle;
};

void
solver_free(CudaDevice *device)
{
  if (device->solver)
    cusolverDnDestroy(device->solver->handle);
  free(device->solver);
  device->solver = NULL;
}

static const char *
name_of(cusolverStatus_t answer)
{
  static const char *const names[] = {
    "CUSOLVER_STATUS_SUCCESS",          "CUSOLVER_STATUS_NOT_INITIALIZED",
    "CUSOLVER_STATUS_ALLOC_FAILED",     "CUSOLVER_STATUS_INVALID_VALUE",
    "CUSOLVER_STATUS_ARCH_MISMATCH",    "CUSOLVER_STATUS_MAPPING_ERROR",
    "CUSOLVER_STATUS_EXECUTION_FAILED", "CUSOLVER_STATUS_INTERNAL_ERROR",
  };

  return (size_t) answer < sizeof names / sizeof *names ? names[answer] : "another cuSOLVER status";
}

static LacStatus
solver_status_of_call(cusolverStatus_t answer, const char *call)
{
  if (answer == CUSOLVER_STATUS_SUCCESS)
    return LAC_STATUS_OK;
  return note_library_failure(answer == CUSOLVER_STATUS_ALLOC_FAILED ? LAC_STATUS_OUT_OF_MEMORY
                                                                     : LAC_STATUS_REFUSED,
                              name_of(answer), call);
}

#define solver_status(call) solver_status_of_call((call), #call)

/* Created on first use: most runs need none. */
static LacStatus
open_solver(CudaDevice *device)
{
  LacStatus status;

  if (device->solver)
    return LAC_STATUS_OK;
  device->solver = static_cast<CudaSolver *>(calloc(1, sizeof *device->solver));
  if (!device->solver)
    return LAC_STATUS_OUT_OF_MEMORY;
  status = solver_status(cusolverDnCreate(&device->solver->handle));
  if (status == LAC_STATUS_OK)
    return solver_status(cusolverDnSetStream(device->solver->handle, device->stream));
  free(device->solver);
  device->solver = NULL;
  return status;
}

/* Returns the workspace size of the factorisation in elements. */
static LacStatus
find_length(CudaDevice *device, size_t n, int *length)
{
  LAC_TRY(open_solver(device));
  return solver_status(cusolverDnDpotrf_bufferSize(device->solver->handle, CUBLAS_FILL_MODE_LOWER,
                                                   (int) n, NULL, (int) n, length));
}

size_t
solve_bytes_cuda(void *self, size_t n)
{
  int length = 0;

  if (find_length(device_of(self), n, &length) != LAC_STATUS_OK)
    return 0;
  return (size_t) length * sizeof(double);
}

/* mean[r] of each row of x: [blocks][n] */
__global__ static void
mean_kernel(const double *x, size_t n, double *mean)
{
  LAC_SHARED(double, sums, block_size);
  const double *row = x + blockIdx.x * n;
  double        sum = 0;

  for (size_t c = threadIdx.x; c < n; c += block_size)
    sum += row[c];
  sum = sum_of_threads(sum, sums);
  if (threadIdx.x == 0)
    mean[blockIdx.x] = sum / (double) n;
}

/* Raw O O^T becomes P O O^T P / n + 1 1^T / n + damping. mean: [n + 1], the overall mean last. */
__global__ static void
centre_kernel(double *gram, size_t n, const double *mean, double damping, const double *at)
{
  const size_t b = row_of_matrix(), c = column_of_matrix();

  if (b >= n || c >= n)
    return;
  double *k = gram + b * n + c;

  *k = (*k - mean[b] - mean[c] + mean[n] + 1) / (double) n + (b != c ? 0 : at ? *at : damping);
}

static LacStatus
factorise(CudaDevice *device, const LacElectronSolve *args, int length, int *info)
{
  const int n = (int) args->n;

  LAC_TRY(
    solver_status(cusolverDnDpotrf(device->solver->handle, CUBLAS_FILL_MODE_LOWER, n, args->gram, n,
                                   static_cast<double *>(args->work), length, info)));
  take_stamp("cusolverDnDpotrf", 0);
  LAC_TRY(solver_status(cusolverDnDpotrs(device->solver->handle, CUBLAS_FILL_MODE_LOWER, n, 1,
                                         args->gram, n, args->right, n, info + 1)));
  take_stamp("cusolverDnDpotrs", 0);
  return LAC_STATUS_OK;
}

LacStatus
solve_cuda(void *self, const LacElectronSolve *args)
{
  CudaDevice  *device = device_of(self);
  double      *mean = reinterpret_cast<double *>(device->scratch);
  const size_t n = args->n;
  int         *own = reinterpret_cast<int *>(mean + n + 1), *info = args->info ? args->info : own;
  int          found[2] = {0, 0}, length = 0;

  LAC_TRY(not_recording(self));
  LAC_TRY(find_length(device, n, &length));
  LAC_TRY(launch(mean_kernel, (unsigned) n, block_size, 0, device->stream,
                 const_cast<const double *>(args->gram), n, mean));
  LAC_TRY(launch(mean_kernel, 1, block_size, 0, device->stream, const_cast<const double *>(mean), n,
                 mean + n));
  LAC_TRY(launch_matrix(centre_kernel, MatrixSize{n, n, 1}, block_size, device->stream, args->gram,
                        n, const_cast<const double *>(mean), args->damping, args->at));
  LAC_TRY(factorise(device, args, length, info));
  if (args->info)
    return LAC_STATUS_OK;
  LAC_TRY(download_cuda(self, found, info, sizeof found));
  return found[0] == 0 && found[1] == 0 ? LAC_STATUS_OK : LAC_STATUS_NOT_FINITE;
}
