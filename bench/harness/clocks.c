/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clocks of the process, and medians over repetitions. */
#include "bench/harness/clocks.h"

#include "base/clock.h"
#include "perf/analysis/ratio.h"

#define MOST_TIMES 512

double
lac_bench_wall_seconds(void)
{
  return 1e-9 * (double) lac_clock_ns();
}

double
lac_bench_cpu_seconds(void)
{
  return 1e-9 * (double) lac_clock_cpu_ns();
}

LacBenchClocks
lac_bench_clocks_now(guint n_threads)
{
  return (LacBenchClocks){lac_bench_wall_seconds(), lac_bench_cpu_seconds() / n_threads};
}

LacBenchClocks
lac_bench_clocks_since(LacBenchClocks begin, guint n_threads)
{
  const LacBenchClocks now = lac_bench_clocks_now(n_threads);

  return (LacBenchClocks){now.wall - begin.wall, now.cpu - begin.cpu};
}

double
lac_bench_clocks_scored(LacBenchClocks clocks, guint n_threads)
{
  return n_threads == 1 ? clocks.cpu : clocks.wall;
}

LacBenchClocks
lac_bench_time(LacBenchAct act, gpointer data)
{
  const LacBenchClocks begin = lac_bench_clocks_now(1);

  act(data);
  return lac_bench_clocks_since(begin, 1);
}

LacBenchClocks
lac_bench_time_many(LacBenchAct act, gpointer data, gsize least, double seconds)
{
  const double end = lac_bench_wall_seconds() + seconds;
  double       wall[MOST_TIMES], cpu[MOST_TIMES];
  gsize        n = 0;

  for (; n < MOST_TIMES && (n < least || lac_bench_wall_seconds() < end); n++) {
    const LacBenchClocks one = lac_bench_time(act, data);

    wall[n] = one.wall;
    cpu[n] = one.cpu;
  }
  return (LacBenchClocks){lac_median(wall, n), lac_median(cpu, n)};
}
