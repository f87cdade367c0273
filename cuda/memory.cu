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
  pthread_mutex_init(&opened->lock, NULL);
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
  CudaDevice *device = (CudaDevice *) self;

  cudaStreamDestroy(device->stream);
  while (device->blocks) {
    CudaBlock *block = device->blocks;

    device->blocks = block->next;
    free(block);
  }
  pthread_mutex_destroy(&device->lock);
  free(device);
}

LacStatus
alloc_cuda(void *self, size_t n_bytes, void **memory)
{
  CudaDevice *device = (CudaDevice *) self;
  CudaBlock  *block = (CudaBlock *) malloc(sizeof *block);
  LacStatus   status = block ? status_of(cudaMalloc(memory, n_bytes)) : LAC_STATUS_OUT_OF_MEMORY;

  if (status != LAC_STATUS_OK) {
    free(block);
    return status;
  }
  pthread_mutex_lock(&device->lock);
  block->next = device->blocks;
  block->memory = *memory;
  block->n_bytes = n_bytes;
  device->blocks = block;
  device->used += n_bytes;
  if (device->used > device->peak)
    device->peak = device->used;
  pthread_mutex_unlock(&device->lock);
  return LAC_STATUS_OK;
}

static void
forget_block(CudaDevice *device, const void *memory)
{
  pthread_mutex_lock(&device->lock);
  for (CudaBlock **place = &device->blocks; *place; place = &(*place)->next) {
    CudaBlock *block = *place;

    if (block->memory != memory)
      continue;
    device->used -= block->n_bytes;
    *place = block->next;
    free(block);
    break;
  }
  pthread_mutex_unlock(&device->lock);
}

void
release_cuda(void *self, void *memory)
{
  cudaStreamSynchronize(stream_of(self));
  forget_block((CudaDevice *) self, memory);
  cudaFree(memory);
}

void
memory_use_cuda(void *self, LacMemoryUse *use)
{
  CudaDevice *device = (CudaDevice *) self;

  pthread_mutex_lock(&device->lock);
  use->used = use->reserved = device->used;
  use->peak = device->peak;
  pthread_mutex_unlock(&device->lock);
}

void
memory_reset_peak_cuda(void *self)
{
  CudaDevice *device = (CudaDevice *) self;

  pthread_mutex_lock(&device->lock);
  device->peak = device->used;
  pthread_mutex_unlock(&device->lock);
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
