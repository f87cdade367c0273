/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The strict backend: the CPU's kernels behind pointers that host code cannot dereference. Without a GPU it detects
 * host pointers passed to the device, device pointers dereferenced on the host, accesses beyond an allocation or
 * after its release, reads of unwritten memory, overlapping operands, and kernels of two threads that work on the
 * same element (check.h). */
#pragma once

#include "backend/backend.h"

extern const LacBackend lac_backend_strict;

/**
 * lac_strict_open_over:
 * @device: (out): the strict backend, named "strict over NAME"
 * @below: (transfer full): an opened device with host-accessible memory, such as the tests' emulated one
 *
 * Opens a strict backend that checks the calls and runs them with the kernels of @below. Each call completes before it
 * returns. A call that only one thread may make at a time is refused while another thread is making one.
 */
void lac_strict_open_over(LacDevice *device, LacDevice below);
