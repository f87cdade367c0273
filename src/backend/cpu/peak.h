/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured peaks of the processor for the roofline: multiply-adds in registers and memory bandwidth. */
#pragma once

#include "tensor/type.h"

#include <glib.h>

G_BEGIN_DECLS

/* Rates by wall time, from the first thread's start to the last one's end; and by CPU time, the sum of each thread's
 * rate per second of its own, unaffected by other load. */
typedef struct {
  double wall, cpu;
} LacCpuRate;

/* FLOP per second of @n_threads at once, with the widest vectors available, independent of LACUNA_CPU_LEVEL. Takes
 * some 50 ms. */
LacCpuRate lac_cpu_peak_flops(LacType type, guint n_threads);

/* Bytes per second of @n_threads at once, each in its own range of memory larger than any cache: the faster of
 * reading and copying, where every byte is read and written. Takes some 200 ms and 128 MiB. */
LacCpuRate lac_cpu_peak_bytes(guint n_threads);

G_END_DECLS
