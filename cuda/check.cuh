/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA's answers as the status of the backend table. */
#pragma once

#include "backend/backend.h"

#include <cuda_runtime.h>

/* An answer that was seen is forgotten, so that the next kernel is not blamed for it. */
static inline LacStatus
status_of(cudaError_t answer)
{
  if (answer == cudaSuccess)
    return LAC_STATUS_OK;
  cudaGetLastError();
  switch (answer) {
  case cudaErrorMemoryAllocation: return LAC_STATUS_OUT_OF_MEMORY;
  case cudaErrorInvalidValue:
  case cudaErrorInvalidDevicePointer: return LAC_STATUS_BAD_POINTER;
  case cudaErrorInvalidDeviceFunction:
  case cudaErrorNoKernelImageForDevice: return LAC_STATUS_NO_KERNEL;
  case cudaErrorUnsupportedPtxVersion: return LAC_STATUS_NEW_PTX;
  case cudaErrorInsufficientDriver: return LAC_STATUS_OLD_DRIVER;
  default: return LAC_STATUS_DEVICE_LOST;
  }
}
