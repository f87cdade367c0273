/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device time per operation within a step: occasionally a step is replayed from a recording with an event between any
 * two operations, and the events are read with the step's sums, so that nothing waits for them. The events
 * lengthen such a step, by about a microsecond each on a device of 2024: at one step in TIMED_EVERY, 100 operations
 * and 0.25 ms per step, by 0.6 %. With full detail every possible step is timed. */
#include "base/clock.h"
#include "graph/program/program-private.h"
#include "perf/recorder/gauges.h"

#define TIMED_EVERY 64

void
lac_device_timing_open(LacProgram *program)
{
  LacDeviceTiming *timing = &program->device_timing;
  LacPerf         *perf = program->options.perf;

  if (!program->timed || !program->options.gradient || !program->recorded.wanted ||
      !program->options.device.table->mark)
    return;
  timing->nodes = g_array_new(FALSE, FALSE, sizeof(LacMarkedNode));
  timing->lane = lac_perf_lane(perf, LAC_LANE_DEVICE);
  timing->name_follow = lac_perf_name(perf, "optimise");
}

void
lac_device_timing_close(LacProgram *program)
{
  LacDeviceTiming *timing = &program->device_timing;
  const LacDevice  device = program->options.device;

  if (timing->recording)
    device.table->recording_free(device.self, timing->recording);
  if (timing->nodes)
    g_array_unref(timing->nodes);
  g_free(timing->ms);
}

LacStatus
lac_device_timing_mark(LacProgram *program, const LacTimer *timer, guint32 name)
{
  LacDeviceTiming    *timing = &program->device_timing;
  const LacDevice     device = program->options.device;
  const LacMarkedNode node = {name, timer};

  if (!timing->is_marking)
    return LAC_STATUS_OK;
  g_array_append_val(timing->nodes, node);
  return device.table->mark(device.self);
}

gboolean
lac_device_timing_is_due(const LacProgram *program)
{
  const LacDeviceTiming *timing = &program->device_timing;
  const guint64          every = program->tile_spans ? 1 : TIMED_EVERY;

  return timing->nodes && program->timed && !timing->run && program->options.gradient &&
         program->recorded.n_runs % every == every / 2;
}

void
lac_device_timing_requested(LacProgram *program)
{
  LacDeviceTiming *timing = &program->device_timing;

  timing->run = program->recorded.n_runs + 1;
  timing->asked_ns = lac_clock_ns();
  timing->step = program->step;
  if (!timing->ms)
    timing->ms = g_new0(float, timing->nodes->len);
}

void
lac_device_timing_give_up(LacProgram *program)
{
  g_clear_pointer(&program->device_timing.nodes, g_array_unref);
}

/* The device's absolute start time is unknown: spans are placed at the host's enqueue time, in order and with their
 * measured duration. */
void
lac_device_timing_read(LacProgram *program, guint64 run)
{
  LacDeviceTiming *timing = &program->device_timing;
  const LacDevice  device = program->options.device;
  const gsize      n = timing->nodes ? timing->nodes->len : 0;

  if (!timing->run || run < timing->run)
    return;
  timing->run = 0;
  if (device.table->read_marks(device.self, timing->recording, timing->ms, n) != LAC_STATUS_OK)
    return;
  for (gsize i = 0; i + 1 < n; i++) {
    const LacMarkedNode *node = &g_array_index(timing->nodes, LacMarkedNode, i);
    const double         calls = node->timer ? (double) MAX(node->timer->calls, 1) : 1;
    const gint64         begin = (gint64) ((double) timing->ms[i] * 1e6);
    const gint64         end = (gint64) ((double) timing->ms[i + 1] * 1e6);

    lac_lane_push(timing->lane, (LacRecord){
                                  .kind = LAC_RECORD_SPAN,
                                  .start_ns = timing->asked_ns + begin,
                                  .duration_ns = end - begin,
                                  .step = timing->step,
                                  .count = 1,
                                  .flops = node->timer ? node->timer->flops / calls : 0,
                                  .bytes = node->timer ? node->timer->bytes / calls : 0,
                                  .memory = node->timer ? (gint64) node->timer->live_bytes : -1,
                                  .name = node->name,
                                });
  }
}
