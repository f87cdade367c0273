/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is shown: copied within the device behind the kernels, then to pinned memory in a stream of its own. */
#include "cuda/device.cuh"

#include <stdlib.h>

struct CudaParcel {
  char       *packed; /* on the device */
  char       *host;   /* pinned */
  size_t      n_bytes;
  cudaEvent_t full, here;
  bool        is_sent; /* its last copy may not be done */
};

static CudaParcel *
parcel_of(void *parcel)
{
  return static_cast<CudaParcel *>(parcel);
}

void
parcel_free_cuda(void *self, void *memory)
{
  CudaDevice *device = device_of(self);
  CudaParcel *parcel = parcel_of(memory);

  if (!parcel || free_later(device, parcel_free_cuda, memory))
    return;
  cudaStreamSynchronize(device->side);
  if (parcel->packed)
    release_cuda(self, parcel->packed);
  cudaFreeHost(parcel->host);
  if (parcel->full)
    cudaEventDestroy(parcel->full);
  if (parcel->here)
    cudaEventDestroy(parcel->here);
  free(parcel);
}

static LacStatus
fill_parcel(CudaDevice *device, CudaParcel *parcel)
{
  LAC_TRY(status_of(cudaEventCreateWithFlags(&parcel->full, cudaEventDisableTiming)));
  LAC_TRY(status_of(cudaEventCreateWithFlags(&parcel->here, cudaEventDisableTiming)));
  LAC_TRY(status_of(cudaMallocHost(&parcel->host, parcel->n_bytes)));
  return arena_take(device->arena, parcel->n_bytes, reinterpret_cast<void **>(&parcel->packed));
}

LacStatus
parcel_new_cuda(void *self, size_t n_bytes, void **memory)
{
  CudaParcel *parcel;
  LacStatus   status;

  *memory = NULL;
  LAC_TRY(not_recording(self));
  parcel = static_cast<CudaParcel *>(calloc(1, sizeof *parcel));
  if (!parcel)
    return LAC_STATUS_OUT_OF_MEMORY;
  parcel->n_bytes = n_bytes;
  status = fill_parcel(device_of(self), parcel);
  if (status == LAC_STATUS_OK)
    *memory = parcel;
  else
    parcel_free_cuda(self, parcel);
  return status;
}

/* Within the device: what was put in may be written over at once. What was sent before is copied out first. */
LacStatus
parcel_put_cuda(void *self, void *memory, size_t at, const void *from, size_t n_bytes)
{
  CudaParcel *parcel = parcel_of(memory);

  LAC_TRY(not_recording(self));
  if (at > parcel->n_bytes || n_bytes > parcel->n_bytes - at)
    return LAC_STATUS_BAD_POINTER;
  if (parcel->is_sent)
    LAC_TRY(status_of(cudaStreamWaitEvent(stream_of(self), parcel->here, 0)));
  parcel->is_sent = false;
  return status_of(
    cudaMemcpyAsync(parcel->packed + at, from, n_bytes, cudaMemcpyDeviceToDevice, stream_of(self)));
}

LacStatus
parcel_send_cuda(void *self, void *memory)
{
  CudaDevice *device = device_of(self);
  CudaParcel *parcel = parcel_of(memory);

  LAC_TRY(not_recording(self));
  LAC_TRY(status_of(cudaEventRecord(parcel->full, device->stream)));
  LAC_TRY(status_of(cudaStreamWaitEvent(device->side, parcel->full, 0)));
  LAC_TRY(status_of(cudaMemcpyAsync(parcel->host, parcel->packed, parcel->n_bytes,
                                    cudaMemcpyDeviceToHost, device->side)));
  LAC_TRY(status_of(cudaEventRecord(parcel->here, device->side)));
  parcel->is_sent = true;
  return LAC_STATUS_OK;
}

LacStatus
parcel_open_cuda(void *self, void *memory, int wait, const void **host)
{
  CudaParcel       *parcel = parcel_of(memory);
  const cudaError_t answer =
    wait ? cudaEventSynchronize(parcel->here) : cudaEventQuery(parcel->here);

  *host = answer == cudaSuccess ? parcel->host : NULL;
  return answer == cudaErrorNotReady ? LAC_STATUS_OK
                                     : status_of_call(answer, "cudaEventSynchronize");
}
