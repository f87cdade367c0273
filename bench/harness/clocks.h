/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clocks that everything here is measured by. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

double lac_bench_wall_seconds(void);
double lac_bench_cpu_seconds(void); /* CPU time of all threads of the process together */

typedef struct {
  double wall, cpu; /* seconds; of CPU time a thread's share */
} LacBenchClocks;

LacBenchClocks lac_bench_clocks_now(guint n_threads);
LacBenchClocks lac_bench_clocks_since(LacBenchClocks begin, guint n_threads);

/* One thread is judged by CPU time, which a busy machine hardly falsifies; several by the wall, for which waiting counts. */
double lac_bench_clocks_scored(LacBenchClocks clocks, guint n_threads);

typedef void (*LacBenchAct)(gpointer data);

/* Returns: the clocks of one act, CPU time of all threads together. */
LacBenchClocks lac_bench_time(LacBenchAct act, gpointer data);

/* Acts at least @least times, and on until @seconds are over. Returns: the medians of lac_bench_time(). */
LacBenchClocks lac_bench_time_many(LacBenchAct act, gpointer data, gsize least, double seconds);

G_END_DECLS
