/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the emulator holds a kernel to, the order it runs things in, and how it says what went wrong. */
#pragma once

#include <cstddef>

namespace lac_emulator {

const int    POISON = 0xff; /* repeated, a NaN of either type */
const size_t MOST_THREADS = 1024, MOST_STATIC_SHARED = (size_t) 48 << 10;
const size_t MOST_SHARED = (size_t) 227 << 10; /* with opting in; that of compute capability 9.0 */

typedef enum { ORDER_FORWARD, ORDER_REVERSE, ORDER_RANDOM } Order;

/* Of threads, blocks, and whatever of a graph or of several streams may go first. */
void set_order(Order order, unsigned seed);
/* One of n by the order. */
unsigned choose(unsigned n);

/* A mistake that a device would not survive, or would not notice: said on stderr, then the process ends. */
[[noreturn]] void fail(const char *what);

} // namespace lac_emulator
