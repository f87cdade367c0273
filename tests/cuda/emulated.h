/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CUDA backend on the processor: every kernel's own source under an emulator that runs its threads in a chosen order. */
#pragma once

#include "backend/registry.h"
#include "emulator/counts.h"
#include "emulator/faults.h"

#include <glib.h>

/* In which order threads and blocks run, and what of a graph or of several streams may go first. */
typedef enum { EMULATED_FORWARD, EMULATED_REVERSE, EMULATED_RANDOM } EmulatedOrder;

/* Returns: (nullable): the table of the emulated module, or %NULL where it was not built. */
const LacBackend *emulated_backend(void);

/* Returns: FALSE where the module was not built: the test is marked as skipped. LACUNA_TEST_DEVICE names another backend that is opened in
 * its place: so that the same tests run on a device that is there in earnest, under NVIDIA's checkers too. */
gboolean emulated_open(LacDevice *device);
/* For tests of what the emulator counts, which no other device does. */
gboolean emulated_open_counted(LacDevice *device);

void emulated_set_order(EmulatedOrder order, guint seed);

/* The same behind the strict backend's checks, for walkers, waves and planes too; a device in earnest, whose memory the processor cannot
 * read, without them. */
gboolean emulated_open_strict(LacDevice *device);

/* From now on. @faults: (nullable): nothing fails */
void emulated_set_faults(const EmulatedFaults *faults);

/* Since the module was opened. */
EmulatedCounts emulated_get_counts(void);
