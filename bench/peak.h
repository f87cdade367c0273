/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the processor can do at most: fused multiply-adds in registers, and clocks to relate them to. */
#pragma once

#include "tensor/type.h"

#include <glib.h>

/* FLOP a second of n_threads at once, each probing for about 50 ms with the widest vectors there are.
 * One thread is timed by its own CPU time, which a busy machine does not falsify; several by the clock on the wall,
 * from the first to begin to the last to end. */
double bench_peak(LacType type, guint n_threads);

double bench_wall_seconds(void);
double bench_process_seconds(void); /* CPU time of all threads together */

/* Sorts the numbers. */
double bench_median(double *numbers, gsize n);
