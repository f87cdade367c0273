/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fixed workload beside which a benchmark measures: multiply-adds within the registers and reading of memory. What the
 * machine does to a benchmark in the same moment it does to this, so that the ratio of both tells the program from the machine.
 * Its code and its amount of work belong to the file format: whoever changes them raises LAC_BENCH_VERSION. */
#pragma once

#include "base/pool.h"
#include "bench/harness/clocks.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacBenchProbe LacBenchProbe;

/* @pool: borrowed; every thread does the same amount of work */
LacBenchProbe *lac_bench_probe_new(LacPool *pool);
void           lac_bench_probe_free(LacBenchProbe *probe);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacBenchProbe, lac_bench_probe_free)

gsize lac_bench_probe_get_bytes(const LacBenchProbe *probe); /* that it holds */

/* Returns: seconds of the fixed work as judged: the geometric mean of both halves, which takes away most of what neighbours do to
 * training steps and to sensor selection. Takes some ten milliseconds. */
double lac_bench_probe_run(LacBenchProbe *probe);

/* Work between two runs of the probe. */
typedef struct {
  LacBenchProbe *probe; /* borrowed */
  double         before;
  LacBenchClocks begin;
} LacBenchBeside;

LacBenchBeside lac_bench_beside_begin(LacBenchProbe *probe);

/* To be called at the end of the work. Returns: the clocks that it took; @relative: (out): as a multiple of the probe's mean, by
 * what the probe's number of threads is judged by, or by the wall where @by_wall. */
LacBenchClocks
lac_bench_beside_end(const LacBenchBeside *beside, gboolean by_wall, double *relative);

G_END_DECLS
