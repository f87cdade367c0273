/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of the kernels of a device, in the steps that were timed. */
#pragma once

#include "perf/recorder/capture.h"

G_BEGIN_DECLS

/* All calls of one kernel by one operation. */
typedef struct {
  guint32 kernel, operation;   /* names */
  guint64 count, n_operations; /* calls; timed runs of the operation */
  double  total_ns, max_ns;
  double  share;     /* of the time of all kernels, 0...1 */
  double  occupancy; /* mean over its time, 0...1; NaN: unknown, as of a library's kernels */
} LacKernelTime;

/* Reads all records once. @n_steps: (out): number of steps with kernels. Returns: (transfer full) (element-type
 * LacKernelTime): largest total first; empty without a device */
GArray *lac_kernel_times_of_capture(const LacCapture *capture, gsize *n_steps);

G_END_DECLS
