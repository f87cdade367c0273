/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The emulator itself: guarantees of a device hold in any order of the threads, and missing synchronisation is
 * detected. */
#include "limits.h"

#include "cuda/launch.cuh"

#include <glib.h>

#include <set>
#include <vector>

using lac_emulator::Order;
using lac_emulator::ORDER_FORWARD;
using lac_emulator::ORDER_RANDOM;
using lac_emulator::ORDER_REVERSE;
using lac_emulator::set_order;

static const Order orders[] = {ORDER_FORWARD, ORDER_REVERSE, ORDER_RANDOM};

static cudaStream_t
open_stream()
{
  cudaStream_t stream;

  g_assert_cmpint(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), ==, cudaSuccess);
  return stream;
}

template <typename T>
static T *
on_device(size_t n)
{
  T *memory;

  g_assert_cmpint(cudaMalloc(&memory, n * sizeof(T)), ==, cudaSuccess);
  return memory;
}

template <typename T>
static std::vector<T>
fetch(const T *memory, size_t n, cudaStream_t stream)
{
  std::vector<T> host(n);

  g_assert_cmpint(
    cudaMemcpyAsync(host.data(), memory, n * sizeof(T), cudaMemcpyDeviceToHost, stream), ==,
    cudaSuccess);
  g_assert_cmpint(cudaStreamSynchronize(stream), ==, cudaSuccess);
  return host;
}

/* ---- blocks ---- */

__global__ static void
tree_sum(int *sums, bool with_barriers)
{
  LAC_SHARED(int, partial, 128);

  partial[threadIdx.x] = (int) (threadIdx.x + blockIdx.x);
  if (with_barriers)
    __syncthreads();
  for (unsigned reach = 64; reach > 0; reach /= 2) {
    if (threadIdx.x < reach)
      partial[threadIdx.x] += partial[threadIdx.x + reach];
    if (with_barriers)
      __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = partial[0];
}

static void
barriers_make_any_order_the_same()
{
  const cudaStream_t stream = open_stream();
  int               *sums = on_device<int>(5);
  std::set<int>      without;

  for (Order order : orders) {
    set_order(order, 7);
    g_assert_cmpint(launch(tree_sum, 5, 128, 0, stream, sums, true), ==, LAC_STATUS_OK);
    const auto with = fetch(sums, 5, stream);

    for (int i = 0; i < 5; i++)
      g_assert_cmpint(with[(size_t) i], ==, 127 * 64 + 128 * i);
    launch(tree_sum, 5, 128, 0, stream, sums, false);
    without.insert(fetch(sums, 5, stream)[0]);
  }
  g_assert_cmpuint(without.size(), >, 1);
  cudaFree(sums);
  cudaStreamDestroy(stream);
}

__global__ static void
warp_sums(double *sums, unsigned *votes, int n)
{
  const int i = (int) (blockIdx.x * blockDim.x + threadIdx.x);
  double    sum = i < n ? i : 0;

  for (int reach = 16; reach > 0; reach /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, (unsigned) reach);
  sum = __shfl_sync(0xffffffffu, sum, 0);
  const unsigned odd = __ballot_sync(0xffffffffu, i % 2);

  if (i < n) {
    sums[i] = sum;
    votes[i] = odd;
  }
}

static void
lanes_exchange()
{
  const cudaStream_t stream = open_stream();
  double            *sums = on_device<double>(150);
  unsigned          *votes = on_device<unsigned>(150);

  for (Order order : orders) {
    set_order(order, 3);
    g_assert_cmpint(launch(warp_sums, blocks_for(150, 96), 96, 0, stream, sums, votes, 150), ==,
                    LAC_STATUS_OK);
    const auto got = fetch(sums, 150, stream);
    const auto odd = fetch(votes, 150, stream);

    for (int i = 0; i < 150; i++) {
      const int first = i / 32 * 32, n = MIN(32, 150 - first);

      g_assert_cmpfloat(got[(size_t) i], ==, n * first + n * (n - 1) / 2);
      g_assert_cmpuint(odd[(size_t) i], ==, 0xaaaaaaaau);
    }
  }
  cudaFree(sums);
  cudaFree(votes);
  cudaStreamDestroy(stream);
}

__global__ static void
read_shared(float *out)
{
  LAC_SHARED(float, never_written, 4);
  LAC_DYNAMIC_SHARED(float, asked_for);

  out[0] = never_written[3];
  out[1] = asked_for[7];
}

/* Shared and device memory is NaN until it is written. */
static void
what_was_not_written_is_no_number()
{
  const cudaStream_t stream = open_stream();
  float             *out = on_device<float>(3);

  g_assert_cmpint(launch(read_shared, 1, 1, 8 * sizeof(float), stream, out), ==, LAC_STATUS_OK);
  for (float value : fetch(out, 3, stream))
    g_assert_true(std::isnan(value));
  cudaFree(out);
  cudaStreamDestroy(stream);
}

static void
limits_are_those_of_a_device()
{
  const cudaStream_t stream = open_stream();
  float             *out = on_device<float>(2);

  g_assert_cmpint(launch(read_shared, 1, 1025, 64, stream, out), !=, LAC_STATUS_OK);
  g_assert_cmpint(launch(read_shared, dim3(1, 65536), 1, 64, stream, out), !=, LAC_STATUS_OK);
  g_assert_cmpint(launch(read_shared, 1, 1, 228 << 10, stream, out), ==, LAC_STATUS_REFUSED);
  g_assert_cmpstr(failure_cuda(LAC_STATUS_REFUSED), ==,
                  "cudaErrorInvalidValue: invalid argument, in the launch of read_shared");
  g_assert_null(failure_cuda(LAC_STATUS_REFUSED));
  g_assert_cmpint(launch(read_shared, 1, 1, 200 << 10, stream, out), ==, LAC_STATUS_OK);
  g_assert_cmpint(launch(read_shared, 0, 1, 64, stream, out), ==, LAC_STATUS_OK);
  cudaStreamSynchronize(stream);
  cudaFree(out);
  cudaStreamDestroy(stream);
}

__global__ static void
some_wait(int n)
{
  if ((int) threadIdx.x < n)
    __syncthreads();
  else
    __syncwarp();
}

static void
barriers_that_some_miss_are_found()
{
  if (g_test_subprocess()) {
    const cudaStream_t stream = open_stream();

    launch(some_wait, 1, 64, 0, stream, 17);
    cudaStreamSynchronize(stream);
    return;
  }
  g_test_trap_subprocess(nullptr, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_failed();
  g_test_trap_assert_stderr("*barrier*");
}

/* ---- streams ---- */

__global__ static void
add_to(int *x, int value)
{
  *x += value;
}

__global__ static void
twice(int *x)
{
  *x *= 2;
}

/* Two streams without an event between them: some order gives the other result. */
static void
streams_wait_for_events_alone()
{
  const cudaStream_t a = open_stream(), b = open_stream();
  cudaEvent_t        event;
  int               *x = on_device<int>(1);

  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  for (int waits = 0; waits < 2; waits++) {
    std::set<int> seen;

    for (unsigned seed = 0; seed < 32; seed++) {
      set_order(ORDER_RANDOM, seed);
      cudaMemsetAsync(x, 0, sizeof *x, b);
      cudaStreamSynchronize(b);
      launch(add_to, 1, 1, 0, a, x, 5);
      cudaEventRecord(event, a);
      if (waits)
        cudaStreamWaitEvent(b, event);
      launch(twice, 1, 1, 0, b, x);
      cudaStreamSynchronize(b);
      cudaStreamSynchronize(a);
      seen.insert(fetch(x, 1, a)[0]);
    }
    g_assert_cmpuint(seen.size(), ==, waits ? 1 : 2);
    g_assert_true(seen.count(10));
  }
  cudaEventDestroy(event);
  cudaFree(x);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
}

static void
pinned_memory_is_read_when_its_turn_comes()
{
  const cudaStream_t stream = open_stream();
  int               *x = on_device<int>(1), *pinned, pageable = 1;

  set_order(ORDER_FORWARD, 0);
  g_assert_cmpint(cudaMallocHost(&pinned, sizeof *pinned), ==, cudaSuccess);
  *pinned = 1;
  cudaMemcpyAsync(x, &pageable, sizeof *x, cudaMemcpyHostToDevice, stream);
  pageable = 2;
  g_assert_cmpint(fetch(x, 1, stream)[0], ==, 1);
  cudaMemcpyAsync(x, pinned, sizeof *x, cudaMemcpyHostToDevice, stream);
  *pinned = 2;
  g_assert_cmpint(fetch(x, 1, stream)[0], ==, 2);
  g_assert_cmpint(cudaMemcpyAsync(&pageable, pinned, sizeof *x, cudaMemcpyHostToDevice, stream), !=,
                  cudaSuccess);
  cudaGetLastError();
  cudaFreeHost(pinned);
  cudaFree(x);
  cudaStreamDestroy(stream);
}

static void
a_graph_replays_what_was_recorded()
{
  const cudaStream_t stream = open_stream(), side = open_stream();
  cudaEvent_t        fork, join;
  cudaGraph_t        graph;
  cudaGraphExec_t    exec;
  int               *x = on_device<int>(2);

  cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
  cudaMemsetAsync(x, 0, 2 * sizeof *x, stream);
  g_assert_cmpint(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), ==, cudaSuccess);
  launch(add_to, 1, 1, 0, stream, x, 1);
  cudaEventRecord(fork, stream);
  cudaStreamWaitEvent(side, fork);
  launch(add_to, 1, 1, 0, side, x + 1, 3);
  launch(twice, 1, 1, 0, stream, x);
  cudaEventRecord(join, side);
  cudaStreamWaitEvent(stream, join);
  g_assert_cmpint(cudaStreamEndCapture(stream, &graph), ==, cudaSuccess);
  g_assert_cmpint(fetch(x, 1, stream)[0], ==, 0);
  g_assert_cmpint(cudaGraphInstantiateWithFlags(&exec, graph, 0), ==, cudaSuccess);
  for (unsigned seed = 0; seed < 3; seed++) {
    set_order(orders[seed], seed);
    g_assert_cmpint(cudaGraphLaunch(exec, stream), ==, cudaSuccess);
  }
  g_assert_cmpint(fetch(x, 2, stream)[0], ==, 14);
  g_assert_cmpint(fetch(x, 2, stream)[1], ==, 9);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaEventDestroy(fork);
  cudaEventDestroy(join);
  cudaFree(x);
  cudaStreamDestroy(side);
  cudaStreamDestroy(stream);
}

static void
a_capture_is_spoilt_by_what_waits_or_allocates()
{
  const cudaStream_t stream = open_stream();
  int               *x = on_device<int>(1), *y = nullptr, host = 0;

  for (int what = 0; what < 4; what++) {
    cudaGraph_t graph;

    g_assert_cmpint(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), ==, cudaSuccess);
    launch(add_to, 1, 1, 0, stream, x, 1);
    switch (what) {
    case 0: g_assert_cmpint(cudaStreamSynchronize(stream), !=, cudaSuccess); break;
    case 1: g_assert_cmpint(cudaMalloc(&y, 4), !=, cudaSuccess); break;
    case 2:
      g_assert_cmpint(cudaMemcpyAsync(&host, x, 4, cudaMemcpyDeviceToHost, stream), !=,
                      cudaSuccess);
      break;
    default: g_assert_cmpint(cudaFree(x), !=, cudaSuccess);
    }
    g_assert_cmpint(cudaStreamEndCapture(stream, &graph), ==, cudaErrorStreamCaptureInvalidated);
    cudaGetLastError();
  }
  cudaFree(x);
  cudaStreamDestroy(stream);
}

/* A card the module was not built for, or a driver that is too old, is not reported as a lost device. */
static void
a_card_that_was_not_built_for_has_a_name(void)
{
  g_assert_cmpint(status_of(cudaErrorNoKernelImageForDevice), ==, LAC_STATUS_NO_KERNEL);
  g_assert_cmpint(status_of(cudaErrorInvalidDeviceFunction), ==, LAC_STATUS_NO_KERNEL);
  g_assert_cmpint(status_of(cudaErrorUnsupportedPtxVersion), ==, LAC_STATUS_NEW_PTX);
  g_assert_cmpint(status_of(cudaErrorInsufficientDriver), ==, LAC_STATUS_OLD_DRIVER);
  g_assert_cmpint(status_of(cudaErrorLaunchFailure), ==, LAC_STATUS_DEVICE_LOST);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, nullptr);
  g_test_add_func("/emulator/barriers-make-any-order-the-same", barriers_make_any_order_the_same);
  g_test_add_func("/emulator/lanes-exchange", lanes_exchange);
  g_test_add_func("/emulator/what-was-not-written-is-no-number", what_was_not_written_is_no_number);
  g_test_add_func("/emulator/limits-are-those-of-a-device", limits_are_those_of_a_device);
  g_test_add_func("/emulator/barriers-that-some-miss-are-found", barriers_that_some_miss_are_found);
  g_test_add_func("/emulator/streams-wait-for-events-alone", streams_wait_for_events_alone);
  g_test_add_func("/emulator/pinned-memory-is-read-when-its-turn-comes",
                  pinned_memory_is_read_when_its_turn_comes);
  g_test_add_func("/emulator/a-graph-replays-what-was-recorded", a_graph_replays_what_was_recorded);
  g_test_add_func("/emulator/a-capture-is-spoilt-by-what-waits-or-allocates",
                  a_capture_is_spoilt_by_what_waits_or_allocates);
  g_test_add_func("/emulator/a-card-that-was-not-built-for-has-a-name",
                  a_card_that_was_not_built_for_has_a_name);
  return g_test_run();
}
