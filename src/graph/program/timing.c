/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time per operation of a replay: ticks per operation and worker, passed to the recorder once per replay. Reading the
 * ticks costs about 10 ns, half a per cent of a small network's step: so coarse detail reads them on a sample of each
 * region's tiles, whose proportions divide the exactly known time of the chunks. */
#include "base/clock.h"
#include "graph/program/program-private.h"

#include <string.h>

#define CACHE_LINE 64

/* One tile in this many; a prime, so that the first tiles of a chunk, with cold caches, are sampled as often as
 * others. */
#define TIMED_EVERY 31

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
    worker->tile_ticks = g_new0(double, timers->len + CACHE_LINE / sizeof(double));
    worker->weight_ticks = g_new0(guint64, timers->len + CACHE_LINE / sizeof(guint64));
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
  program->span_small = lac_perf_name(perf, "small operations, merged");
  program->span_follow = lac_perf_name(perf, "optimise");
  for (guint i = 0; i < program->n_workers && program->tile_spans; i++) {
    g_autofree char *name = g_strdup_printf("pool %u", i);

    program->workers[i].lane = i ? lac_perf_lane(perf, name) : program->options.lane;
  }
}

double
lac_program_tiles_timed(const LacProgram *program, const LacRegion *region, gsize tile)
{
  const gsize every = program->tile_spans ? 1 : TIMED_EVERY;
  const gsize at = (MIN(region->n_tiles, every) - 1) / 2;

  if (!program->timed || tile % every != at)
    return 0;
  return (double) region->n_tiles / (double) ((region->n_tiles - 1 - at) / every + 1);
}

/* Factor of the sampled tile times that makes their total equal to the time of the chunks. */
static double
tile_scale(LacProgram *program)
{
  double timed = 0, taken = 0;

  for (guint w = 0; w < program->n_workers; w++) {
    for (guint i = 0; i < program->plan->timers->len; i++)
      timed += program->workers[w].tile_ticks[i];
    taken += (double) program->workers[w].chunk_ticks;
    program->workers[w].chunk_ticks = 0;
  }
  return program->tile_spans || timed <= 0 ? 1 : taken / timed;
}

void
lac_program_emit_timing(LacProgram *program, gint64 start_ns)
{
  GArray      *timers = program->plan->timers;
  const double scale = tile_scale(program), tick_ns = lac_clock_tick_ns();

  if (program->recorded.wanted) /* these ticks measure the enqueueing, not the work */
    return;
  for (guint i = 0; i < timers->len; i++) {
    const LacTimer *timer = &g_array_index(timers, LacTimer, i);
    double          ticks = 0;

    for (guint w = 0; w < program->n_workers; w++) {
      LacWorker *worker = &program->workers[w];

      ticks += scale * worker->tile_ticks[i] + (double) worker->weight_ticks[i];
      worker->tile_ticks[i] = 0;
      worker->weight_ticks[i] = 0;
    }
    lac_lane_push(program->options.lane, (LacRecord){
                                           .kind = LAC_RECORD_AGGREGATE,
                                           .start_ns = start_ns,
                                           .duration_ns = (gint64) (ticks * tick_ns),
                                           .step = program->step,
                                           .count = timer->calls,
                                           .flops = timer->flops,
                                           .bytes = timer->bytes,
                                           .memory = (gint64) timer->live_bytes,
                                           .name = program->timer_names[i],
                                         });
  }
}
