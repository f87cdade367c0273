/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps CUDA errors to LacStatus, and stores CUDA's error text for the user. */
#pragma once

#include "backend/backend.h"

#include <cuda_runtime.h>

/* failure.cu: stores name and message of this thread's last failure with @call, the source text of the call that
 * returned it. A lost device is lost to the whole process. Returns: @status */
LacStatus note_failure(LacStatus status, const char *name, const char *sentence, const char *call);
const char *failure_cuda(LacStatus status); /* LacBackend.failure */
bool        device_is_lost(void);
/* Names the kernel that this thread launches next, for error reports; returns the status of that launch. */
void      name_launch(const char *kernel);
LacStatus status_of_launch(cudaError_t answer);
/* Called after a kernel, or a library's kernels, have been enqueued: passes it on to @take of this thread. @kernel: source text,
 * static; @occupancy: 0: unknown */
typedef void (*StampTaker)(const char *kernel, double occupancy);
void set_stamping(StampTaker take); /* (nullable) */
void take_stamp(const char *kernel, double occupancy);
/* The same for the kernel that this thread has named and launched. */
void take_launch_stamp(const void *kernel, size_t n_blocks, size_t n_threads, size_t shared_bytes);
/* Stores the failure of a CUDA library call. A sticky CUDA error behind it is stored as the loss of the device
 * instead of @status and @name. */
LacStatus note_library_failure(LacStatus status, const char *name, const char *call);

/* Returns true for errors after which "the process is in an inconsistent state and any further CUDA work will return
 * the same error" until it ends (CUDA Runtime API, cudaError). Errors that not every toolkit names are listed by
 * number. */
static inline bool
is_sticky(cudaError_t answer)
{
  switch ((int) answer) {
  case 226: /* cudaErrorContained */
  case cudaErrorIllegalAddress:
  case cudaErrorLaunchTimeout:
  case cudaErrorAssert:
  case cudaErrorHardwareStackError:
  case cudaErrorIllegalInstruction:
  case cudaErrorMisalignedAddress:
  case cudaErrorInvalidAddressSpace:
  case cudaErrorInvalidPc:
  case cudaErrorLaunchFailure:
  case 721: /* cudaErrorTensorMemoryLeak */
  case 810: /* cudaErrorMpsClientTerminated */
  case 911: /* cudaErrorExternalDevice */ return true;
  default: return false;
  }
}

static inline LacStatus
status_for(cudaError_t answer)
{
  if (is_sticky(answer))
    return LAC_STATUS_DEVICE_LOST;
  switch (answer) {
  case cudaSuccess: return LAC_STATUS_OK;
  case cudaErrorMemoryAllocation: return LAC_STATUS_OUT_OF_MEMORY;
  case cudaErrorInvalidDevicePointer: return LAC_STATUS_BAD_POINTER;
  case cudaErrorInvalidDeviceFunction:
  case cudaErrorNoKernelImageForDevice: return LAC_STATUS_NO_KERNEL;
  case cudaErrorUnsupportedPtxVersion: return LAC_STATUS_NEW_PTX;
  case cudaErrorInsufficientDriver: return LAC_STATUS_OLD_DRIVER;
  default: return LAC_STATUS_REFUSED;
  }
}

/* Maps the result of a call to a LacStatus. Clears the error, so that the next kernel is not blamed for it. */
static inline LacStatus
status_of_call(cudaError_t answer, const char *call)
{
  if (answer == cudaSuccess)
    return LAC_STATUS_OK;
  cudaGetLastError();
  return note_failure(status_for(answer), cudaGetErrorName(answer), cudaGetErrorString(answer),
                      call);
}

#define status_of(call) status_of_call((call), #call)
