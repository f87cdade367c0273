/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much of a replayed step the device does nothing in. */
#pragma once

#include "pinn.h"

/* Prints a row, in per cent: 1 - (what the operations take by the profiler's own marks, less what a mark costs) / (what a replay without marks
 * takes). What a mark costs is the time between two of them around a kernel that writes one number, so that an operation shorter than such a
 * kernel counts as idle; the gaps between kernels of one operation count as work. Nothing where the device has no such clock. */
void bench_device_gaps(LacDevice device, const BenchPinnShape *shape, gsize n_steps);
