/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening a CUDA device, and host transfers through pinned memory. */
#include "cuda/device.cuh"

#include <atomic>
#include <stdlib.h>
#include <string.h>

/* Workspace size for cuBLAS: 32 MB from Hopper on, as its documentation advises. */
static size_t
blas_bytes(int device)
{
  int major = 0;

  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  return (size_t) (major >= 9 ? 32 : 8) << 20;
}

/* Sets plain 32-bit arithmetic; the workspace is set after the stream, which would reset it. */
static LacStatus
open_blas(CudaDevice *device)
{
  LAC_TRY(blas_status(cublasCreate(&device->blas)));
  LAC_TRY(blas_status(cublasSetMathMode(device->blas, CUBLAS_DEFAULT_MATH)));
  LAC_TRY(blas_status(cublasSetStream(device->blas, device->stream)));
  return blas_status(cublasSetWorkspace(device->blas, device->blas_work, device->blas_work_bytes));
}

static void
count_blocks(CudaDevice *device)
{
  int n = 0;

  cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, device->device);
  device->wanted_blocks = 2 * (size_t) (n > 0 ? n : 1);
}

static LacStatus
open_parts(CudaDevice *device)
{
  LAC_TRY(status_of(cudaSetDevice(device->device)));
  make_current(device->device);
  measure_balance(device);
  count_blocks(device);
  LAC_TRY(status_of(cudaStreamCreateWithFlags(&device->stream, cudaStreamNonBlocking)));
  LAC_TRY(status_of(cudaStreamCreateWithFlags(&device->side, cudaStreamNonBlocking)));
  for (int i = 0; i < CUDA_STAGES; i++)
    LAC_TRY(status_of(cudaEventCreateWithFlags(&device->staged[i], cudaEventDisableTiming)));
  for (cudaEvent_t &fetched : device->fetched)
    LAC_TRY(status_of(cudaEventCreateWithFlags(&fetched, cudaEventDisableTiming)));
  LAC_TRY(status_of(cudaMallocHost(&device->stage, CUDA_STAGE_BYTES)));
  LAC_TRY(status_of(cudaMallocHost(&device->answer, sizeof *device->answer)));
  device->arena = arena_new();
  if (!device->arena)
    return LAC_STATUS_OUT_OF_MEMORY;
  /* Fills one piece first: on a device nearly full the second allocation then takes no more than it needs. */
  LAC_TRY(
    arena_take(device->arena, CUDA_SCRATCH_BYTES, reinterpret_cast<void **>(&device->scratch)));
  device->blas_work_bytes = blas_bytes(device->device);
  LAC_TRY(arena_take(device->arena, device->blas_work_bytes, &device->blas_work));
  return open_blas(device);
}

static std::atomic<int> n_open;

LacStatus
open_cuda(void **self, int device)
{
  CudaDevice *opened = NULL;
  LacStatus   status;

  *self = NULL;
  if (device_is_lost())
    return LAC_STATUS_DEVICE_LOST;
  LAC_TRY(look_for_device(device));
  opened = static_cast<CudaDevice *>(calloc(1, sizeof *opened));
  if (!opened)
    return LAC_STATUS_OUT_OF_MEMORY;
  n_open++;
  opened->device = device;
  status = open_parts(opened);
  if (status == LAC_STATUS_OK)
    *self = opened;
  else
    close_cuda(opened);
  return status;
}

static void
close_streams(CudaDevice *device)
{
  for (int i = 0; i < CUDA_STAGES && device->staged[i]; i++)
    cudaEventDestroy(device->staged[i]);
  for (cudaEvent_t fetched : device->fetched)
    if (fetched)
      cudaEventDestroy(fetched);
  if (device->side)
    cudaStreamDestroy(device->side);
  if (device->stream)
    cudaStreamDestroy(device->stream);
}

/* Also closes a partially opened device. Memory of a lost device stays allocated until the process ends or its
 * context is destroyed, and other processes may need it. */
void
close_cuda(void *self)
{
  CudaDevice *device = device_of(self);
  void       *recording = NULL;

  if (device->recording && record_end_cuda(self, &recording) == LAC_STATUS_OK)
    recording_free_cuda(self, recording);
  if (device->stream)
    cudaStreamSynchronize(device->stream);
  if (device->side)
    cudaStreamSynchronize(device->side);
  transforms_free(device);
  solver_free(device);
  if (device->blas)
    cublasDestroy(device->blas);
  if (device->arena)
    arena_free(device->arena);
  cudaFreeHost(device->answer);
  cudaFreeHost(device->stage);
  close_streams(device);
  free(device->together);
  free(device);
  if (--n_open == 0 && device_is_lost())
    cudaDeviceReset();
  cudaGetLastError();
}

LacStatus
alloc_cuda(void *self, size_t n_bytes, void **memory)
{
  *memory = NULL;
  LAC_TRY(not_recording(self));
  return arena_take(device_of(self)->arena, n_bytes, memory);
}

void
release_cuda(void *self, void *memory)
{
  if (free_later(device_of(self), release_cuda, memory))
    return;
  cudaStreamSynchronize(device_of(self)->side);
  cudaStreamSynchronize(stream_of(self));
  arena_give_back(device_of(self)->arena, memory);
}

void
memory_use_cuda(void *self, LacMemoryUse *use)
{
  arena_use(device_of(self)->arena, use);
}

void
memory_reset_peak_cuda(void *self)
{
  arena_reset_peak(device_of(self)->arena);
}

/* Returns after copying the host's bytes to the stage: they may then change. */
LacStatus
upload_cuda(void *self, void *memory, const void *host, size_t n_bytes)
{
  const size_t part_bytes = CUDA_STAGE_BYTES / CUDA_STAGES;
  CudaDevice  *device = device_of(self);

  LAC_TRY(not_recording(self));
  if (n_bytes <= CUDA_STORE_BYTES)
    return n_bytes ? store_bytes(device, memory, host, n_bytes) : LAC_STATUS_OK;
  for (size_t first = 0; first < n_bytes; first += part_bytes) {
    const size_t n = n_bytes - first < part_bytes ? n_bytes - first : part_bytes;
    const size_t at = device->n_staged++ % CUDA_STAGES;
    char        *part = device->stage + at * part_bytes;

    LAC_TRY(status_of(cudaEventSynchronize(device->staged[at])));
    memcpy(part, static_cast<const char *>(host) + first, n);
    LAC_TRY(status_of(cudaMemcpyAsync(static_cast<char *>(memory) + first, part, n,
                                      cudaMemcpyHostToDevice, device->stream)));
    LAC_TRY(status_of(cudaEventRecord(device->staged[at], device->stream)));
  }
  return LAC_STATUS_OK;
}

/* A part of a download, and the half of the stage it passes through. */
struct Fetched {
  size_t      at, n_bytes;
  char       *stage;
  cudaEvent_t here;
};

static Fetched
part_of(const CudaDevice *device, size_t i, size_t n_bytes)
{
  const size_t half = CUDA_STAGE_BYTES / 2, at = i * half;

  return {at, n_bytes - at < half ? n_bytes - at : half, device->stage + i % 2 * half,
          device->fetched[i % 2]};
}

/* While the host empties one half of the stage, the device fills the other. */
LacStatus
download_cuda(void *self, void *host, const void *memory, size_t n_bytes)
{
  const size_t n_parts = (n_bytes + CUDA_STAGE_BYTES / 2 - 1) / (CUDA_STAGE_BYTES / 2);
  CudaDevice  *device = device_of(self);

  LAC_TRY(not_recording(self));
  for (size_t i = 0; i <= n_parts; i++) {
    if (i < n_parts) {
      const Fetched part = part_of(device, i, n_bytes);

      LAC_TRY(status_of(cudaMemcpyAsync(part.stage, static_cast<const char *>(memory) + part.at,
                                        part.n_bytes, cudaMemcpyDeviceToHost, device->stream)));
      LAC_TRY(status_of(cudaEventRecord(part.here, device->stream)));
    }
    if (i > 0) {
      const Fetched part = part_of(device, i - 1, n_bytes);

      LAC_TRY(status_of(cudaEventSynchronize(part.here)));
      memcpy(static_cast<char *>(host) + part.at, part.stage, part.n_bytes);
    }
  }
  return LAC_STATUS_OK;
}

LacStatus
synchronise_cuda(void *self)
{
  LAC_TRY(not_recording(self));
  return status_of(cudaStreamSynchronize(stream_of(self)));
}
