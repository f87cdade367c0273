/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CUDA backend on the CPU: every kernel's own source under an emulator that runs its threads in a chosen order. */
#pragma once

#include "backend/registry.h"
#include "emulator/counts.h"
#include "emulator/faults.h"

#include <glib.h>

/* Execution order of threads and blocks, and of independent nodes of a graph or streams. */
typedef enum { EMULATED_FORWARD, EMULATED_REVERSE, EMULATED_RANDOM } EmulatedOrder;

/* Returns: (nullable): the table of the emulated module, or %NULL when it was not built. */
const LacBackend *emulated_backend(void);

/* Returns: FALSE when the module was not built: the test is marked as skipped. LACUNA_TEST_DEVICE names another
 * backend to open instead, so that the same tests run on a real device, also under NVIDIA's checkers. */
gboolean emulated_open(LacDevice *device);
/* For tests of the emulator's counters, which no other device has. */
gboolean emulated_open_counted(LacDevice *device);

void emulated_set_order(EmulatedOrder order, guint seed);

/* The same behind the strict backend's checks, also for walkers, waves and planes; a real device, whose memory the
 * CPU cannot read, is opened without them. */
gboolean emulated_open_strict(LacDevice *device);

/* Sets the faults from now on. @faults: (nullable): none */
void emulated_set_faults(const EmulatedFaults *faults);

/* Counts since the module was opened. */
EmulatedCounts emulated_get_counts(void);
