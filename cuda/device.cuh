/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an opened CUDA device is, and the functions its table is made of. */
#pragma once

#include "cuda/check.cuh"

#include <pthread.h>

/* An allocation, so that a release knows how much it gives back. */
typedef struct CudaBlock {
  struct CudaBlock *next;
  void             *memory;
  size_t            n_bytes;
} CudaBlock;

/* One stream: kernels and copies run in the order they were asked for. */
typedef struct {
  int          device;
  cudaStream_t stream;

  pthread_mutex_t lock; /* of what follows */
  CudaBlock      *blocks;
  uint64_t        used, peak; /* bytes */
} CudaDevice;

static inline cudaStream_t
stream_of(void *self)
{
  return ((CudaDevice *) self)->stream;
}

/* memory.cu */
LacStatus open_cuda(void **self, int device);
void      close_cuda(void *self);
LacStatus alloc_cuda(void *self, size_t n_bytes, void **memory);
void      release_cuda(void *self, void *memory);
LacStatus upload_cuda(void *self, void *device, const void *host, size_t n_bytes);
LacStatus download_cuda(void *self, void *host, const void *device, size_t n_bytes);
LacStatus synchronise_cuda(void *self);
void      memory_use_cuda(void *self, LacMemoryUse *use);
void      memory_reset_peak_cuda(void *self);

/* elementwise.cu */
LacStatus fill_cuda(void *self, LacType type, void *y, double value, size_t n);
LacStatus strided_cuda(void *self, const LacStrided *args);
LacStatus rank_update_cuda(void *self, const LacRankUpdate *args);
LacStatus adam_cuda(void *self, const LacAdam *args);
