/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Injected faults, for tests that exercise every failure path. Shared by the emulator and tests in C. */
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
  /* Refused allocations: device memory (from the device or the arena), pinned memory, streams, events, graphs,
   * handles and library plans: the index of the first, counted from 1 from now on, and their number. */
  uint64_t allocation, n_allocations;
  uint64_t node; /* in each capture that gets so far, counted from 1: cannot be captured */
  EmulatedCaptureCall call; /* in each capture */
} EmulatedFaults;
