/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readback: small results go straight to pinned memory, in the stream of the kernels; larger ones are copied within the
 * device, and then to pinned memory in a separate stream. */
#include "cuda/device.cuh"

#include <stdlib.h>

static const size_t most_direct = 4096; /* bytes */

struct CudaStaging {
  char       *packed; /* on the device; NULL: small */
  char       *host;   /* pinned */
  size_t      n_bytes;
  cudaEvent_t full, here;
  bool        is_sent; /* its last copy may be in flight */
};

static CudaStaging *
staging_of(void *staging)
{
  return static_cast<CudaStaging *>(staging);
}

void
staging_free_cuda(void *self, void *memory)
{
  CudaDevice  *device = device_of(self);
  CudaStaging *staging = staging_of(memory);

  if (!staging || free_later(device, staging_free_cuda, memory))
    return;
  cudaStreamSynchronize(staging->packed ? device->side : device->stream);
  if (staging->packed)
    release_cuda(self, staging->packed);
  cudaFreeHost(staging->host);
  if (staging->full)
    cudaEventDestroy(staging->full);
  if (staging->here)
    cudaEventDestroy(staging->here);
  free(staging);
}

static LacStatus
fill_staging(CudaDevice *device, CudaStaging *staging)
{
  LAC_TRY(status_of(cudaEventCreateWithFlags(&staging->here, cudaEventDisableTiming)));
  LAC_TRY(status_of(cudaMallocHost(&staging->host, staging->n_bytes)));
  if (staging->n_bytes <= most_direct)
    return LAC_STATUS_OK;
  LAC_TRY(status_of(cudaEventCreateWithFlags(&staging->full, cudaEventDisableTiming)));
  return arena_take(device->arena, staging->n_bytes, reinterpret_cast<void **>(&staging->packed));
}

LacStatus
staging_new_cuda(void *self, size_t n_bytes, void **memory)
{
  CudaStaging *staging;
  LacStatus    status;

  *memory = NULL;
  LAC_TRY(not_recording(self));
  staging = static_cast<CudaStaging *>(calloc(1, sizeof *staging));
  if (!staging)
    return LAC_STATUS_OUT_OF_MEMORY;
  staging->n_bytes = n_bytes;
  status = fill_staging(device_of(self), staging);
  if (status == LAC_STATUS_OK)
    *memory = staging;
  else
    staging_free_cuda(self, staging);
  return status;
}

/* The source may be overwritten at once. The stream first waits for the previous send. */
LacStatus
staging_put_cuda(void *self, void *memory, size_t at, const void *from, size_t n_bytes)
{
  CudaStaging *staging = staging_of(memory);

  LAC_TRY(not_recording(self));
  if (at > staging->n_bytes || n_bytes > staging->n_bytes - at)
    return LAC_STATUS_BAD_POINTER;
  if (!staging->packed)
    return status_of(
      cudaMemcpyAsync(staging->host + at, from, n_bytes, cudaMemcpyDeviceToHost, stream_of(self)));
  if (staging->is_sent)
    LAC_TRY(status_of(cudaStreamWaitEvent(stream_of(self), staging->here, 0)));
  staging->is_sent = false;
  return status_of(cudaMemcpyAsync(staging->packed + at, from, n_bytes, cudaMemcpyDeviceToDevice,
                                   stream_of(self)));
}

LacStatus
staging_send_cuda(void *self, void *memory)
{
  CudaDevice  *device = device_of(self);
  CudaStaging *staging = staging_of(memory);

  LAC_TRY(not_recording(self));
  if (!staging->packed)
    return status_of(cudaEventRecord(staging->here, device->stream));
  LAC_TRY(status_of(cudaEventRecord(staging->full, device->stream)));
  LAC_TRY(status_of(cudaStreamWaitEvent(device->side, staging->full, 0)));
  LAC_TRY(status_of(cudaMemcpyAsync(staging->host, staging->packed, staging->n_bytes,
                                    cudaMemcpyDeviceToHost, device->side)));
  LAC_TRY(status_of(cudaEventRecord(staging->here, device->side)));
  staging->is_sent = true;
  return LAC_STATUS_OK;
}

LacStatus
staging_open_cuda(void *self, void *memory, int wait, const void **host)
{
  CudaStaging      *staging = staging_of(memory);
  const cudaError_t answer =
    wait ? cudaEventSynchronize(staging->here) : cudaEventQuery(staging->here);

  *host = answer == cudaSuccess ? staging->host : NULL;
  return answer == cudaErrorNotReady ? LAC_STATUS_OK
                                     : status_of_call(answer, "cudaEventSynchronize");
}
