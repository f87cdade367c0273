/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Last failure of each thread, with CUDA's message, and whether the process has lost its device. */
#include "cuda/check.cuh"

#include <atomic>
#include <stdio.h>
#include <string.h>

struct Failure {
  LacStatus status;
  char      text[512];
};

static thread_local Failure last;
static Failure              loss; /* first loss on any thread; written once, then read-only */
static std::atomic<bool>    loss_taken, lost;

static thread_local const char *launched = "";
static thread_local StampTaker  stamping;

bool
device_is_lost(void)
{
  return lost;
}

/* Returns the length of the name in "cudaMemcpyAsync(to, from, n)". */
static int
name_length(const char *call)
{
  return (int) strcspn(call, "(<");
}

LacStatus
note_failure(LacStatus status, const char *name, const char *sentence, const char *call)
{
  last.status = status;
  if (sentence)
    snprintf(last.text, sizeof last.text, "%s: %s, in %.*s", name, sentence, name_length(call),
             call);
  else
    snprintf(last.text, sizeof last.text, "%s, in %.*s", name, name_length(call), call);
  if (status == LAC_STATUS_DEVICE_LOST && !loss_taken.exchange(true)) {
    loss = last;
    lost = true;
  }
  return status;
}

/* ---- stamps ---- */

void
set_stamping(StampTaker take)
{
  stamping = take;
}

void
take_stamp(const char *kernel, double occupancy)
{
  if (stamping)
    stamping(kernel, occupancy);
}

static int
attribute_of(cudaDeviceAttr attribute)
{
  int value = 0, device = 0;

  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&value, attribute, device);
  return value;
}

/* Returns: 0 when the device does not say */
static double
occupancy_of(const void *kernel, size_t n_blocks, size_t n_threads, size_t shared_bytes)
{
  const size_t n_processors = (size_t) attribute_of(cudaDevAttrMultiProcessorCount);
  const size_t room = n_processors * (size_t) attribute_of(cudaDevAttrMaxThreadsPerMultiProcessor);
  int          n_at_once = 0;

  if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n_at_once, kernel, (int) n_threads,
                                                    shared_bytes) != cudaSuccess)
    cudaGetLastError();
  const size_t most = (size_t) n_at_once * n_processors;

  return room > 0 ? (double) ((n_blocks < most ? n_blocks : most) * n_threads) / (double) room : 0;
}

void
take_launch_stamp(const void *kernel, size_t n_blocks, size_t n_threads, size_t shared_bytes)
{
  if (stamping)
    stamping(launched, occupancy_of(kernel, n_blocks, n_threads, shared_bytes));
}

/* ---- launches ---- */

void
name_launch(const char *kernel)
{
  launched = kernel;
}

LacStatus
status_of_launch(cudaError_t answer)
{
  char call[128];

  if (answer == cudaSuccess)
    return LAC_STATUS_OK;
  snprintf(call, sizeof call, "the launch of %.*s", name_length(launched), launched);
  return status_of_call(answer, call);
}

LacStatus
note_library_failure(LacStatus status, const char *name, const char *call)
{
  const cudaError_t answer = cudaGetLastError();

  if (is_sticky(answer))
    return note_failure(LAC_STATUS_DEVICE_LOST, cudaGetErrorName(answer),
                        cudaGetErrorString(answer), call);
  return note_failure(status, name, NULL, call);
}

const char *
failure_cuda(LacStatus status)
{
  if (status == LAC_STATUS_DEVICE_LOST && lost)
    return loss.text;
  if (last.status != status || status == LAC_STATUS_OK)
    return NULL;
  last.status = LAC_STATUS_OK;
  return last.text;
}
