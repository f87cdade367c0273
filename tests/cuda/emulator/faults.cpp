/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can go wrong with a device, on demand: it is lost in the middle of its work, or it is small. */
#include "stream.h"

#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace lac_emulator {

static uint64_t
read_number(const char *name, uint64_t fallback)
{
  const char *text = getenv(name);

  return text ? strtoull(text, nullptr, 10) : fallback;
}

static bool lost;

static bool
is_pulled_out()
{
  static const char *const path = getenv("LACUNA_EMULATED_LOST_WITH");

  return path && access(path, F_OK) == 0;
}

void
do_work(const std::function<void()> &work)
{
  static const uint64_t last = read_number("LACUNA_EMULATED_LOST_AFTER", UINT64_MAX);
  static uint64_t       n_done;

  lost = lost || n_done++ >= last || is_pulled_out();
  if (!lost)
    work();
}

cudaError_t
device_answer()
{
  return lost ? cudaErrorLaunchFailure : cudaSuccess;
}

/* LACUNA_EMULATED_LEFT_OUT=LacAdam: kernels that take such an argument do nothing, as if they were wrong. */
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
