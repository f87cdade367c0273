/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fibers: saved registers on x86-64, ucontext elsewhere. */
#include "fiber.h"

#include <cstdlib>
#include <sys/mman.h>
#ifndef __x86_64__
#  include <ucontext.h>
#endif
#ifdef __SANITIZE_ADDRESS__
#  include <pthread.h>
#  include <sanitizer/common_interface_defs.h>
#endif

namespace lac_emulator {

static const size_t stack_bytes = (size_t) 256 << 10, guard_bytes = 4096;

static Fiber *started; /* previous fiber of one that runs for the first time */

static void
arrived(Fiber *self, Fiber *from)
{
#ifdef __SANITIZE_ADDRESS__
  const void *bottom;
  size_t      n_bytes;

  __sanitizer_finish_switch_fiber(self->sanitizer, &bottom, &n_bytes);
  if (from && !from->body) {
    from->stack = const_cast<void *>(bottom);
    from->n_bytes = n_bytes;
  }
#else
  (void) self;
  (void) from;
#endif
}

static Fiber *entered;

extern "C" __attribute__((used, noreturn)) void
lac_emulator_enter_fiber()
{
  Fiber *self = entered;

  self->sanitizer = nullptr;
  arrived(self, started);
  self->body(self->argument);
  abort();
}

#ifdef __x86_64__
/* Saves the callee-saved registers, switches stacks, and restores the other's. */
asm(R"(
.text
.type lac_emulator_switch, @function
lac_emulator_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size lac_emulator_switch, .-lac_emulator_switch
)");
extern "C" void lac_emulator_switch(void **save, void *load);

static void
prepare(Fiber *fiber)
{
  void **top = reinterpret_cast<void **>(static_cast<char *>(fiber->stack) + fiber->n_bytes);

  *--top = nullptr; /* the return address of a function that does not return, and its alignment */
  *--top = reinterpret_cast<void *>(lac_emulator_enter_fiber);
  for (int i = 0; i < 6; i++)
    *--top = nullptr;
  fiber->stack_pointer = top;
}

static void
change_stacks(Fiber *from, Fiber *to)
{
  lac_emulator_switch(&from->stack_pointer, to->stack_pointer);
}
#else
static void
prepare(Fiber *fiber)
{
  ucontext_t *context = new ucontext_t;

  getcontext(context);
  context->uc_stack.ss_sp = fiber->stack;
  context->uc_stack.ss_size = fiber->n_bytes;
  context->uc_link = nullptr;
  makecontext(context, lac_emulator_enter_fiber, 0);
  fiber->stack_pointer = context;
}

static void
change_stacks(Fiber *from, Fiber *to)
{
  if (!from->stack_pointer)
    from->stack_pointer = new ucontext_t;
  swapcontext(static_cast<ucontext_t *>(from->stack_pointer),
              static_cast<ucontext_t *>(to->stack_pointer));
}
#endif

Fiber *
host_fiber()
{
  static Fiber host = {};

  return &host;
}

Fiber *
new_fiber(void (*body)(void *), void *argument)
{
  Fiber *fiber = new Fiber{};
  void  *memory = mmap(nullptr, stack_bytes + guard_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  if (memory == MAP_FAILED)
    abort();
  mprotect(memory, guard_bytes, PROT_NONE);
  fiber->stack = static_cast<char *>(memory) + guard_bytes;
  fiber->n_bytes = stack_bytes;
  fiber->body = body;
  fiber->argument = argument;
  prepare(fiber);
  return fiber;
}

void
switch_fiber(Fiber *from, Fiber *to)
{
  started = from;
  entered = to;
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(&from->sanitizer, to->stack, to->n_bytes);
#endif
  change_stacks(from, to);
  arrived(from, started);
}

} // namespace lac_emulator
