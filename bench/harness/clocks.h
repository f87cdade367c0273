/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clocks of all benchmarks. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

double lac_bench_wall_seconds(void);
double lac_bench_cpu_seconds(void); /* CPU time, summed over all threads of the process */

typedef struct {
  double wall, cpu; /* seconds; cpu: divided by the number of threads */
} LacBenchClocks;

LacBenchClocks lac_bench_clocks_now(guint n_threads);
LacBenchClocks lac_bench_clocks_since(LacBenchClocks begin, guint n_threads);

/* Returns CPU time for one thread, which other load hardly affects; wall time for several, which includes waiting. */
double lac_bench_clocks_scored(LacBenchClocks clocks, guint n_threads);

typedef void (*LacBenchAct)(gpointer data);

/* Returns: the clocks of one call, CPU time of all threads together. */
LacBenchClocks lac_bench_time(LacBenchAct act, gpointer data);

/* Repeats at least @least times and until @seconds have passed. Returns: the medians of lac_bench_time(). */
LacBenchClocks lac_bench_time_many(LacBenchAct act, gpointer data, gsize least, double seconds);

G_END_DECLS
