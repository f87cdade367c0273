/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was asked of the device: so that a test can say what a step asks for. Read by the emulator and by tests in C. */
#pragma once

#include <stdint.h>

typedef struct {
  uint64_t
    submitted;     /* kernels, copies, graphs and records of events, each alone or a graph as one */
  uint64_t graphs; /* of these, graphs */
  uint64_t nodes;  /* of those graphs, all together */
  uint64_t captures;          /* begun */
  uint64_t allocations;       /* of the device or pinned */
  uint64_t waits;             /* of the host, for work that had not been done */
  uint64_t drains;            /* of these, waits after which the device had nothing left to do */
  uint64_t asked_allocations; /* of what can be refused (faults.h), whether it was or not */
  int64_t  alive; /* blocks of memory, streams, events, graphs, handles and plans that exist now */
} EmulatedCounts;
