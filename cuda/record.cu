/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps as CUDA graphs. */
#include "cuda/device.cuh"

#include <stdlib.h>

struct CudaRecording {
  cudaGraphExec_t exec;
  CudaTiming     *timing; /* takes stamps within; NULL: none */
};

static CudaRecording *
recording_of(void *recording)
{
  return static_cast<CudaRecording *>(recording);
}

static void
free_recording(CudaRecording *recording)
{
  if (recording->exec)
    cudaGraphExecDestroy(recording->exec);
  free(recording);
}

void
recording_takes_stamps(CudaRecording *recording, CudaTiming *timing)
{
  recording->timing = timing;
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
  const CudaRecording *recorded = recording_of(recording);

  LAC_TRY(not_recording(self));
  LAC_TRY(status_of(cudaGraphLaunch(recorded->exec, stream_of(self))));
  return recorded->timing ? timing_sent(device_of(self), recorded->timing) : LAC_STATUS_OK;
}

void
recording_free_cuda(void *self, void *recording)
{
  if (free_later(device_of(self), recording_free_cuda, recording))
    return;
  cudaStreamSynchronize(stream_of(self));
  free_recording(recording_of(recording));
}
