/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fixed workload beside which a benchmark measures: multiply-adds within the registers and reading of memory. What the
 * machine does to a benchmark in the same moment it does to this, so that the ratio of both tells the program from the machine.
 * Its code and its amount of work belong to the file format: whoever changes them raises LAC_BENCH_VERSION. */
#pragma once

#include "base/pool.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  double wall, cpu; /* seconds; of CPU time a thread's share */
} LacBenchClocks;

LacBenchClocks lac_bench_clocks_now(guint n_threads);
LacBenchClocks lac_bench_clocks_since(LacBenchClocks begin, guint n_threads);

/* One thread is judged by CPU time, which a busy machine hardly falsifies; several by the wall, for which waiting counts. */
double lac_bench_clocks_judged(LacBenchClocks clocks, guint n_threads);

typedef struct _LacBenchProbe LacBenchProbe;

/* @pool: borrowed; every thread does the same amount of work */
LacBenchProbe *lac_bench_probe_new(LacPool *pool);
void           lac_bench_probe_free(LacBenchProbe *probe);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacBenchProbe, lac_bench_probe_free)

gsize lac_bench_probe_get_bytes(const LacBenchProbe *probe); /* that it holds */

/* Returns: seconds of the fixed work as judged: the geometric mean of both halves, which takes away most of what neighbours do to
 * training steps and to sensor selection. Takes some ten milliseconds. */
double lac_bench_probe_run(LacBenchProbe *probe);

G_END_DECLS
