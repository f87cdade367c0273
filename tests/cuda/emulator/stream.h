/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the emulator's parts know of each other: the lock, queued work and captures. */
#pragma once

#include "counts.h"
#include "cuda_runtime.h"
#include "faults.h"

#include <functional>
#include <mutex>
#include <vector>

namespace lac_emulator {

typedef std::lock_guard<std::recursive_mutex> Guard;

std::recursive_mutex &lock();
bool                  is_pinned(const void *memory, size_t n_bytes);

/* Whether any stream captures, in which case what would wait or allocate is refused ... */
bool anything_captures();
/* ... and spoils the capture. Returns: cudaErrorStreamCaptureUnsupported */
cudaError_t invalidate_captures();
void        run_everything();

EmulatedCounts &counts();

/* faults.cpp. With LACUNA_EMULATED_LOST_AFTER=200 the device is lost when 200 kernels, copies or records of events have run: what
 * comes later is not done, and the answer to everything is cudaErrorLaunchFailure. LACUNA_EMULATED_MEMORY: its bytes. */
void        set_faults(const EmulatedFaults &faults);
bool        is_refused(); /* asked once for each allocation, which does not come about then */
bool        capture_fails(EmulatedCaptureCall call);
bool        node_fails(size_t n_nodes); /* behind so many in its capture */
void        do_work(const std::function<void()> &work);
cudaError_t device_answer();
size_t      device_bytes();
int         current_device(); /* of the calling thread */

} // namespace lac_emulator
