/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of calls: each worker has a row of its own, on cache lines of its own. */
#include "perf/recorder/call-sums.h"

#include "base/clock.h"

#define LINE 64

typedef struct {
  guint64 ticks, count;
} Sum;

struct _LacCallSums {
  guint    n_operations, n_workers;
  gsize    stride; /* sums of a worker */
  Sum     *rows;   /* (nullable): [n_workers][stride]; NULL: nothing is measured */
  guint32 *names;
  double (*costs)[2]; /* [n_operations]: floating-point operations, bytes */
};

LacCallSums *
lac_call_sums_new(LacPerf *perf, const char *const *names, guint n_operations, guint n_workers)
{
  LacCallSums *self = g_new0(LacCallSums, 1);
  self->n_operations = n_operations;
  self->n_workers = n_workers;
  self->names = g_new0(guint32, n_operations);
  self->costs = g_malloc0_n(n_operations, sizeof *self->costs);
  if (perf == NULL || lac_perf_get_detail(perf) == LAC_PERF_OFF)
    return self;
  const gsize per_line = LINE / sizeof(Sum);
  self->stride = (n_operations + per_line - 1) / per_line * per_line;
  self->rows = g_aligned_alloc0(n_workers * self->stride, sizeof(Sum), LINE);
  for (guint i = 0; i < n_operations; i++)
    self->names[i] = lac_perf_name(perf, names[i]);
  return self;
}

void
lac_call_sums_free(LacCallSums *self)
{
  if (self == NULL)
    return;
  g_aligned_free(self->rows);
  g_free(self->names);
  g_free(self->costs);
  g_free(self);
}

void
lac_call_sums_set_cost(LacCallSums *self, guint operation, double flops, double bytes)
{
  g_return_if_fail(operation < self->n_operations);
  self->costs[operation][0] = flops;
  self->costs[operation][1] = bytes;
}

guint64
lac_call_sums_begin(const LacCallSums *self)
{
  return self->rows != NULL ? lac_clock_ticks() : 0;
}

guint64
lac_call_sums_lap(LacCallSums *self, guint worker, guint operation, guint64 from)
{
  if (self->rows == NULL)
    return 0;
  const guint64 now = lac_clock_ticks();
  Sum          *sum = &self->rows[worker * self->stride + operation];
  sum->ticks += now - from;
  sum->count++;
  return now;
}

void
lac_call_sums_emit(LacCallSums *self, LacLane *lane, gint64 start_ns, gint64 step)
{
  for (guint i = 0; i < self->n_operations && self->rows != NULL; i++) {
    Sum all = {0};
    for (guint w = 0; w < self->n_workers; w++) {
      Sum *sum = &self->rows[w * self->stride + i];
      all.ticks += sum->ticks;
      all.count += sum->count;
      *sum = (Sum){0};
    }
    if (all.count > 0)
      lac_lane_push(lane, (LacRecord){
                            .kind = LAC_RECORD_AGGREGATE,
                            .start_ns = start_ns,
                            .duration_ns = (gint64) ((double) all.ticks * lac_clock_tick_ns()),
                            .step = step,
                            .count = all.count,
                            .flops = self->costs[i][0] * (double) all.count,
                            .bytes = self->costs[i][1] * (double) all.count,
                            .memory = -1,
                            .name = self->names[i],
                          });
  }
}
