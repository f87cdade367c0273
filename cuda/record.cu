/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps as CUDA graphs. */
#include "cuda/device.cuh"

#include <stdlib.h>

/* A graph, and the events that it records between its nodes. */
struct CudaRecording {
  cudaGraphExec_t exec;
  cudaEvent_t    *marks;
  size_t          n_marks, room;
};

static CudaRecording *
recording_of(void *recording)
{
  return static_cast<CudaRecording *>(recording);
}

static void
free_recording(CudaRecording *recording)
{
  for (size_t i = 0; i < recording->n_marks; i++)
    cudaEventDestroy(recording->marks[i]);
  if (recording->exec)
    cudaGraphExecDestroy(recording->exec);
  free(recording->marks);
  free(recording);
}

/* ---- deferred freeing ---- */

struct CudaLeaving {
  CudaLeaving *next;
  void (*free_now)(void *self, void *what);
  void *what;
};

/* Waiting and freeing would invalidate the recording. Without memory for the list entry, it stays allocated until the
 * device is closed. */
bool
free_later(CudaDevice *device, void (*free_now)(void *self, void *what), void *what)
{
  CudaLeaving *leaving;

  if (!device->recording)
    return false;
  leaving = static_cast<CudaLeaving *>(calloc(1, sizeof *leaving));
  if (!leaving)
    return true;
  *leaving = {device->leaving, free_now, what};
  device->leaving = leaving;
  return true;
}

static void
free_leaving(CudaDevice *device)
{
  while (device->leaving) {
    CudaLeaving *leaving = device->leaving;

    device->leaving = leaving->next;
    leaving->free_now(device, leaving->what);
    free(leaving);
  }
}

/* ---- recording ---- */

/* Captures in thread-local mode: other threads' use of the device does not invalidate it. */
LacStatus
record_begin_cuda(void *self)
{
  CudaDevice    *device = device_of(self);
  CudaRecording *recording;
  LacStatus      status;

  LAC_TRY(not_recording(self));
  recording = static_cast<CudaRecording *>(calloc(1, sizeof *recording));
  if (!recording)
    return LAC_STATUS_OUT_OF_MEMORY;
  status = status_of(cudaStreamBeginCapture(device->stream, cudaStreamCaptureModeThreadLocal));
  if (status == LAC_STATUS_OK)
    device->recording = recording;
  else
    free_recording(recording);
  return status;
}

/* cudaGraphInstantiate takes five arguments before CUDA 12 and three from it on; the variant with flags is the same
 * in all. */
static LacStatus
end_recording(CudaDevice *device, CudaRecording *recording)
{
  cudaGraph_t graph = NULL;
  LacStatus   status;

  LAC_TRY(status_of(cudaStreamEndCapture(device->stream, &graph)));
  status = status_of(cudaGraphInstantiateWithFlags(&recording->exec, graph, 0));
  cudaGraphDestroy(graph);
  return status == LAC_STATUS_OK ? status_of(cudaGraphUpload(recording->exec, device->stream))
                                 : status;
}

LacStatus
record_end_cuda(void *self, void **ended)
{
  CudaDevice    *device = device_of(self);
  CudaRecording *recording = device->recording;
  LacStatus      status;

  *ended = NULL;
  if (!recording)
    return LAC_STATUS_UNSUPPORTED;
  device->recording = NULL;
  status = end_recording(device, recording);
  free_leaving(device);
  if (status == LAC_STATUS_OK)
    *ended = recording;
  else
    free_recording(recording);
  return status;
}

LacStatus
replay_cuda(void *self, void *recording)
{
  LAC_TRY(not_recording(self));
  return status_of(cudaGraphLaunch(recording_of(recording)->exec, stream_of(self)));
}

void
recording_free_cuda(void *self, void *recording)
{
  if (free_later(device_of(self), recording_free_cuda, recording))
    return;
  cudaStreamSynchronize(stream_of(self));
  free_recording(recording_of(recording));
}

static bool
make_room(CudaRecording *recording)
{
  const size_t room = recording->room ? 2 * recording->room : 64;
  cudaEvent_t *marks;

  if (recording->n_marks < recording->room)
    return true;
  marks = static_cast<cudaEvent_t *>(realloc(recording->marks, room * sizeof *marks));
  if (!marks)
    return false;
  recording->marks = marks;
  recording->room = room;
  return true;
}

/* External: a node that records the event in every replay, not an edge of the graph. */
LacStatus
mark_cuda(void *self)
{
  CudaDevice    *device = device_of(self);
  CudaRecording *recording = device->recording;
  cudaEvent_t    mark = NULL;

  if (!recording)
    return LAC_STATUS_UNSUPPORTED;
  if (!make_room(recording))
    return LAC_STATUS_OUT_OF_MEMORY;
  LAC_TRY(status_of(cudaEventCreateWithFlags(&mark, cudaEventDefault)));
  recording->marks[recording->n_marks++] = mark;
  return status_of(cudaEventRecordWithFlags(mark, device->stream, cudaEventRecordExternal));
}

LacStatus
read_marks_cuda(void *self, void *ended, float *ms, size_t n)
{
  const CudaRecording *recording = recording_of(ended);

  LAC_TRY(not_recording(self));
  if (n > recording->n_marks)
    return LAC_STATUS_BAD_POINTER;
  for (size_t i = 0; i < n; i++) {
    LAC_TRY(status_of(cudaEventSynchronize(recording->marks[i])));
    LAC_TRY(status_of(cudaEventElapsedTime(ms + i, recording->marks[0], recording->marks[i])));
  }
  return LAC_STATUS_OK;
}
