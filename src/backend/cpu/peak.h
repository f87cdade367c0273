/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the processor can do at most: multiply-adds in registers, and the way to memory. The roofs that rates are held against. */
#pragma once

#include "tensor/type.h"

#include <glib.h>

G_BEGIN_DECLS

/* By the clock on the wall, from the first thread to begin to the last to end; and by the CPU time of the threads, the sum of
 * what each does in a second of its own, which a busy machine does not falsify. */
typedef struct {
  double wall, cpu;
} LacCpuRate;

/* FLOP a second of @n_threads at once, with the widest vectors there are, whatever LACUNA_CPU_LEVEL says. Takes some 50 ms. */
LacCpuRate lac_cpu_peak_flops(LacType type, guint n_threads);

/* Bytes a second to and from memory of @n_threads at once, each in its own part of what no cache holds: the faster of reading
 * and copying, of which every byte is read and written. Takes some 200 ms and 128 MiB. */
LacCpuRate lac_cpu_peak_bytes(guint n_threads);

G_END_DECLS
