/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Executes one block of threads at a time: indices, barriers, shuffles and shared memory of the running kernel. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

struct uint3 {
  unsigned x, y, z;
};

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

extern uint3     threadIdx, blockIdx;
extern dim3      blockDim, gridDim;
static const int warpSize = 32;

namespace lac_emulator {

/* A shared array: valid for one block, poisoned anew for each. */
class Shared {
public:
  void *of_this_block(size_t n_bytes);

private:
  void    *memory = nullptr;
  size_t   n_bytes = 0;
  uint64_t block = 0; /* block it was last poisoned for */
};

void *dynamic_shared();

/* Runs body(argument) once for each thread of each block. Returns: TRUE when no barrier was left waiting. */
bool run_grid(dim3 grid, dim3 block, size_t dynamic_bytes, void (*body)(void *), void *argument);

void meet_block();
void meet_warp(unsigned mask);
int  lane();
bool is_there(unsigned lane); /* in this warp, and not returned */
/* Exchange slot of a lane within its warp. */
void *slot(unsigned lane);

template <typename T>
static inline T
exchange(unsigned mask, T value, unsigned from)
{
  T got;

  static_assert(sizeof value <= 16, "a shuffle moves 16 bytes at most");
  memcpy(slot((unsigned) lane()), &value, sizeof value);
  meet_warp(mask);
  if (from < 32 && (mask >> from & 1) && is_there(from))
    memcpy(&got, slot(from), sizeof got);
  else
    memset(static_cast<void *>(&got), 0xff, sizeof got); /* undefined on a device */
  meet_warp(mask);
  return got;
}

unsigned ballot(unsigned mask, bool mine);

} // namespace lac_emulator

static inline void
__syncthreads()
{
  lac_emulator::meet_block();
}

static inline void
__syncwarp(unsigned mask = 0xffffffffu)
{
  lac_emulator::meet_warp(mask);
}

static inline unsigned
__ballot_sync(unsigned mask, int predicate)
{
  return lac_emulator::ballot(mask, predicate != 0);
}

static inline int
__any_sync(unsigned mask, int predicate)
{
  return lac_emulator::ballot(mask, predicate != 0) != 0;
}

static inline int
__all_sync(unsigned mask, int predicate)
{
  return lac_emulator::ballot(mask, predicate == 0) == 0;
}

/* Segments of `width` lanes; a source outside the segment gives the lane's own value, as on a device. */
template <typename T>
static inline T
__shfl_sync(unsigned mask, T value, int from, int width = 32)
{
  const int self = lac_emulator::lane();

  return lac_emulator::exchange(mask, value,
                                (unsigned) ((self & ~(width - 1)) + (from & (width - 1))));
}

template <typename T>
static inline T
__shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
  const int self = lac_emulator::lane(), from = self + (int) delta;

  return lac_emulator::exchange(mask, value,
                                (unsigned) (from > (self | (width - 1)) ? self : from));
}

template <typename T>
static inline T
__shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
  const int self = lac_emulator::lane(), from = self - (int) delta;

  return lac_emulator::exchange(mask, value,
                                (unsigned) (from < (self & ~(width - 1)) ? self : from));
}

template <typename T>
static inline T
__shfl_xor_sync(unsigned mask, T value, int with, int width = 32)
{
  const int self = lac_emulator::lane(), from = self ^ with;

  return lac_emulator::exchange(mask, value,
                                (unsigned) (from > (self | (width - 1)) ? self : from));
}
