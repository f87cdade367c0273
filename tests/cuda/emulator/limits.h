/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits the emulator enforces on kernels, its execution order, and its error reports. */
#pragma once

#include <cstddef>

namespace lac_emulator {

const int    POISON = 0xff; /* repeated, a NaN of either type */
const size_t MOST_THREADS = 1024, MOST_STATIC_SHARED = (size_t) 48 << 10;
const size_t MOST_SHARED = (size_t) 227 << 10; /* with opt-in; value of compute capability 9.0 */
const int    MULTIPROCESSOR_THREADS = 2048;

typedef enum { ORDER_FORWARD, ORDER_REVERSE, ORDER_RANDOM } Order;

/* Order of threads, blocks, and independent nodes of a graph or streams. */
void set_order(Order order, unsigned seed);
/* Returns one of n according to the order. */
unsigned choose(unsigned n);

/* Reports a mistake that would crash a device, or go unnoticed there, on stderr and ends the process. */
[[noreturn]] void fail(const char *what);

} // namespace lac_emulator
