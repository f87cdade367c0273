/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timing spans of solver operations in the lane of the calling thread. */
#include "solver/span.h"

#include "base/clock.h"

LacSolverSpan
lac_solver_span(const LacSolverSettings *settings, const char *name)
{
  if (!settings->lane || !settings->perf || lac_perf_get_detail(settings->perf) == LAC_PERF_OFF ||
      settings->device.table->timing_new)
    return (LacSolverSpan){0};
  return (LacSolverSpan){settings->lane, lac_perf_name(settings->perf, name)};
}

void
lac_solver_span_push(const LacSolverSpan *span, gint64 start_ns, gsize n_steps, double flops)
{
  if (!span->lane)
    return;
  lac_lane_push(span->lane, (LacRecord){
                              .kind = LAC_RECORD_AGGREGATE,
                              .start_ns = start_ns,
                              .duration_ns = lac_clock_ns() - start_ns,
                              .step = -1,
                              .count = n_steps,
                              .flops = flops,
                              .memory = -1,
                              .name = span->name,
                            });
}
