/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured peaks of the processor for the roofline: multiply-adds in registers and memory bandwidth. */
#pragma once

#include "tensor/type.h"

#include <glib.h>

G_BEGIN_DECLS

/* Rates by two clocks. wall: the work of all threads divided by the wall time from the start of the first thread to
 * the end of the last. cpu: the sum, over the threads, of the work per second of each thread's own CPU time,
 * unaffected by other load. */
typedef struct {
  double wall, cpu;
} LacCpuRate;

/* Measures the FLOP per second of @n_threads at once, with the widest vectors available, independent of
 * LACUNA_CPU_LEVEL. Takes some 50 ms. */
LacCpuRate lac_cpu_peak_flops(LacType type, guint n_threads);

/* Measures the bytes per second of @n_threads at once, each in its own range of memory larger than any cache. Returns
 * the faster of reading and copying; a copy counts every byte read and every byte written. Takes some 200 ms and 128
 * MiB. */
LacCpuRate lac_cpu_peak_bytes(guint n_threads);

/* The same for @n_bytes of each thread's own, used again and again, so that they stay in a cache of that size. Takes
 * some 40 ms. */
LacCpuRate lac_cpu_peak_cache_bytes(guint n_threads, gsize n_bytes);

G_END_DECLS
