/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fixed workload: the same instructions on every processor, for baselines within a processor family. */
#include "bench/harness/probe.h"

#include <math.h>

enum {
  N_CHAINS = 24,               /* independent, to fill the pipelines */
  N_ROUNDS = 2400000,          /* about 5 ms */
  N_NUMBERS = 4 * 1024 * 1024, /* 32 MB: exceeds the second-level cache */
  N_PASSES = 2,
};

typedef struct {
  double   sum;
  unsigned pad[14]; /* one cache line per thread */
} Sum;

struct _LacBenchProbe {
  LacPool *pool;
  guint    n_threads;
  double  *numbers; /* [N_NUMBERS] */
  Sum     *sums;    /* [n_threads] */
};

LacBenchProbe *
lac_bench_probe_new(LacPool *pool)
{
  LacBenchProbe *probe = g_new0(LacBenchProbe, 1);

  probe->pool = pool;
  probe->n_threads = lac_pool_get_n_threads(pool);
  probe->numbers = g_new(double, N_NUMBERS);
  probe->sums = g_new0(Sum, probe->n_threads);
  for (gsize i = 0; i < N_NUMBERS; i++)
    probe->numbers[i] = (double) (i % 1024) / 1024;
  return probe;
}

void
lac_bench_probe_free(LacBenchProbe *probe)
{
  if (!probe)
    return;
  g_free(probe->numbers);
  g_free(probe->sums);
  g_free(probe);
}

gsize
lac_bench_probe_get_bytes(const LacBenchProbe *probe)
{
  return N_NUMBERS * sizeof *probe->numbers;
}

static void
multiply_and_add(gsize item, guint worker, gpointer user_data)
{
  LacBenchProbe *probe = user_data;
  double         chains[N_CHAINS], sum = 0;

  for (int i = 0; i < N_CHAINS; i++)
    chains[i] = probe->numbers[i];
  for (int round = 0; round < N_ROUNDS; round++) {
#pragma omp simd
    for (int i = 0; i < N_CHAINS; i++)
      chains[i] = chains[i] * 0.9999 + 1e-4;
  }
  for (int i = 0; i < N_CHAINS; i++)
    sum += chains[i];
  probe->sums[item].sum += sum;
}

/* Reads everything in every thread: this measures memory bandwidth rather than the division of work. */
static void
read_memory(gsize item, guint worker, gpointer user_data)
{
  LacBenchProbe *probe = user_data;
  const double  *numbers = probe->numbers;
  double         sum = 0;

  for (int pass = 0; pass < N_PASSES; pass++) {
#pragma omp simd reduction(+ : sum)
    for (gsize i = 0; i < N_NUMBERS; i++)
      sum += numbers[i];
  }
  probe->sums[item].sum += sum;
}

static double
time_of(LacBenchProbe *probe, LacPoolFunc work)
{
  const LacBenchClocks begin = lac_bench_clocks_now(probe->n_threads);

  lac_pool_run(probe->pool, probe->n_threads, work, probe);
  return lac_bench_clocks_scored(lac_bench_clocks_since(begin, probe->n_threads), probe->n_threads);
}

double
lac_bench_probe_run(LacBenchProbe *probe)
{
  return sqrt(time_of(probe, multiply_and_add) * time_of(probe, read_memory));
}

LacBenchBeside
lac_bench_beside_begin(LacBenchProbe *probe)
{
  LacBenchBeside beside = {.probe = probe, .before = lac_bench_probe_run(probe)};

  beside.begin = lac_bench_clocks_now(probe->n_threads);
  return beside;
}

LacBenchClocks
lac_bench_beside_end(const LacBenchBeside *beside, gboolean by_wall, double *relative)
{
  const guint          n_threads = beside->probe->n_threads;
  const LacBenchClocks spent = lac_bench_clocks_since(beside->begin, n_threads);
  const double         scored = by_wall ? spent.wall : lac_bench_clocks_scored(spent, n_threads);

  *relative = scored / ((beside->before + lac_bench_probe_run(beside->probe)) / 2);
  return spent;
}
