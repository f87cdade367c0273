/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Faults on demand: a device lost in the middle of its work, or with little memory. */
#include "stream.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <unistd.h>

namespace lac_emulator {

static uint64_t
read_number(const char *name, uint64_t fallback)
{
  const char *text = getenv(name);

  return text ? strtoull(text, nullptr, 10) : fallback;
}

static bool lost;

static EmulatedFaults faults;
static uint64_t       n_asked; /* allocations since the faults were set */

void
set_faults(const EmulatedFaults &wanted)
{
  Guard guard(lock());

  faults = wanted;
  n_asked = 0;
}

bool
is_refused()
{
  Guard guard(lock());

  counts().asked_allocations++;
  n_asked++;
  return faults.allocation && n_asked >= faults.allocation &&
         n_asked - faults.allocation < faults.n_allocations;
}

bool
memory_refused()
{
  return is_refused();
}

bool
capture_fails(EmulatedCaptureCall call)
{
  return faults.call == call;
}

bool
node_fails(size_t n_nodes)
{
  return faults.node && n_nodes + 1 == faults.node;
}

static bool
is_pulled_out()
{
  static const char *const path = getenv("LACUNA_EMULATED_LOST_WITH");

  return path && access(path, F_OK) == 0;
}

/* Returns TRUE in the first of several processes: the one that finds the file and deletes it. */
static bool
is_first()
{
  static const char *const path = getenv("LACUNA_EMULATED_LOST_ONCE");

  return !path || unlink(path) == 0;
}

void
do_work(const std::function<void()> &work)
{
  static const uint64_t last = read_number("LACUNA_EMULATED_LOST_AFTER", UINT64_MAX);
  static const uint64_t delay_us = read_number("LACUNA_EMULATED_DELAY", 0);
  static uint64_t       n_done;

  lost = lost || is_pulled_out() || (n_done >= last && is_first());
  n_done++;
  if (lost)
    return;
  if (delay_us > 0)
    std::this_thread::sleep_for(std::chrono::microseconds(delay_us));
  work();
}

cudaError_t
device_answer()
{
  return lost ? cudaErrorLaunchFailure : cudaSuccess;
}

/* LACUNA_EMULATED_LEFT_OUT=LacAdam: kernels with such an argument do nothing, to emulate a wrong kernel. */
bool
is_left_out(const char *types)
{
  static const char *const text = getenv("LACUNA_EMULATED_LEFT_OUT");

  return text && strstr(types, text);
}

size_t
device_bytes()
{
  static const size_t bytes = read_number("LACUNA_EMULATED_MEMORY", (uint64_t) 8 << 30);

  return bytes;
}

} // namespace lac_emulator
