/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurement in a separate process: for its memory peak, and because random properties of a process (memory layout)
 * are constant within it, so that only new processes show the variation. Source: Kalibera, Jones (2013),
 * doi:10.1145/2464157.2464160. */
#pragma once

#include "io/format/bench-file.h"

G_BEGIN_DECLS

/* Fills @rows; runs in the child process. */
typedef gboolean (*LacBenchWork)(gconstpointer task, LacBenchFile *rows, GError **error);

/* No other thread may run. @what: name of the work, for messages. The child's rows are added to @rows.
 * Returns: FALSE with the error of the work, or %LAC_ERROR_FAILED where the child ended abnormally. */
gboolean lac_bench_in_child(LacBenchWork  work,
                            gconstpointer task,
                            const char   *what,
                            LacBenchFile *rows,
                            GError      **error);

/* Memory of this process from now on. */
typedef struct {
  double begin_bytes;
} LacBenchMemory;

LacBenchMemory lac_bench_memory_begin(void);

/* Returns the peak of resident bytes since lac_bench_memory_begin(); @grown: (out): its increase. NaN where the
 * system does not report it. */
double lac_bench_memory_end(LacBenchMemory memory, double *grown);

G_END_DECLS
