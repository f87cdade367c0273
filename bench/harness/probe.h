/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fixed workload measured next to a benchmark: multiply-adds in registers, and memory reads. Machine load affects
 * both alike, so that their ratio isolates the program. Its code and amount of work are part of the file format: any
 * change requires a new LAC_BENCH_VERSION. */
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

gsize
lac_bench_probe_get_bytes(const LacBenchProbe *probe); /* bytes of memory in use by the probe */

/* Returns: scored seconds of the fixed work: the geometric mean of both halves, which cancels most of the effect of
 * other load on training steps and sensor selection. Takes some ten milliseconds. */
double lac_bench_probe_run(LacBenchProbe *probe);

/* Work between two runs of the probe. */
typedef struct {
  LacBenchProbe *probe; /* borrowed */
  double         before;
  LacBenchClocks begin;
} LacBenchBeside;

LacBenchBeside lac_bench_beside_begin(LacBenchProbe *probe);

/* Ends the work. Returns: its clocks; @relative: (out): as a multiple of the probe's mean, by the clock used for the
 * probe's number of threads, or by wall time with @by_wall. */
LacBenchClocks
lac_bench_beside_end(const LacBenchBeside *beside, gboolean by_wall, double *relative);

G_END_DECLS
