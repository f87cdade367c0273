/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector types, atomics and device functions that a C++ compiler lacks or names differently. */
#pragma once

#include <cmath>
#include <cstdint>
#include <math.h>

struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) double2 {
  double x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(8) int2 {
  int x, y;
};

static inline float2
make_float2(float x, float y)
{
  return {x, y};
}

static inline double2
make_double2(double x, double y)
{
  return {x, y};
}

static inline float4
make_float4(float x, float y, float z, float w)
{
  return {x, y, z, w};
}

static inline uint2
make_uint2(unsigned x, unsigned y)
{
  return {x, y};
}

static inline uint4
make_uint4(unsigned x, unsigned y, unsigned z, unsigned w)
{
  return {x, y, z, w};
}

static inline int2
make_int2(int x, int y)
{
  return {x, y};
}

using std::max;
using std::min;

static inline float
rsqrt(float x)
{
  return 1 / std::sqrt(x);
}

static inline double
rsqrt(double x)
{
  return 1 / std::sqrt(x);
}

static inline unsigned
__umulhi(unsigned a, unsigned b)
{
  return (unsigned) ((uint64_t) a * b >> 32);
}

static inline int
__popc(unsigned x)
{
  return __builtin_popcount(x);
}

static inline int
__ffs(int x)
{
  return __builtin_ffs(x);
}

static inline int
__clz(int x)
{
  return x ? __builtin_clz((unsigned) x) : 32;
}

static inline unsigned
__float_as_uint(float x)
{
  unsigned bits;

  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline float
__uint_as_float(unsigned bits)
{
  float x;

  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

static inline long long
__double_as_longlong(double x)
{
  long long bits;

  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double
__longlong_as_double(long long bits)
{
  double x;

  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

template <typename T>
static inline T
__ldg(const T *at)
{
  return *at;
}

static inline void
__threadfence()
{
}

static inline void
__threadfence_block()
{
}

/* Integers only: an atomic sum of floats would depend on the order. */
#define LAC_EMULATOR_ATOMIC(T)                         \
  static inline T atomicAdd(T *at, T value)            \
  {                                                    \
    const T old = *at;                                 \
    *at = old + value;                                 \
    return old;                                        \
  }                                                    \
  static inline T atomicMax(T *at, T value)            \
  {                                                    \
    const T old = *at;                                 \
    *at = old < value ? value : old;                   \
    return old;                                        \
  }                                                    \
  static inline T atomicMin(T *at, T value)            \
  {                                                    \
    const T old = *at;                                 \
    *at = value < old ? value : old;                   \
    return old;                                        \
  }                                                    \
  static inline T atomicExch(T *at, T value)           \
  {                                                    \
    const T old = *at;                                 \
    *at = value;                                       \
    return old;                                        \
  }                                                    \
  static inline T atomicCAS(T *at, T compare, T value) \
  {                                                    \
    const T old = *at;                                 \
    *at = old == compare ? value : old;                \
    return old;                                        \
  }
LAC_EMULATOR_ATOMIC(int)
LAC_EMULATOR_ATOMIC(unsigned)
LAC_EMULATOR_ATOMIC(unsigned long long)
#undef LAC_EMULATOR_ATOMIC
