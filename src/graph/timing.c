/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the time of a replay went: ticks per operation and worker, handed to the recorder once a replay. Reading the ticks costs
 * about 10 ns, which is half a per cent of a small network's step: so the coarse detail reads them on some tiles of each chunk
 * and takes the others, which do the same work, for as long. */
#include "base/clock.h"
#include "graph/program-private.h"

#include <string.h>

#define CACHE_LINE 64

void
lac_program_init_timing(LacProgram *program)
{
  LacPerf      *perf = program->options.perf;
  LacPerfDetail detail = perf ? lac_perf_get_detail(perf) : LAC_PERF_OFF;
  GArray       *timers = program->plan->timers;

  program->timed = detail != LAC_PERF_OFF && program->options.lane;
  program->tile_spans = program->timed && detail == LAC_PERF_FULL;
  for (guint i = 0; i < program->n_workers; i++) {
    LacWorker *worker = &program->workers[i];

    /* a cache line between the counters of two workers */
    worker->ticks = g_new0(guint64, 3 * timers->len + CACHE_LINE / sizeof(guint64));
    worker->calls = worker->ticks + timers->len;
    worker->timed = worker->calls + timers->len;
  }
  if (!program->timed)
    return;
  program->timer_names = g_new(guint32, timers->len);
  for (guint i = 0; i < timers->len; i++)
    program->timer_names[i] = lac_perf_name(perf, g_array_index(timers, LacTimer, i).name);
  program->span_pack = lac_perf_name(perf, "pack");
  program->span_tiles = lac_perf_name(perf, "forward+reverse");
  program->span_reduce = lac_perf_name(perf, "reduce");
  program->span_tile = lac_perf_name(perf, "tile");
  for (guint i = 0; i < program->n_workers && program->tile_spans; i++) {
    g_autofree char *name = g_strdup_printf("pool %u", i);

    program->workers[i].lane = i ? lac_perf_lane(perf, name) : program->options.lane;
  }
}

void
lac_program_emit_timing(LacProgram *program, gint64 start_ns)
{
  GArray *timers = program->plan->timers;
  double  tick_ns = lac_clock_tick_ns();

  for (guint i = 0; i < timers->len; i++) {
    const LacTimer *timer = &g_array_index(timers, LacTimer, i);
    guint64         ticks = 0, calls = 0, timed = 0;

    for (guint w = 0; w < program->n_workers; w++) {
      ticks += program->workers[w].ticks[i];
      calls += program->workers[w].calls[i];
      timed += program->workers[w].timed[i];
      program->workers[w].ticks[i] = program->workers[w].calls[i] = program->workers[w].timed[i] =
        0;
    }
    const double ns = timed > 0 ? (double) ticks * tick_ns * (double) calls / (double) timed : 0;
    lac_lane_push(program->options.lane, (LacRecord){
                                           .kind = LAC_RECORD_AGGREGATE,
                                           .start_ns = start_ns,
                                           .duration_ns = (gint64) ns,
                                           .step = program->step,
                                           .count = calls,
                                           .flops = timer->flops,
                                           .bytes = timer->bytes,
                                           .memory = (gint64) timer->live_bytes,
                                           .name = program->timer_names[i],
                                         });
  }
}
