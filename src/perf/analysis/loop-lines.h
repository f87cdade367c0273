/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Log lines of loops of epochs and batches, for the library lacuna-perf and for lacuna run --monitor-batches. Memory in
 * bytes, shown in MB of 10^6; LAC_RECORD_UNKNOWN and NAN are left out. */
#pragma once

#include "perf/recorder/memory-scope.h"

G_BEGIN_DECLS

typedef struct {
  guint       batch; /* from 0 */
  double      seconds;
  gint64      gpu, cpu; /* at the end */
  const char *what;     /* "loss" */
  double      loss;
} LacBatchLine;

typedef struct {
  double          seconds;
  gint64          cpu, cpu_peak;
  LacDeviceMemory device; /* used LAC_RECORD_UNKNOWN: none */
  guint64         n_batches;
  double          mean, least, most; /* seconds of a batch */
} LacEpochLines;

/* Returns: (transfer full): "  Batch 0: 0.538s, GPU 23.1MB, CPU 1648.9MB, loss=0.009458\n" */
char *lac_batch_line_dup(const LacBatchLine *line);
/* Returns: (transfer full): "  Epoch end: 4.774s total, GPU 14.4MB, 3236MB reserved, peak 2880MB\n", or without a device
 * "CPU 1648.9MB, peak 1720MB"; then, if there were batches, "  Batch timing: avg=0.201s, min=0.082s, max=0.538s\n" */
char *lac_epoch_lines_dup(const LacEpochLines *lines);

G_END_DECLS
