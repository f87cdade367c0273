/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices, memory, errors and the limits of a launch. */
#include "cuda_runtime.h"
#include "stream.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#ifdef __SANITIZE_ADDRESS__
#  include <sanitizer/asan_interface.h>
#else
#  define ASAN_POISON_MEMORY_REGION(memory, n_bytes)   ((void) (memory), (void) (n_bytes))
#  define ASAN_UNPOISON_MEMORY_REGION(memory, n_bytes) ((void) (memory), (void) (n_bytes))
#endif

namespace lac_emulator {

struct Block {
  size_t n_bytes;
  bool   on_device;
};

static auto &blocks = *new std::map<const char *, Block>;
static std::map<const void *, size_t>
                                opted; /* dynamic shared memory a kernel has opted in to */
static thread_local cudaError_t last_error = cudaSuccess;

static size_t used_bytes;

std::recursive_mutex &
lock()
{
  static std::recursive_mutex mutex;

  return mutex;
}

void
fail(const char *what)
{
  fprintf(stderr, "emulated device: %s (block %u %u %u, thread %u %u %u)\n", what, blockIdx.x,
          blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z);
  abort();
}

cudaError_t
keep(cudaError_t error)
{
  if (error != cudaSuccess)
    last_error = error;
  return error;
}

/* Fills memory with poison; of blocks longer than any test reads, only both ends. */
static void
poison(void *memory, size_t n_bytes)
{
  const size_t end = (size_t) 1 << 20;

  memset(memory, POISON, std::min(n_bytes, end));
  if (n_bytes > end)
    memset(static_cast<char *>(memory) + std::max(end, n_bytes - end), POISON,
           std::min(end, n_bytes - end));
}

/* Returns: (nullable): the block that contains the whole range */
static const Block *
find(const void *memory, size_t n_bytes)
{
  auto next = blocks.upper_bound(static_cast<const char *>(memory));

  if (next == blocks.begin())
    return nullptr;
  --next;
  const size_t offset = (size_t) (static_cast<const char *>(memory) - next->first);

  return offset <= next->second.n_bytes && n_bytes <= next->second.n_bytes - offset ? &next->second
                                                                                    : nullptr;
}

bool
is_device_memory(const void *memory, size_t n_bytes)
{
  Guard        guard(lock());
  const Block *block = find(memory, n_bytes);

  return block && block->on_device;
}

bool
is_pinned(const void *memory, size_t n_bytes)
{
  Guard        guard(lock());
  const Block *block = find(memory, n_bytes);

  return block && !block->on_device;
}

cudaError_t
allocate(void **memory, size_t n_bytes, bool on_device)
{
  Guard guard(lock());

  *memory = nullptr;
  if (anything_captures())
    return keep(invalidate_captures());
  if (device_answer() != cudaSuccess)
    return keep(device_answer());
  if (is_refused())
    return keep(cudaErrorMemoryAllocation);
  if (n_bytes > device_bytes() - used_bytes)
    return keep(cudaErrorMemoryAllocation);
  if (n_bytes == 0)
    return cudaSuccess;
  if (posix_memalign(memory, 256, n_bytes) != 0)
    return keep(cudaErrorMemoryAllocation);
  poison(*memory, n_bytes);
  counts().allocations++;
  counts().alive++;
  blocks[static_cast<const char *>(*memory)] = {n_bytes, on_device};
  used_bytes += on_device ? n_bytes : 0;
  return cudaSuccess;
}

static cudaError_t
give_back(void *memory, bool on_device)
{
  Guard guard(lock());
  auto  block = blocks.find(static_cast<const char *>(memory));

  if (!memory)
    return cudaSuccess;
  if (anything_captures())
    return keep(invalidate_captures());
  if (block == blocks.end() || block->second.on_device != on_device)
    return keep(cudaErrorInvalidValue);
  if (device_answer() != cudaSuccess)
    return keep(device_answer());
  run_everything(); /* waits, as on a device */
  used_bytes -= on_device ? block->second.n_bytes : 0;
  blocks.erase(block);
  free(memory);
  counts().alive--;
  return cudaSuccess;
}

/* Frees the memory of a lost device, which stays lost. */
static cudaError_t
reset()
{
  Guard guard(lock());

  run_everything();
  for (const auto &block : blocks) {
    ASAN_UNPOISON_MEMORY_REGION(block.first, block.second.n_bytes);
    free(const_cast<char *>(block.first));
    counts().alive--;
  }
  blocks.clear();
  used_bytes = 0;
  return keep(device_answer());
}

void
memory_taken(void *memory, size_t n_bytes)
{
  ASAN_UNPOISON_MEMORY_REGION(memory, n_bytes);
  poison(memory, n_bytes);
}

void
memory_free(void *memory, size_t n_bytes)
{
  ASAN_POISON_MEMORY_REGION(memory, n_bytes);
}

cudaError_t
check_launch(const void *kernel, dim3 grid, dim3 block, size_t shared_bytes)
{
  Guard      guard(lock());
  const auto allowed = opted.find(kernel);

  if (block.x == 0 || block.y == 0 || block.z == 0 || grid.x == 0 || grid.y == 0 || grid.z == 0 ||
      (size_t) block.x * block.y * block.z > MOST_THREADS || block.z > 64 || grid.x > 0x7fffffffu ||
      grid.y > 65535 || grid.z > 65535)
    return cudaErrorInvalidConfiguration;
  if (shared_bytes > std::max(allowed == opted.end() ? 0 : allowed->second, MOST_STATIC_SHARED))
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

} // namespace lac_emulator

using namespace lac_emulator;

cudaError_t
cudaDeviceReset(void)
{
  return reset();
}

#define E(name, value) \
  case name: return #name;
const char *
cudaGetErrorName(cudaError_t error)
{
  switch (error) {
    LAC_EMULATOR_ERRORS(E)
  default: return "cudaErrorUnknown";
  }
}
#undef E

const char *
cudaGetErrorString(cudaError_t error)
{
  switch (error) {
  case cudaErrorInvalidValue: return "invalid argument";
  case cudaErrorMemoryAllocation: return "out of memory";
  case cudaErrorLaunchFailure: return "unspecified launch failure";
  default: return cudaGetErrorName(error);
  }
}

cudaError_t
cudaGetLastError(void)
{
  const cudaError_t error = last_error;

  last_error = cudaSuccess;
  return error;
}

cudaError_t
cudaPeekAtLastError(void)
{
  return last_error;
}

static int
number_of(const char *name, int fallback)
{
  const char *asked = getenv(name);

  return asked ? atoi(asked) : fallback;
}

static int
count_devices()
{
  return number_of("LACUNA_EMULATED_DEVICES", 1);
}

/* LACUNA_EMULATED_DEVICES=0 is a machine without a device; a driver with an older major version than the runtime has
 * none either. */
cudaError_t
cudaGetDeviceCount(int *count)
{
  int driver = 0;

  cudaDriverGetVersion(&driver);
  *count = driver / 1000 < CUDART_VERSION / 1000 ? 0 : count_devices();
  if (*count > 0)
    return cudaSuccess;
  return keep(driver / 1000 < CUDART_VERSION / 1000 ? cudaErrorInsufficientDriver
                                                    : cudaErrorNoDevice);
}

static thread_local int current;

int
lac_emulator::current_device()
{
  return current;
}

cudaError_t
cudaSetDevice(int device)
{
  if (device < 0 || device >= count_devices())
    return keep(cudaErrorInvalidDevice);
  current = device;
  return cudaSuccess;
}

cudaError_t
cudaGetDevice(int *device)
{
  *device = current;
  return cudaSuccess;
}

/* LACUNA_EMULATED_CAPABILITY=86, or 90,86 for the first and second device. */
static int
capability_of(int device)
{
  const char *asked = getenv("LACUNA_EMULATED_CAPABILITY");

  for (int i = 0; asked && i < device && strchr(asked, ','); i++)
    asked = strchr(asked, ',') + 1;
  return asked ? atoi(asked) : 80;
}

const char *
lac_emulator::architectures()
{
  const char *asked = getenv("LACUNA_EMULATED_BUILT_FOR");

  return asked ? asked : "750,800,900";
}

/* As if PTX of every one were included: a device runs code compiled for it or for an older one. */
static bool
has_image()
{
  for (const char *at = architectures(); at; at = strchr(at, ',')) {
    at += *at == ',';
    if (atoi(at) / 10 <= capability_of(current))
      return true;
  }
  return false;
}

cudaError_t
cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *)
{
  *attributes = {(int) MOST_THREADS};
  return has_image() ? cudaSuccess : keep(cudaErrorNoKernelImageForDevice);
}

cudaError_t
cudaDeviceGetPCIBusId(char *bus, int n, int device)
{
  snprintf(bus, (size_t) n, "0000:%02X:00.0", device + 1);
  return cudaSuccess;
}

cudaError_t
cudaGetDeviceProperties(cudaDeviceProp *properties, int device)
{
  *properties = {};
  if (device < 0 || device >= count_devices())
    return keep(cudaErrorInvalidDevice);
  snprintf(properties->name, sizeof properties->name, "emulated device");
  properties->totalGlobalMem = device_bytes();
  properties->sharedMemPerBlockOptin = MOST_SHARED;
  properties->major = capability_of(device) / 10;
  properties->minor = capability_of(device) % 10;
  properties->multiProcessorCount = 4;
  return cudaSuccess;
}

cudaError_t
cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device)
{
  cudaDeviceProp    properties;
  const cudaError_t error = cudaGetDeviceProperties(&properties, device);

  switch (attribute) {
  case cudaDevAttrMultiProcessorCount: *value = properties.multiProcessorCount; break;
  case cudaDevAttrMaxThreadsPerMultiProcessor: *value = MULTIPROCESSOR_THREADS; break;
  case cudaDevAttrComputeCapabilityMajor: *value = properties.major; break;
  case cudaDevAttrComputeCapabilityMinor: *value = properties.minor; break;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    *value = (int) properties.sharedMemPerBlockOptin;
    break;
  /* Values for four multiprocessors of an A100, with their share of its memory bandwidth. */
  case cudaDevAttrClockRate: *value = 1410000; break;
  case cudaDevAttrMemoryClockRate: *value = 1215000; break;
  case cudaDevAttrGlobalMemoryBusWidth: *value = 190; break;
  case cudaDevAttrSingleToDoublePrecisionPerfRatio: *value = 2; break;
  }
  return error;
}

cudaError_t
cudaDriverGetVersion(int *version)
{
  *version = number_of("LACUNA_EMULATED_DRIVER", CUDART_VERSION);
  return cudaSuccess;
}

cudaError_t
cudaRuntimeGetVersion(int *version)
{
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t
cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute attribute, int value)
{
  Guard guard(lock());

  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
      (size_t) value > MOST_SHARED)
    return keep(cudaErrorInvalidValue);
  opted[kernel] = (size_t) value;
  return cudaSuccess;
}

/* As if registers were no limit. */
cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int        *n_blocks,
                                              const void *kernel,
                                              int         n_threads,
                                              size_t      shared_bytes)
{
  const int by_shared = shared_bytes > 0 ? (int) (MOST_SHARED / shared_bytes) : 32;

  *n_blocks = std::min(MULTIPROCESSOR_THREADS / n_threads, std::min(by_shared, 32));
  return cudaSuccess;
}

cudaError_t
cudaMemGetInfo(size_t *available, size_t *total)
{
  Guard guard(lock());

  *total = device_bytes();
  *available = device_bytes() - used_bytes;
  return keep(device_answer());
}

cudaError_t
cudaFree(void *memory)
{
  return give_back(memory, true);
}

cudaError_t
cudaFreeHost(void *memory)
{
  return give_back(memory, false);
}

/* ---- copies ---- */

static bool
sides_are_right(const void *to, const void *from, size_t n_bytes, cudaMemcpyKind kind)
{
  const bool to_device = is_device_memory(to, n_bytes);
  const bool from_device = is_device_memory(from, n_bytes);

  switch (kind) {
  case cudaMemcpyHostToHost: return !to_device && !from_device;
  case cudaMemcpyHostToDevice: return to_device && !from_device;
  case cudaMemcpyDeviceToHost: return !to_device && from_device;
  case cudaMemcpyDeviceToDevice: return to_device && from_device;
  case cudaMemcpyDefault: return true;
  }
  return false;
}

/* Pageable memory is read, or written, before the call returns, as the runtime documents. */
cudaError_t
cudaMemcpyAsync(void          *to,
                const void    *from,
                size_t         n_bytes,
                cudaMemcpyKind kind,
                cudaStream_t   stream)
{
  Guard      guard(lock());
  const bool pageable_to = !is_device_memory(to, n_bytes) && !is_pinned(to, n_bytes);
  const bool pageable_from = !is_device_memory(from, n_bytes) && !is_pinned(from, n_bytes);

  if (n_bytes == 0)
    return cudaSuccess;
  if (!sides_are_right(to, from, n_bytes, kind))
    return keep(cudaErrorInvalidValue);
  if ((pageable_to || pageable_from) && is_capturing(stream))
    return keep(invalidate_captures());
  if (pageable_from) {
    std::vector<char> copy(static_cast<const char *>(from),
                           static_cast<const char *>(from) + n_bytes);

    return keep(enqueue(stream, [=]() { memcpy(to, copy.data(), n_bytes); }));
  }
  const cudaError_t error = enqueue(stream, [=]() { memmove(to, from, n_bytes); });

  return keep(error == cudaSuccess && pageable_to ? cudaStreamSynchronize(stream) : error);
}

cudaError_t
cudaMemcpy(void *to, const void *from, size_t n_bytes, cudaMemcpyKind kind)
{
  Guard guard(lock());

  if (anything_captures())
    return keep(invalidate_captures());
  counts().waits++;
  counts().drains++;
  run_everything();
  if (!sides_are_right(to, from, n_bytes, kind))
    return keep(cudaErrorInvalidValue);
  if (n_bytes)
    memmove(to, from, n_bytes);
  return keep(device_answer());
}

cudaError_t
cudaMemsetAsync(void *memory, int value, size_t n_bytes, cudaStream_t stream)
{
  Guard guard(lock());

  if (!is_device_memory(memory, n_bytes))
    return keep(cudaErrorInvalidValue);
  return keep(enqueue(stream, [=]() { memset(memory, value, n_bytes); }));
}
