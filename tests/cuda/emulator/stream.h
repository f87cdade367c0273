/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internals shared by the emulator's parts: the lock, queued work and captures. */
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

/* Returns TRUE while any stream captures: waiting and allocating are then refused ... */
bool anything_captures();
/* ... and invalidate the capture. Returns: cudaErrorStreamCaptureUnsupported */
cudaError_t invalidate_captures();
void        run_everything();

EmulatedCounts &counts();

/* faults.cpp. With LACUNA_EMULATED_LOST_AFTER=200 the device is lost after 200 kernels, copies or event records:
 * later work is not done, and every call returns cudaErrorLaunchFailure. LACUNA_EMULATED_MEMORY: memory of the device
 * in bytes. LACUNA_EMULATED_DELAY: microseconds that each kernel, copy or event record takes longer. */
void        set_faults(const EmulatedFaults &faults);
bool        is_refused(); /* called once for each allocation; TRUE: it fails */
bool        capture_fails(EmulatedCaptureCall call);
bool        node_fails(size_t n_nodes); /* after so many nodes in its capture */
void        do_work(const std::function<void()> &work);
cudaError_t device_answer();
size_t      device_bytes();
int         current_device(); /* of the calling thread */

} // namespace lac_emulator
