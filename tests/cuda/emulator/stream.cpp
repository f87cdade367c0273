/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams, events and graphs: work is deferred until something waits for it, so that a missing wait reads stale
 * values; a graph runs its nodes in any order that its edges allow. */
#include "stream.h"

#include "limits.h"

#include <algorithm>
#include <ctime>
#include <deque>
#include <set>
#include <thread>

typedef std::function<void()> Work;

struct Item {
  Work                work;
  lac_emulator_event *wait; /* event to wait for, up to its generation, instead of work */
  uint64_t            generation;
};

struct lac_emulator_stream {
  std::deque<Item>      queue;
  lac_emulator_graph   *capture; /* null: none */
  std::vector<unsigned> tips;    /* predecessors of the next node */
  bool                  is_origin;
  cudaStreamCaptureMode mode;
  std::thread::id       thread; /* thread that began the capture */
  int                   device;
};

struct lac_emulator_event {
  uint64_t              asked, reached; /* generations */
  lac_emulator_stream  *stream;         /* stream of the last record */
  double                ms;
  lac_emulator_graph   *capture;
  std::vector<unsigned> tips;
};

struct Node {
  Work                  work;
  std::vector<unsigned> after;
};

struct lac_emulator_graph {
  std::vector<Node> nodes;
  bool              invalid;
};

struct lac_emulator_exec {
  std::vector<Node> nodes;
};

namespace lac_emulator {

static auto &streams = *new std::set<lac_emulator_stream *>;

EmulatedCounts &
counts()
{
  static EmulatedCounts all;

  return all;
}

static bool
is_idle()
{
  for (const lac_emulator_stream *stream : streams)
    if (!stream->queue.empty())
      return false;
  return true;
}

static lac_emulator_stream *
default_stream()
{
  static lac_emulator_stream stream = {};

  streams.insert(&stream);
  return &stream;
}

static lac_emulator_stream *
stream_behind(cudaStream_t stream)
{
  return stream == nullptr || stream == cudaStreamLegacy ? default_stream() : stream;
}

bool
is_capturing(cudaStream_t stream)
{
  Guard guard(lock());

  return stream_behind(stream)->capture != nullptr;
}

bool
is_of_current_device(cudaStream_t stream)
{
  Guard guard(lock());

  return stream == nullptr || stream == cudaStreamLegacy || stream->device == current_device();
}

bool
anything_captures()
{
  for (const lac_emulator_stream *stream : streams)
    if (stream->capture && stream->is_origin && stream->mode != cudaStreamCaptureModeRelaxed &&
        (stream->mode == cudaStreamCaptureModeGlobal ||
         stream->thread == std::this_thread::get_id()))
      return true;
  return false;
}

cudaError_t
invalidate_captures()
{
  for (lac_emulator_stream *stream : streams)
    if (stream->capture)
      stream->capture->invalid = true;
  return cudaErrorStreamCaptureUnsupported;
}

static void run_stream(lac_emulator_stream *stream);

static void
run_item(lac_emulator_stream *stream)
{
  Item item = std::move(stream->queue.front());

  stream->queue.pop_front();
  while (item.wait && item.wait->reached < item.generation && device_answer() == cudaSuccess) {
    lac_emulator_stream *other = item.wait->stream;

    if (other == stream || other->queue.empty())
      fail("a stream waits for an event that nothing reaches");
    run_item(other);
  }
  if (item.work)
    do_work(item.work);
}

static void
run_stream(lac_emulator_stream *stream)
{
  while (!stream->queue.empty())
    run_item(stream);
}

void
run_everything()
{
  for (lac_emulator_stream *stream : std::set<lac_emulator_stream *>(streams))
    run_stream(stream);
}

cudaError_t
enqueue(cudaStream_t asked, Work work)
{
  Guard                guard(lock());
  lac_emulator_stream *stream = stream_behind(asked);

  if (stream->capture && stream->capture->invalid)
    return cudaErrorStreamCaptureInvalidated;
  if (stream->capture && node_fails(stream->capture->nodes.size())) {
    stream->capture->invalid = true;
    return cudaErrorStreamCaptureUnsupported;
  }
  if (stream->capture) {
    stream->capture->nodes.push_back({std::move(work), stream->tips});
    stream->tips = {(unsigned) stream->capture->nodes.size() - 1};
    return cudaSuccess;
  }
  if (stream == default_stream() && anything_captures())
    return invalidate_captures();
  counts().submitted++;
  stream->queue.push_back({std::move(work), nullptr, 0});
  if (stream == default_stream() || choose(4) == 3)
    run_stream(stream);
  return device_answer();
}

static double
now_ms()
{
  timespec time;

  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double) time.tv_sec * 1e3 + (double) time.tv_nsec * 1e-6;
}

static Work
reach(cudaEvent_t event, uint64_t generation)
{
  return [=]() {
    event->reached = std::max(event->reached, generation);
    event->ms = now_ms();
  };
}

/* Runs the nodes in any order that respects their predecessors. */
static void
run_nodes(const std::vector<Node> &nodes)
{
  std::vector<unsigned> waits(nodes.size()), ready;

  for (size_t i = 0; i < nodes.size(); i++) {
    waits[i] = (unsigned) nodes[i].after.size();
    if (waits[i] == 0)
      ready.push_back((unsigned) i);
  }
  while (!ready.empty()) {
    const unsigned at = choose((unsigned) ready.size()), node = ready[at];

    ready.erase(ready.begin() + at);
    do_work(nodes[node].work);
    for (size_t i = node + 1; i < nodes.size(); i++) {
      const auto &after = nodes[i].after;

      waits[i] -= (unsigned) std::count(after.begin(), after.end(), node);
      if (waits[i] == 0 && std::count(after.begin(), after.end(), node))
        ready.push_back((unsigned) i);
    }
  }
}

/* Returns TRUE when all work of the joined streams precedes the origin's last node. */
static bool
is_joined(const lac_emulator_stream *origin)
{
  std::set<unsigned> before(origin->tips.begin(), origin->tips.end());

  for (unsigned i = (unsigned) origin->capture->nodes.size(); i-- > 0;)
    if (before.count(i))
      before.insert(origin->capture->nodes[i].after.begin(), origin->capture->nodes[i].after.end());
  for (const lac_emulator_stream *stream : streams)
    for (unsigned tip : stream->tips)
      if (stream->capture == origin->capture && !before.count(tip))
        return false;
  return true;
}

} // namespace lac_emulator

using namespace lac_emulator;

cudaError_t
cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned)
{
  Guard guard(lock());

  *stream = nullptr;
  if (is_refused())
    return keep(cudaErrorMemoryAllocation);
  *stream = new lac_emulator_stream{};
  (*stream)->device = current_device();
  counts().alive++;
  streams.insert(*stream);
  return cudaSuccess;
}

cudaError_t
cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int)
{
  return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t
cudaStreamDestroy(cudaStream_t stream)
{
  Guard guard(lock());

  if (!streams.count(stream))
    return keep(cudaErrorInvalidResourceHandle);
  run_stream(stream);
  streams.erase(stream);
  delete stream;
  counts().alive--;
  return cudaSuccess;
}

cudaError_t
cudaStreamSynchronize(cudaStream_t stream)
{
  Guard guard(lock());

  if (is_capturing(stream))
    return keep(invalidate_captures());
  counts().waits++;
  run_stream(stream_behind(stream));
  counts().drains += is_idle();
  return keep(device_answer());
}

cudaError_t
cudaStreamQuery(cudaStream_t stream)
{
  Guard guard(lock());

  if (is_capturing(stream))
    return keep(invalidate_captures());
  return stream_behind(stream)->queue.empty() ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t
cudaDeviceSynchronize(void)
{
  Guard guard(lock());

  if (anything_captures())
    return keep(invalidate_captures());
  counts().waits++;
  counts().drains++;
  run_everything();
  return keep(device_answer());
}

cudaError_t
cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *argument)
{
  return keep(enqueue(stream, [=]() { function(argument); }));
}

/* ---- events ---- */

cudaError_t
cudaEventCreateWithFlags(cudaEvent_t *event, unsigned)
{
  Guard guard(lock());

  *event = nullptr;
  if (is_refused())
    return keep(cudaErrorMemoryAllocation);
  *event = new lac_emulator_event{};
  counts().alive++;
  return cudaSuccess;
}

cudaError_t
cudaEventDestroy(cudaEvent_t event)
{
  Guard guard(lock());

  run_everything();
  delete event;
  counts().alive--;
  return cudaSuccess;
}

cudaError_t
cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t asked, unsigned flags)
{
  Guard                guard(lock());
  lac_emulator_stream *stream = stream_behind(asked);

  if (stream->capture && flags == 0) {
    event->capture = stream->capture;
    event->tips = stream->tips;
    return cudaSuccess;
  }
  event->capture = nullptr;
  event->stream = stream;
  return keep(enqueue(asked, reach(event, ++event->asked)));
}

cudaError_t
cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
  return cudaEventRecordWithFlags(event, stream, 0);
}

/* Polling takes time, in which the event's stream executes its next work. */
cudaError_t
cudaEventQuery(cudaEvent_t event)
{
  Guard guard(lock());

  if (event->capture)
    return keep(cudaErrorCapturedEvent);
  if (event->reached < event->asked && !event->stream->queue.empty()) {
    run_item(event->stream);
    return cudaErrorNotReady;
  }
  return event->reached >= event->asked ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t
cudaEventSynchronize(cudaEvent_t event)
{
  Guard guard(lock());

  if (event->capture)
    return keep(cudaErrorCapturedEvent);
  if (event->reached >= event->asked)
    return cudaSuccess;
  counts().waits++;
  while (event->reached < event->asked && !event->stream->queue.empty())
    run_item(event->stream);
  counts().drains += is_idle();
  return keep(device_answer());
}

cudaError_t
cudaEventElapsedTime(float *ms, cudaEvent_t begin, cudaEvent_t end)
{
  *ms = (float) (end->ms - begin->ms);
  return cudaEventQuery(begin) == cudaSuccess ? cudaEventQuery(end) : cudaErrorNotReady;
}

cudaError_t
cudaStreamWaitEvent(cudaStream_t asked, cudaEvent_t event, unsigned)
{
  Guard                guard(lock());
  lac_emulator_stream *stream = stream_behind(asked);

  if (event->capture) {
    if (stream->capture && stream->capture != event->capture)
      return keep(cudaErrorStreamCaptureIsolation);
    stream->capture = event->capture;
    for (unsigned tip : event->tips)
      if (!std::count(stream->tips.begin(), stream->tips.end(), tip))
        stream->tips.push_back(tip);
    return cudaSuccess;
  }
  if (stream->capture) {
    stream->capture->invalid = true;
    return keep(cudaErrorStreamCaptureIsolation);
  }
  if (event->asked)
    stream->queue.push_back({nullptr, event, event->asked});
  return cudaSuccess;
}

/* ---- graphs ---- */

cudaError_t
cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode)
{
  Guard guard(lock());

  if (stream_behind(stream) == default_stream() || stream->capture)
    return keep(cudaErrorStreamCaptureUnsupported);
  if (capture_fails(EMULATED_BEGIN_CAPTURE))
    return keep(cudaErrorNotSupported);
  counts().captures++;
  counts().alive++;
  stream->capture = new lac_emulator_graph{};
  stream->tips.clear();
  stream->is_origin = true;
  stream->mode = mode;
  stream->thread = std::this_thread::get_id();
  return cudaSuccess;
}

cudaError_t
cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
  Guard guard(lock());

  *graph = nullptr;
  if (!stream->capture || !stream->is_origin)
    return keep(cudaErrorStreamCaptureUnmatched);
  lac_emulator_graph *captured = stream->capture;
  const bool          joined = is_joined(stream);

  for (lac_emulator_stream *other : streams)
    if (other->capture == captured) {
      other->capture = nullptr;
      other->is_origin = false;
      other->tips.clear();
    }
  if (captured->invalid || !joined || capture_fails(EMULATED_END_CAPTURE)) {
    const cudaError_t error = captured->invalid ? cudaErrorStreamCaptureInvalidated
                              : !joined         ? cudaErrorStreamCaptureUnjoined
                                                : cudaErrorNotSupported;

    delete captured;
    counts().alive--;
    return keep(error);
  }
  *graph = captured;
  return cudaSuccess;
}

cudaError_t
cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status)
{
  Guard                      guard(lock());
  const lac_emulator_stream *behind = stream_behind(stream);

  *status = !behind->capture           ? cudaStreamCaptureStatusNone
            : behind->capture->invalid ? cudaStreamCaptureStatusInvalidated
                                       : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}

cudaError_t
cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *n_nodes)
{
  if (nodes)
    return keep(cudaErrorNotSupported);
  *n_nodes = graph->nodes.size();
  return cudaSuccess;
}

cudaError_t
cudaGraphDestroy(cudaGraph_t graph)
{
  Guard guard(lock());

  delete graph;
  counts().alive--;
  return cudaSuccess;
}

cudaError_t
cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long)
{
  Guard guard(lock());

  *exec = nullptr;
  if (capture_fails(EMULATED_INSTANTIATE))
    return keep(cudaErrorNotSupported);
  if (is_refused())
    return keep(cudaErrorMemoryAllocation);
  *exec = new lac_emulator_exec{graph->nodes};
  counts().alive++;
  return cudaSuccess;
}

cudaError_t
cudaGraphUpload(cudaGraphExec_t, cudaStream_t)
{
  return capture_fails(EMULATED_UPLOAD_GRAPH) ? keep(cudaErrorNotSupported) : cudaSuccess;
}

cudaError_t
cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
  if (is_capturing(stream))
    return keep(cudaErrorNotSupported);
  counts().graphs++;
  counts().nodes += exec->nodes.size();
  return keep(enqueue(stream, [=]() { run_nodes(exec->nodes); }));
}

cudaError_t
cudaGraphExecDestroy(cudaGraphExec_t exec)
{
  Guard guard(lock());

  run_everything();
  delete exec;
  counts().alive--;
  return cudaSuccess;
}
