/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measuring in a process of its own: for its peak of memory, and because what chance gives a process (where its memory lies)
 * stays with it: only new processes show how much a measurement scatters. Source: Kalibera, Jones (2013),
 * doi:10.1145/2464157.2464160. */
#pragma once

#include "io/format/bench-file.h"

G_BEGIN_DECLS

/* Fills @rows; runs in the other process. */
typedef gboolean (*LacBenchWork)(gconstpointer task, LacBenchFile *rows, GError **error);

/* No other thread may run. @what: the work, for a sentence. The rows of the other process are added to @rows.
 * Returns: FALSE with the error of the work, or %LAC_ERROR_FAILED where its process did not end well. */
gboolean lac_bench_in_child(LacBenchWork  work,
                            gconstpointer task,
                            const char   *what,
                            LacBenchFile *rows,
                            GError      **error);

/* Memory of this process from here on. */
typedef struct {
  double begin_bytes;
} LacBenchMemory;

LacBenchMemory lac_bench_memory_begin(void);

/* Bytes resident at most since the beginning; @grown: (out): over those at the beginning. NaN where the system does not say. */
double lac_bench_memory_end(LacBenchMemory memory, double *grown);

G_END_DECLS
