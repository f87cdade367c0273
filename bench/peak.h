/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the processor can do at most: fused multiply-adds in registers, and clocks to relate them to. */
#pragma once

#include "tensor/type.h"

#include <glib.h>

/* By the clock on the wall, and by the CPU time of the threads, which a busy machine does not falsify. */
typedef struct {
  double wall, cpu;
} BenchClocks;

/* FLOP a second of n_threads at once, each probing for about 50 ms with the widest vectors there are. By the wall: from the
 * first to begin to the last to end; by CPU time: the sum of what each does in a second of its own. */
BenchClocks bench_peak(LacType type, guint n_threads);

double bench_wall_seconds(void);
double bench_process_seconds(void); /* CPU time of all threads together */

/* Sorts the numbers. */
double bench_median(double *numbers, gsize n);
