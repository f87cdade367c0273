/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of CUDA's runtime used by this project, on the CPU: see README.md in this folder. */
#pragma once

#include "block.h"
#include "device-math.h"
#include "limits.h"

#include <functional>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)

#define LAC_EMULATOR_ERRORS(E)              \
  E(cudaSuccess, 0)                         \
  E(cudaErrorInvalidValue, 1)               \
  E(cudaErrorMemoryAllocation, 2)           \
  E(cudaErrorInvalidConfiguration, 9)       \
  E(cudaErrorInvalidDevicePointer, 17)      \
  E(cudaErrorInvalidMemcpyDirection, 21)    \
  E(cudaErrorInsufficientDriver, 35)        \
  E(cudaErrorInvalidDeviceFunction, 98)     \
  E(cudaErrorNoDevice, 100)                 \
  E(cudaErrorInvalidDevice, 101)            \
  E(cudaErrorNoKernelImageForDevice, 209)   \
  E(cudaErrorUnsupportedPtxVersion, 222)    \
  E(cudaErrorInvalidResourceHandle, 400)    \
  E(cudaErrorNotReady, 600)                 \
  E(cudaErrorIllegalAddress, 700)           \
  E(cudaErrorLaunchOutOfResources, 701)     \
  E(cudaErrorLaunchTimeout, 702)            \
  E(cudaErrorAssert, 710)                   \
  E(cudaErrorHardwareStackError, 714)       \
  E(cudaErrorIllegalInstruction, 715)       \
  E(cudaErrorMisalignedAddress, 716)        \
  E(cudaErrorInvalidAddressSpace, 717)      \
  E(cudaErrorInvalidPc, 718)                \
  E(cudaErrorLaunchFailure, 719)            \
  E(cudaErrorNotSupported, 801)             \
  E(cudaErrorStreamCaptureUnsupported, 900) \
  E(cudaErrorStreamCaptureInvalidated, 901) \
  E(cudaErrorStreamCaptureUnmatched, 903)   \
  E(cudaErrorStreamCaptureUnjoined, 904)    \
  E(cudaErrorStreamCaptureIsolation, 905)   \
  E(cudaErrorCapturedEvent, 907)

#define E(name, value) name = value,
typedef enum { LAC_EMULATOR_ERRORS(E) } cudaError_t;
#undef E

typedef enum {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault,
} cudaMemcpyKind;

typedef enum {
  cudaStreamCaptureModeGlobal,
  cudaStreamCaptureModeThreadLocal,
  cudaStreamCaptureModeRelaxed,
} cudaStreamCaptureMode;

typedef enum {
  cudaStreamCaptureStatusNone,
  cudaStreamCaptureStatusActive,
  cudaStreamCaptureStatusInvalidated,
} cudaStreamCaptureStatus;

typedef enum { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 } cudaFuncAttribute;

typedef enum {
  cudaDevAttrClockRate = 13,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrMemoryClockRate = 36,
  cudaDevAttrGlobalMemoryBusWidth = 37,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrSingleToDoublePrecisionPerfRatio = 87,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
} cudaDeviceAttr;

#ifndef CUDART_VERSION
#  define CUDART_VERSION 13000
#endif
#define cudaStreamNonBlocking   1u
#define cudaEventDefault        0u
#define cudaEventDisableTiming  2u
#define cudaEventRecordDefault  0u
#define cudaEventRecordExternal 1u
#define cudaHostAllocDefault    0u
#define cudaStreamLegacy        ((cudaStream_t) 1)

typedef struct lac_emulator_stream *cudaStream_t;
typedef struct lac_emulator_event  *cudaEvent_t;
typedef struct lac_emulator_graph  *cudaGraph_t;
typedef struct lac_emulator_exec   *cudaGraphExec_t;
typedef struct lac_emulator_node   *cudaGraphNode_t;
typedef void (*cudaHostFn_t)(void *);

struct cudaDeviceProp {
  char   name[256];
  size_t totalGlobalMem, sharedMemPerBlockOptin;
  int    major, minor, multiProcessorCount;
};

struct cudaFuncAttributes {
  int maxThreadsPerBlock;
};

extern "C" {
const char *cudaGetErrorString(cudaError_t error);
const char *cudaGetErrorName(cudaError_t error);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaDeviceGetPCIBusId(char *bus, int n, int device);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *kernel);
cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute attribute, int value);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int        *n_blocks,
                                                          const void *kernel,
                                                          int         n_threads,
                                                          size_t      shared_bytes);

cudaError_t cudaMemGetInfo(size_t *available, size_t *total);
cudaError_t cudaFree(void *memory);
cudaError_t cudaFreeHost(void *memory);
cudaError_t cudaMemcpy(void *to, const void *from, size_t n_bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void          *to,
                            const void    *from,
                            size_t         n_bytes,
                            cudaMemcpyKind kind,
                            cudaStream_t   stream = nullptr);
cudaError_t cudaMemsetAsync(void *memory, int value, size_t n_bytes, cudaStream_t stream = nullptr);

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *argument);

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t begin, cudaEvent_t end);

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *n_nodes);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t   *exec,
                                          cudaGraph_t        graph,
                                          unsigned long long flags = 0);
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
}

namespace lac_emulator {

cudaError_t allocate(void **memory, size_t n_bytes, bool on_device);

/* Enqueues work in a stream: done now or when something waits for it, or recorded. Its data is copied. */
cudaError_t enqueue(cudaStream_t stream, std::function<void()> work);

/* Returns TRUE while the stream is capturing: libraries must not allocate then. */
bool is_capturing(cudaStream_t stream);

/* Stores an error for cudaGetLastError. */
cudaError_t keep(cudaError_t error);

/* Emulated value of __CUDA_ARCH_LIST__: LACUNA_EMULATED_BUILT_FOR=750,900. */
const char *architectures();

/* Returns TRUE when the stream was created on the calling thread's current device. */
bool is_of_current_device(cudaStream_t stream);

/* Returns TRUE when a fault omits this kernel (faults.cpp). @types: of its arguments */
bool is_left_out(const char *types);

/* Checks the limits of a launch. */
cudaError_t check_launch(const void *kernel, dim3 grid, dim3 block, size_t shared_bytes);

/* Returns TRUE when [memory, memory + n_bytes) is device memory; library calls check their arguments. */
bool is_device_memory(const void *memory, size_t n_bytes);

/* Marks a part of device memory as in use, and as free. */
void memory_taken(void *memory, size_t n_bytes);
void memory_free(void *memory, size_t n_bytes);
bool memory_refused(); /* called before each allocation (faults.h) */

template <typename Function>
static void
call(void *function)
{
  (*static_cast<Function *>(function))();
}

/* Runs a kernel's body over the grid in the stream. */
template <typename... Parameters, typename... Arguments>
static void
start(void (*kernel)(Parameters...),
      dim3         grid,
      dim3         block,
      size_t       shared_bytes,
      cudaStream_t stream,
      Arguments... arguments)
{
  const cudaError_t error =
    check_launch(reinterpret_cast<const void *>(kernel), grid, block, shared_bytes);

  if (error != cudaSuccess || !is_of_current_device(stream)) {
    keep(error != cudaSuccess ? error : cudaErrorInvalidResourceHandle);
    return;
  }
  if (is_left_out(__PRETTY_FUNCTION__))
    return;
  keep(enqueue(stream, [=]() {
    auto body = [&]() { kernel(static_cast<Parameters>(arguments)...); };

    if (!run_grid(grid, block, shared_bytes, call<decltype(body)>, &body))
      fail("a thread waits at a barrier that others of its block do not reach");
  }));
}

} // namespace lac_emulator

template <typename T>
static inline cudaError_t
cudaMalloc(T **memory, size_t n_bytes)
{
  return lac_emulator::allocate(reinterpret_cast<void **>(memory), n_bytes, true);
}

template <typename T>
static inline cudaError_t
cudaMallocHost(T **memory, size_t n_bytes)
{
  return lac_emulator::allocate(reinterpret_cast<void **>(memory), n_bytes, false);
}

template <typename T>
static inline cudaError_t
cudaHostAlloc(T **memory, size_t n_bytes, unsigned)
{
  return lac_emulator::allocate(reinterpret_cast<void **>(memory), n_bytes, false);
}
