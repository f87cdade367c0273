/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters of device requests, so that tests can check the cost of a step. Shared by the emulator and tests in C. */
#pragma once

#include <stdint.h>

typedef struct {
  uint64_t
    submitted; /* kernels, copies, graphs and event records, each counted singly, or a graph as one */
  uint64_t graphs;            /* graphs among these */
  uint64_t nodes;             /* total nodes of those graphs */
  uint64_t captures;          /* started */
  uint64_t allocations;       /* device or pinned memory */
  uint64_t waits;             /* host waits for unfinished work */
  uint64_t drains;            /* waits after which the device was idle */
  uint64_t asked_allocations; /* requests that can be refused (faults.h), granted or not */
  int64_t  alive;             /* live memory blocks, streams, events, graphs, handles and plans */
} EmulatedCounts;
