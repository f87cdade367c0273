/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Idle fraction of the device during a replayed step. */
#pragma once

#include "pinn.h"

/* Prints a row in per cent: 1 - (operation time by profiler marks, less the cost of the marks) / (time of a replay
 * without marks). The cost of a mark is the time between two marks around a kernel that writes one value, so that an
 * operation shorter than such a kernel counts as idle; the gaps between kernels of one operation count as work.
 * Prints nothing where the device has no such clock. */
void bench_device_gaps(LacDevice device, const BenchPinnShape *shape, gsize n_steps);
