/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Manually switched stacks, registered with the address sanitizer. Used by one host thread at a time. */
#pragma once

#include <cstddef>

namespace lac_emulator {

struct Fiber {
  void  *stack_pointer; /* of a suspended fiber */
  void  *stack;
  size_t n_bytes;
  void  *sanitizer; /* address sanitizer's own stack of a suspended fiber */
  void (*body)(void *);
  void *argument;
};

/* Returns the host's own stack as a fiber. */
Fiber *host_fiber();
/* body must never return. */
Fiber *new_fiber(void (*body)(void *), void *argument);
void   switch_fiber(Fiber *from, Fiber *to);

} // namespace lac_emulator
