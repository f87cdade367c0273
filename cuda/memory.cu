/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening a CUDA device, its memory and the copies to and from it. */
#include "cuda/device.cuh"

#include <stdlib.h>

LacStatus
open_cuda(void **self, int device)
{
  int         n_devices = 0;
  CudaDevice *opened = NULL;

  if (cudaGetDeviceCount(&n_devices) != cudaSuccess || device < 0 || device >= n_devices)
    return LAC_STATUS_DEVICE_LOST;
  opened = (CudaDevice *) calloc(1, sizeof *opened);
  if (!opened)
    return LAC_STATUS_OUT_OF_MEMORY;
  opened->device = device;
  if (cudaSetDevice(device) != cudaSuccess ||
      cudaStreamCreateWithFlags(&opened->stream, cudaStreamNonBlocking) != cudaSuccess) {
    free(opened);
    return LAC_STATUS_DEVICE_LOST;
  }
  *self = opened;
  return LAC_STATUS_OK;
}

void
close_cuda(void *self)
{
  cudaStreamDestroy(stream_of(self));
  free(self);
}

LacStatus
alloc_cuda(void *self, size_t n_bytes, void **memory)
{
  (void) self;
  return status_of(cudaMalloc(memory, n_bytes));
}

void
release_cuda(void *self, void *memory)
{
  cudaStreamSynchronize(stream_of(self));
  cudaFree(memory);
}

LacStatus
upload_cuda(void *self, void *device, const void *host, size_t n_bytes)
{
  cudaError_t answer =
    cudaMemcpyAsync(device, host, n_bytes, cudaMemcpyHostToDevice, stream_of(self));

  return status_of(answer != cudaSuccess ? answer : cudaStreamSynchronize(stream_of(self)));
}

LacStatus
download_cuda(void *self, void *host, const void *device, size_t n_bytes)
{
  cudaError_t answer =
    cudaMemcpyAsync(host, device, n_bytes, cudaMemcpyDeviceToHost, stream_of(self));

  return status_of(answer != cudaSuccess ? answer : cudaStreamSynchronize(stream_of(self)));
}

LacStatus
synchronise_cuda(void *self)
{
  return status_of(cudaStreamSynchronize(stream_of(self)));
}
