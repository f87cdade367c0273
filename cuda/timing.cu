/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stamps of kernels: an event after each, which a recorded step keeps as a node of its graph. A stamp takes about a
 * microsecond of the device. Beyond MOST_STAMPS consecutive kernels of an operation share one. */
#include "cuda/device.cuh"

#include <stdlib.h>

#define MOST_STAMPS ((size_t) 4096)
#define RENEWED_MS  16384.0 /* up to here a float of milliseconds resolves one microsecond */

struct CudaTiming {
  CudaDevice  *device;
  cudaEvent_t  origin, next; /* of the clock; the one that replaces it */
  double       origin_ms;    /* time of the origin */
  bool         is_renewing;  /* next is enqueued */
  cudaEvent_t  done;         /* all stamps are taken */
  bool         is_sent, is_read;
  cudaEvent_t *events; /* [room] */
  LacStamp    *stamps; /* [room] */
  size_t       n, n_events, room;
  uint32_t     operation;
  const char  *behind;    /* last kernel enqueued without a stamp; NULL: none */
  double       occupancy; /* of it */
  LacStatus    status;
};

static thread_local CudaTiming *current;

static CudaTiming *
timing_of(void *timing)
{
  return static_cast<CudaTiming *>(timing);
}

static bool
make_room(CudaTiming *timing)
{
  const size_t room = timing->room ? 2 * timing->room : 64;

  if (timing->n < timing->room)
    return true;
  void *const events = realloc(timing->events, room * sizeof *timing->events);
  if (events)
    timing->events = static_cast<cudaEvent_t *>(events);
  void *const stamps = events ? realloc(timing->stamps, room * sizeof *timing->stamps) : NULL;
  if (!stamps)
    return false;
  timing->stamps = static_cast<LacStamp *>(stamps);
  timing->room = room;
  return true;
}

/* External: a node that records the event in every replay, not an edge of the graph. */
static LacStatus
enqueue_stamp(CudaTiming *timing, const char *kernel)
{
  CudaDevice *device = timing->device;

  if (!make_room(timing))
    return LAC_STATUS_OUT_OF_MEMORY;
  if (timing->n == timing->n_events) {
    LAC_TRY(status_of(cudaEventCreateWithFlags(&timing->events[timing->n], cudaEventDefault)));
    timing->n_events++;
  }
  LAC_TRY(status_of(cudaEventRecordWithFlags(timing->events[timing->n], device->stream,
                                             device->recording ? cudaEventRecordExternal
                                                               : cudaEventRecordDefault)));
  timing->stamps[timing->n++] = {kernel, timing->operation, kernel ? timing->occupancy : 0, 0};
  timing->behind = NULL;
  return LAC_STATUS_OK;
}

static void
stamp(CudaTiming *timing, const char *kernel)
{
  if (timing->status == LAC_STATUS_OK)
    timing->status = enqueue_stamp(timing, kernel);
}

/* Called after each kernel while stamps are taken. */
static void
follow(const char *kernel, double occupancy)
{
  current->behind = kernel;
  current->occupancy = occupancy;
  if (current->n < MOST_STAMPS)
    stamp(current, kernel);
}

/* ---- the table's entries ---- */

/* Waits once, so that the host knows the time of the origin. */
static LacStatus
open_clock(CudaTiming *timing)
{
  LAC_TRY(status_of(cudaEventCreateWithFlags(&timing->origin, cudaEventDefault)));
  LAC_TRY(status_of(cudaEventCreateWithFlags(&timing->next, cudaEventDefault)));
  LAC_TRY(status_of(cudaEventCreateWithFlags(&timing->done, cudaEventDisableTiming)));
  LAC_TRY(status_of(cudaEventRecord(timing->origin, timing->device->stream)));
  return status_of(cudaEventSynchronize(timing->origin));
}

LacStatus
timing_new_cuda(void *self, void **made)
{
  CudaTiming *timing;
  LacStatus   status;

  *made = NULL;
  LAC_TRY(not_recording(self));
  timing = static_cast<CudaTiming *>(calloc(1, sizeof *timing));
  if (!timing)
    return LAC_STATUS_OUT_OF_MEMORY;
  timing->device = device_of(self);
  status = open_clock(timing);
  if (status == LAC_STATUS_OK)
    *made = timing;
  else
    timing_free_cuda(self, timing);
  return status;
}

static void
destroy(cudaEvent_t event)
{
  if (event)
    cudaEventDestroy(event);
}

void
timing_free_cuda(void *self, void *freed)
{
  CudaTiming *timing = timing_of(freed);

  if (!timing || free_later(device_of(self), timing_free_cuda, timing))
    return;
  for (size_t i = 0; i < timing->n_events; i++)
    cudaEventDestroy(timing->events[i]);
  destroy(timing->origin);
  destroy(timing->next);
  destroy(timing->done);
  free(timing->events);
  free(timing->stamps);
  free(timing);
}

LacStatus
timing_begin_cuda(void *self, void *begun)
{
  CudaTiming *timing = timing_of(begun);
  CudaDevice *device = device_of(self);

  timing->n = 0;
  timing->operation = 0;
  timing->status = LAC_STATUS_OK;
  timing->is_sent = timing->is_read = false;
  if (device->recording)
    recording_takes_stamps(device->recording, timing);
  stamp(timing, NULL);
  if (timing->status == LAC_STATUS_OK) {
    current = timing;
    set_stamping(follow);
  }
  return timing->status;
}

void
timing_operation_cuda(void *, uint32_t operation)
{
  if (!current)
    return;
  if (current->behind)
    stamp(current, current->behind);
  current->operation = operation;
}

LacStatus
timing_end_cuda(void *self, const LacStamp **stamps, size_t *n)
{
  CudaTiming *timing = current;
  CudaDevice *device = device_of(self);

  *stamps = NULL;
  *n = 0;
  if (!timing)
    return LAC_STATUS_OK;
  if (timing->behind)
    stamp(timing, timing->behind);
  current = NULL;
  set_stamping(NULL);
  *stamps = timing->stamps;
  *n = timing->n;
  if (timing->status != LAC_STATUS_OK || device->recording)
    return timing->status;
  return timing_sent(device, timing);
}

LacStatus
timing_sent(CudaDevice *device, CudaTiming *timing)
{
  timing->is_sent = true;
  timing->is_read = false;
  return status_of(cudaEventRecord(timing->done, device->stream));
}

/* ---- reading ---- */

static LacStatus
has_happened(cudaEvent_t event, bool *happened)
{
  const cudaError_t answer = cudaEventQuery(event);

  *happened = answer == cudaSuccess;
  if (answer != cudaErrorNotReady)
    return status_of_call(answer, "cudaEventQuery");
  cudaGetLastError();
  return LAC_STATUS_OK;
}

/* A float of milliseconds gets coarse after a while: a later origin then replaces the first. */
static LacStatus
renew_origin(CudaTiming *timing, double now_ms)
{
  const cudaEvent_t before = timing->origin;
  bool              happened = false;
  float             ms = 0;

  if (!timing->is_renewing && now_ms - timing->origin_ms > RENEWED_MS) {
    timing->is_renewing = true;
    return status_of(cudaEventRecord(timing->next, timing->device->stream));
  }
  if (timing->is_renewing)
    LAC_TRY(has_happened(timing->next, &happened));
  if (!happened)
    return LAC_STATUS_OK;
  LAC_TRY(status_of(cudaEventElapsedTime(&ms, timing->origin, timing->next)));
  timing->origin_ms += (double) ms;
  timing->origin = timing->next;
  timing->next = before;
  timing->is_renewing = false;
  return LAC_STATUS_OK;
}

static LacStatus
read_stamps(CudaTiming *timing)
{
  float ms = 0;

  LAC_TRY(status_of(cudaEventElapsedTime(&ms, timing->origin, timing->events[0])));
  timing->stamps[0].ms = timing->origin_ms + (double) ms;
  for (size_t i = 1; i < timing->n; i++) {
    LAC_TRY(status_of(cudaEventElapsedTime(&ms, timing->events[0], timing->events[i])));
    timing->stamps[i].ms = timing->stamps[0].ms + (double) ms;
  }
  return renew_origin(timing, timing->stamps[0].ms);
}

LacStatus
timing_read_cuda(void *self, void *read, const LacStamp **stamps, size_t *n)
{
  CudaTiming *timing = timing_of(read);
  bool        happened = false;

  *stamps = NULL;
  *n = 0;
  LAC_TRY(not_recording(self));
  if (!timing->is_sent)
    return LAC_STATUS_OK;
  LAC_TRY(has_happened(timing->done, &happened));
  if (!happened)
    return LAC_STATUS_OK;
  if (!timing->is_read)
    LAC_TRY(read_stamps(timing));
  timing->is_read = true;
  *stamps = timing->stamps;
  *n = timing->n;
  return LAC_STATUS_OK;
}
