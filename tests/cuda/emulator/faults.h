/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What fails, for a test that goes through every place where something can. Read by the emulator and by tests in C. */
#pragma once

#include <stdint.h>

typedef enum {
  EMULATED_NO_CALL,
  EMULATED_BEGIN_CAPTURE,
  EMULATED_END_CAPTURE,
  EMULATED_INSTANTIATE,
  EMULATED_UPLOAD_GRAPH,
} EmulatedCaptureCall;

/* All zero: nothing fails. */
typedef struct {
  /* Memory of the device, taken from it or handed out of what was, pinned memory, streams, events, graphs, handles and plans of libraries: the first that is refused, counted from 1 from now
   * on, and how many are. */
  uint64_t allocation, n_allocations;
  uint64_t node; /* of each capture that gets so far, counted from 1: it cannot be taken down */
  EmulatedCaptureCall call; /* of each capture */
} EmulatedFaults;
