/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clocks to measure with. */
#pragma once

#include <glib.h>

/* By the clock on the wall, and by the CPU time of the threads, which a busy machine does not falsify. */
typedef struct {
  double wall, cpu;
} BenchClocks;

double bench_wall_seconds(void);
double bench_process_seconds(void); /* CPU time of all threads together */

/* Sorts the numbers. */
double bench_median(double *numbers, gsize n);
