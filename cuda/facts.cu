/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Available devices with their properties, and selection of a thread's current device. */
#include "cuda/device.cuh"
#include "cuda/launch.cuh"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Compute capabilities that the module was compiled for: "750,860". */
#ifdef __CUDA_ARCH_LIST__
#  define LAC_TEXT_OF(...) #  __VA_ARGS__
#  define LAC_TEXT(...)    LAC_TEXT_OF(__VA_ARGS__)
static const char *
architectures()
{
  return LAC_TEXT(__CUDA_ARCH_LIST__);
}
#elif defined(__CUDACC__)
static const char *
architectures()
{
  return "";
}
#else
using lac_emulator::architectures;
#endif

__global__ static void
no_kernel()
{
}

void
make_current(int device)
{
  static thread_local int current = -1;

  if (current != device && cudaSetDevice(device) == cudaSuccess)
    current = device;
}

/* Without a driver CUDA returns the same error as with a driver that is too old. */
static bool
is_absent(cudaError_t answer)
{
  int driver = 0;

  if (answer == cudaErrorInsufficientDriver)
    cudaDriverGetVersion(&driver);
  return answer == cudaErrorNoDevice || (answer == cudaErrorInsufficientDriver && driver == 0);
}

LacStatus
look_for_device(int device)
{
  int               n = 0;
  const cudaError_t answer = cudaGetDeviceCount(&n);

  if (is_absent(answer) || (answer == cudaSuccess && (device < 0 || device >= n))) {
    cudaGetLastError();
    return LAC_STATUS_NO_DEVICE;
  }
  return status_of_call(answer, "cudaGetDeviceCount");
}

int
count_cuda(void)
{
  int n = 0;

  if (cudaGetDeviceCount(&n) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return n;
}

static void
describe_build(LacDeviceFacts *facts)
{
  size_t used = 0;

  *facts = {};
  facts->toolkit = CUDART_VERSION;
  cudaRuntimeGetVersion(&facts->runtime);
  cudaDriverGetVersion(&facts->driver);
  for (const char *at = architectures(); *at && used + 8 < sizeof facts->built_for;) {
    char      *end;
    const long number = strtol(at, &end, 10);

    used += (size_t) snprintf(facts->built_for + used, sizeof facts->built_for - used, "%s%ld.%ld",
                              used ? " " : "", number / 100, number / 10 % 10);
    at = *end == ',' ? end + 1 : "";
  }
}

static int
attribute_of(int device, cudaDeviceAttr attribute)
{
  int value = 0;

  cudaDeviceGetAttribute(&value, attribute, device);
  return value;
}

/* Two transfers a clock of the memory. */
DeviceRates
device_rates(int device)
{
  const int    major = attribute_of(device, cudaDevAttrComputeCapabilityMajor);
  const int    minor = attribute_of(device, cudaDevAttrComputeCapabilityMinor);
  const int    ratio = attribute_of(device, cudaDevAttrSingleToDoublePrecisionPerfRatio);
  const int    cores = major < 8 || (major == 8 && minor == 0) ? 64 : 128; /* of a multiprocessor */
  const double clock = 1e3 * attribute_of(device, cudaDevAttrClockRate);
  const double memory_clock = 1e3 * attribute_of(device, cudaDevAttrMemoryClockRate);
  const double bus = attribute_of(device, cudaDevAttrGlobalMemoryBusWidth) / 8.0;
  const double flops = 2.0 * cores * attribute_of(device, cudaDevAttrMultiProcessorCount) * clock;
  const double bandwidth = 2 * memory_clock * bus;

  if (!(flops > 0) || !(bandwidth > 0) || ratio <= 0)
    return {major, {0, 0}, 0};
  return {major, {flops, flops / ratio}, bandwidth};
}

/* Free memory can only be queried with a context, which stays for the next open(). */
LacStatus
facts_cuda(int device, LacDeviceFacts *facts)
{
  cudaDeviceProp     properties;
  cudaFuncAttributes attributes;
  cudaError_t        answer;
  size_t             available = 0, total = 0;

  describe_build(facts);
  if (device_is_lost())
    return LAC_STATUS_DEVICE_LOST;
  LAC_TRY(look_for_device(device));
  LAC_TRY(status_of(cudaGetDeviceProperties(&properties, device)));
  snprintf(facts->name, sizeof facts->name, "%s", properties.name);
  facts->memory = properties.totalGlobalMem;
  facts->major = properties.major;
  facts->minor = properties.minor;
  facts->multiprocessors = properties.multiProcessorCount;
  const DeviceRates rates = device_rates(device);
  facts->flops[LAC_F32] = rates.flops[LAC_F32];
  facts->flops[LAC_F64] = rates.flops[LAC_F64];
  facts->bandwidth = rates.bandwidth;
  LAC_TRY(status_of(cudaDeviceGetPCIBusId(facts->bus, (int) sizeof facts->bus, device)));
  make_current(device);
  LAC_TRY(status_of(cudaMemGetInfo(&available, &total)));
  facts->memory = total;
  facts->memory_free = available;
  answer = cudaFuncGetAttributes(&attributes, reinterpret_cast<const void *>(no_kernel));
  facts->has_kernels = answer == cudaSuccess;
  return status_of_call(answer, "cudaFuncGetAttributes");
}
