/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The threads of a block as fibers: each runs until it waits; the execution order selects the next one. */
#include "block.h"

#include "fiber.h"
#include "limits.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <vector>

uint3 threadIdx, blockIdx;
dim3  blockDim, gridDim;

namespace lac_emulator {

enum State { NOT_STARTED, READY, RUNNING, WAITS_FOR_BLOCK, WAITS_FOR_WARP, RETURNED };

struct Thread {
  State    state;
  unsigned mask; /* lanes of the warp synchronisation it waits at */
  Fiber   *fiber;
  alignas(16) unsigned char slot[16];
};

/* Bit masks of its lanes. */
struct Warp {
  unsigned there, waiting, returned;
};

struct Machine {
  void (*body)(void *);
  void                 *argument;
  std::vector<Thread>   threads;
  std::vector<Warp>     warps;
  std::vector<unsigned> order; /* starting order */
  std::deque<unsigned>  ready;
  size_t                n_started, n_returned, n_at_barrier;
  unsigned              current;
  Fiber                *running; /* null: the host */
  std::vector<Fiber *>  idle;
  uint64_t              block; /* number of the block since the process began */
  size_t                static_bytes, dynamic_bytes;
  void                 *dynamic;
};

static Machine &machine = *new Machine{}; /* never destroyed: its fibers outlive their users */

/* ---- execution order ---- */

static Order    order = ORDER_FORWARD;
static uint64_t state = 1;

void
set_order(Order chosen, unsigned seed)
{
  order = chosen;
  state = seed * 2654435769u + 88172645463325252u;
}

unsigned
choose(unsigned n)
{
  if (order != ORDER_RANDOM || n < 2)
    return order == ORDER_REVERSE && n ? n - 1 : 0;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (unsigned) ((state >> 11) % n);
}

static void
arrange(std::vector<unsigned> &items)
{
  for (size_t i = 0; i < items.size(); i++)
    items[i] = (unsigned) i;
  if (order == ORDER_REVERSE)
    std::reverse(items.begin(), items.end());
  for (size_t i = items.size(); order == ORDER_RANDOM && i-- > 1;)
    std::swap(items[i], items[choose((unsigned) i + 1)]);
}

/* ---- fibers ---- */

static void
leave_to_host()
{
  Fiber *self = machine.running;

  machine.running = nullptr;
  switch_fiber(self, host_fiber());
}

static void
set_current(unsigned thread)
{
  machine.current = thread;
  threadIdx = {thread % blockDim.x, thread / blockDim.x % blockDim.y,
               thread / (blockDim.x * blockDim.y)};
}

static void came_back(unsigned thread);

/* A fiber runs one thread after another as long as none waits. */
static void
work(void *self)
{
  for (;;) {
    while (machine.n_started < machine.threads.size()) {
      const unsigned thread = machine.order[machine.n_started++];

      machine.threads[thread].state = RUNNING;
      machine.threads[thread].fiber = machine.running;
      set_current(thread);
      machine.body(machine.argument);
      came_back(thread);
    }
    machine.idle.push_back(machine.running);
    leave_to_host();
  }
}

static void
run_fiber(Fiber *fiber)
{
  machine.running = fiber;
  switch_fiber(host_fiber(), fiber);
}

static void
start_some()
{
  if (machine.idle.empty())
    machine.idle.push_back(new_fiber(work, nullptr));
  Fiber *fiber = machine.idle.back();

  machine.idle.pop_back();
  run_fiber(fiber);
}

static void
go_on()
{
  const unsigned thread = machine.ready.front();

  machine.ready.pop_front();
  machine.threads[thread].state = RUNNING;
  set_current(thread);
  run_fiber(machine.threads[thread].fiber);
}

static void
make_ready(unsigned thread)
{
  machine.threads[thread].state = READY;
  machine.ready.push_back(thread);
}

/* Wakes the block when all threads that have not returned wait. */
static void
wake_block()
{
  if (machine.n_at_barrier == 0 ||
      machine.n_at_barrier + machine.n_returned < machine.threads.size())
    return;
  machine.n_at_barrier = 0;
  for (unsigned thread : machine.order)
    if (machine.threads[thread].state == WAITS_FOR_BLOCK)
      make_ready(thread);
}

/* Returns TRUE when all lanes of the mask that have not returned wait. */
static bool
have_met(const Warp &warp, unsigned first, unsigned mask)
{
  if (mask & warp.there & ~(warp.waiting | warp.returned))
    return false;
  for (unsigned rest = mask & warp.waiting; rest; rest &= rest - 1)
    if (machine.threads[first + (unsigned) __builtin_ctz(rest)].mask != mask)
      return false;
  return true;
}

static void
wake_lanes(Warp &warp, unsigned first, unsigned mask)
{
  unsigned rest = mask & warp.waiting;

  if (!have_met(warp, first, mask))
    return;
  warp.waiting &= ~rest;
  for (; rest; rest &= order == ORDER_REVERSE ? ~(1u << (31 - __builtin_clz(rest))) : rest - 1)
    make_ready(
      first + (unsigned) (order == ORDER_REVERSE ? 31 - __builtin_clz(rest) : __builtin_ctz(rest)));
}

static void
came_back(unsigned thread)
{
  Warp          &warp = machine.warps[thread / 32];
  const unsigned first = thread / 32 * 32;

  machine.threads[thread].state = RETURNED;
  machine.n_returned++;
  warp.returned |= 1u << thread % 32;
  for (unsigned rest = warp.waiting; rest; rest &= rest - 1)
    wake_lanes(warp, first, machine.threads[first + (unsigned) __builtin_ctz(rest)].mask);
  wake_block();
}

/* ---- functions called by kernels ---- */

void
meet_block()
{
  machine.threads[machine.current].state = WAITS_FOR_BLOCK;
  machine.n_at_barrier++;
  wake_block();
  leave_to_host();
}

void
meet_warp(unsigned mask)
{
  if (!(mask >> lane() & 1))
    fail("a thread meets its warp under a mask without itself");
  const unsigned self = machine.current;
  Warp          &warp = machine.warps[self / 32];

  machine.threads[self].mask = mask;
  machine.threads[self].state = WAITS_FOR_WARP;
  warp.waiting |= 1u << self % 32;
  wake_lanes(warp, self / 32 * 32, mask);
  leave_to_host();
}

int
lane()
{
  return (int) (machine.current % 32);
}

bool
is_there(unsigned lane)
{
  const unsigned thread = machine.current / 32 * 32 + lane;

  return thread < machine.threads.size() && machine.threads[thread].state != RETURNED;
}

void *
slot(unsigned lane)
{
  return machine.threads[machine.current / 32 * 32 + lane].slot;
}

unsigned
ballot(unsigned mask, bool mine)
{
  const unsigned first = machine.current / 32 * 32;
  unsigned       votes = 0;

  machine.threads[machine.current].slot[0] = mine;
  meet_warp(mask);
  for (unsigned i = 0; i < 32 && first + i < machine.threads.size(); i++)
    if ((mask >> i & 1) && is_there(i) && machine.threads[first + i].slot[0])
      votes |= 1u << i;
  meet_warp(mask);
  return votes;
}

void *
Shared::of_this_block(size_t wanted)
{
  if (wanted > n_bytes) { /* exact size, so that the address sanitizer detects accesses beyond it */
    free(memory);
    memory = aligned_alloc(16, (wanted + 15) / 16 * 16);
    n_bytes = wanted;
  }
  if (block != machine.block) {
    block = machine.block;
    memset(memory, POISON, n_bytes);
    machine.static_bytes += n_bytes;
    if (machine.static_bytes > MOST_STATIC_SHARED)
      fail("the arrays that a block shares take more than 48 KB");
    if (machine.static_bytes + machine.dynamic_bytes > MOST_SHARED)
      fail("a block shares more than 227 KB");
  }
  return memory;
}

void *
dynamic_shared()
{
  return machine.dynamic;
}

/* ---- grids ---- */

static bool
run_block(const uint3 &index)
{
  blockIdx = index;
  machine.block++;
  machine.static_bytes = 0;
  machine.n_started = machine.n_returned = machine.n_at_barrier = 0;
  for (size_t i = 0; i < machine.warps.size(); i++) {
    const size_t n = machine.threads.size() - 32 * i;

    machine.warps[i] = {n < 32 ? (1u << n) - 1 : ~0u, 0, 0};
  }
  machine.ready.clear();
  for (Thread &thread : machine.threads)
    thread.state = NOT_STARTED;
  arrange(machine.order);
  if (machine.dynamic)
    memset(machine.dynamic, POISON, machine.dynamic_bytes);
  while (machine.n_returned < machine.threads.size()) {
    const bool fresh = machine.n_started < machine.threads.size();

    if (fresh && (machine.ready.empty() || choose(2) == 0))
      start_some();
    else if (!machine.ready.empty())
      go_on();
    else
      return false;
  }
  return true;
}

bool
run_grid(dim3 grid, dim3 block, size_t dynamic_bytes, void (*body)(void *), void *argument)
{
  std::vector<unsigned> blocks((size_t) grid.x * grid.y * grid.z);
  bool                  met = true;

  machine.body = body;
  machine.argument = argument;
  blockDim = block;
  gridDim = grid;
  machine.threads.resize((size_t) block.x * block.y * block.z);
  machine.order.resize(machine.threads.size());
  machine.warps.resize((machine.threads.size() + 31) / 32);
  machine.dynamic_bytes = dynamic_bytes;
  machine.dynamic = dynamic_bytes ? aligned_alloc(16, (dynamic_bytes + 15) / 16 * 16) : nullptr;
  arrange(blocks);
  for (size_t i = 0; i < blocks.size() && met; i++)
    met =
      run_block({blocks[i] % grid.x, blocks[i] / grid.x % grid.y, blocks[i] / (grid.x * grid.y)});
  free(machine.dynamic);
  return met;
}

} // namespace lac_emulator
