/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps with stamps, steps without, and a recording of stamps only. */
#include "device-gaps.h"

#include "bench/harness/program.h"
#include "perf/analysis/ratio.h"

#include <string.h>

enum { N_STAMPS = 64, N_ROUNDS = 7 };

static void
must(LacStatus status)
{
  if (status != LAC_STATUS_OK)
    g_error("stamps: %s", lac_status_text(status));
}

/* Returns: milliseconds between the stamps of two kernels that write one value each */
static double
find_stamp(LacDevice device)
{
  const LacBackend *table = device.table;
  const LacStamp   *stamps = NULL;
  size_t            n = 0;
  double            apart[N_STAMPS];
  void             *memory = NULL, *timing = NULL, *recording = NULL;

  must(table->alloc(device.self, sizeof(float), &memory));
  must(table->timing_new(device.self, &timing));
  must(table->record_begin(device.self));
  must(table->timing_begin(device.self, timing));
  for (guint i = 0; i < N_STAMPS; i++)
    must(table->fill(device.self, LAC_F32, memory, 0, 1));
  must(table->timing_end(device.self, &stamps, &n));
  must(table->record_end(device.self, &recording));
  for (guint round = 0; round < 3; round++)
    must(table->replay(device.self, recording));
  must(table->synchronise(device.self));
  must(table->timing_read(device.self, timing, &stamps, &n));
  for (guint i = 0; i + 1 < n && i < N_STAMPS; i++)
    apart[i] = stamps[i + 1].ms - stamps[i].ms;
  table->recording_free(device.self, recording);
  table->timing_free(device.self, timing);
  table->release(device.self, memory);
  return lac_median(apart, N_STAMPS);
}

static void
wait_for(const BenchPinn *pinn)
{
  must(pinn->device.table->synchronise(pinn->device.self));
}

/* Returns: milliseconds per step without intermediate waiting */
static double
find_wall(const BenchPinnShape *shape, gsize n_steps)
{
  BenchPinn pinn;
  double    ms[N_ROUNDS];

  bench_pinn_init(&pinn, shape);
  pinn.objective.later = lac_program_reads_back(pinn.program);
  for (guint warm = 0; warm < 3; warm++)
    bench_pinn_step(&pinn);
  for (guint i = 0; i < N_ROUNDS; i++) {
    wait_for(&pinn);
    const double begin = lac_bench_wall_seconds();
    for (gsize k = 0; k < n_steps; k++)
      bench_pinn_step(&pinn);
    wait_for(&pinn);
    ms[i] = 1e3 * (lac_bench_wall_seconds() - begin) / (double) n_steps;
  }
  bench_pinn_clear(&pinn);
  return lac_median(ms, N_ROUNDS);
}

typedef struct {
  LacPerf *perf;
  double   ms, n;
  gint64   last;
  gsize    n_steps;
} Sums;

static void
add_records(const LacRecord *records, gsize n, gpointer data)
{
  Sums *sums = data;

  for (gsize i = 0; i < n; i++)
    if (records[i].kind == LAC_RECORD_KERNEL) {
      sums->n_steps += sums->n_steps == 0 || records[i].step != sums->last;
      sums->last = records[i].step;
      sums->ms += 1e-6 * (double) records[i].duration_ns;
      sums->n += 1;
    }
}

void
bench_device_gaps(LacDevice device, const BenchPinnShape *shape, gsize n_steps)
{
  g_autoptr(LacPerf) perf = NULL;
  BenchPinnShape     timed = *shape;
  BenchPinn          pinn;
  Sums               sums = {0};
  double             wall, idle;

  if (!device.table->timing_new || !device.table->record_begin)
    return;
  wall = find_wall(shape, n_steps);
  perf = sums.perf = timed.perf = lac_perf_new(LAC_PERF_FULL);
  bench_pinn_init(&pinn, &timed);
  for (gsize k = 0; k < n_steps + 4; k++) {
    pinn.objective.step = k;
    bench_pinn_step(&pinn);
  }
  lac_perf_drain(perf, add_records, &sums);
  bench_pinn_clear(&pinn);
  if (sums.n_steps == 0)
    return;
  sums.ms -= sums.n * find_stamp(device);
  idle = 100 * (1 - sums.ms / (double) sums.n_steps / wall);
  bench_print_one(bench_row("flow/pinn-step-4x128-f32", "idle_share", "%", LAC_BENCH_QUALITY, 0),
                  idle);
}
