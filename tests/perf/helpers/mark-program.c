/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small recorder under an external profiler: ten steps with a phase in each, an operation, a mark. */
#include "base/clock.h"
#include "perf/recorder/perf.h"

enum { STEPS = 10 };

int
main(void)
{
  g_autoptr(LacPerf) perf = lac_perf_new(LAC_PERF_COARSE);
  LacLane           *lane = lac_perf_lane(perf, "compute");
  const guint32      step = lac_perf_name(perf, "step"), phase = lac_perf_name(perf, "forward");
  const guint32 operation = lac_perf_name(perf, "µ-kernel"), pause = lac_perf_name(perf, "pause");
  for (gint64 s = 0; s < STEPS; s++) {
    LacSpan outer = lac_span_begin(lane, step), inner = lac_span_begin(lane, phase);
    g_usleep(1000);
    lac_lane_push(lane, (LacRecord){.kind = LAC_RECORD_AGGREGATE,
                                    .name = operation,
                                    .start_ns = inner.start_ns,
                                    .duration_ns = 1000,
                                    .step = s,
                                    .count = 3,
                                    .memory = -1});
    lac_span_end(lane, inner, s);
    lac_span_end(lane, outer, s);
  }
  lac_lane_push(
    lane,
    (LacRecord){.kind = LAC_RECORD_MARK, .name = pause, .start_ns = lac_clock_ns(), .step = 9});
  return 0;
}
