/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The strict backend: the cpu's numbers behind pointers that no host code can follow. On a machine without a GPU it
 * finds host pointers given to the device, device pointers followed on the host, reads and writes beyond an
 * allocation or after its release, memory that nothing has written, operands that lie on one another, and kernels of two threads
 * on one number (check.h). */
#pragma once

#include "backend/backend.h"

extern const LacBackend lac_backend_strict;

/**
 * lac_strict_open_over:
 * @device: (out): the strict backend, by the name "strict over NAME"
 * @below: an opened device whose memory the processor can read, such as the emulated one of the tests; taken over
 *
 * The same checks over another device's kernels, waves and walkers of electrons among them, which the processor has in no table: each
 * call has run to its end before it returns. What one thread may ask at a time is refused to a second one.
 */
void lac_strict_open_over(LacDevice *device, LacDevice below);
