/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stacks to switch between by hand, known to the address sanitizer. One thread of the host uses them at a time. */
#pragma once

#include <cstddef>

namespace lac_emulator {

struct Fiber {
  void  *stack_pointer; /* of a fiber that waits */
  void  *stack;
  size_t n_bytes;
  void  *sanitizer; /* the address sanitizer's own stack of a fiber that waits */
  void (*body)(void *);
  void *argument;
};

/* The host's own stack as a fiber. */
Fiber *host_fiber();
/* body must never return. */
Fiber *new_fiber(void (*body)(void *), void *argument);
void   switch_fiber(Fiber *from, Fiber *to);

} // namespace lac_emulator
