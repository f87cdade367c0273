/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bfloat16 with its true rounding: to nearest, ties to even. */
#pragma once

#include <cstdint>
#include <cstring>

struct __nv_bfloat16 {
  uint16_t bits;
};

static inline float
__bfloat162float(__nv_bfloat16 x)
{
  const uint32_t bits = (uint32_t) x.bits << 16;
  float          value;

  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline __nv_bfloat16
__float2bfloat16(float value)
{
  uint32_t bits;

  memcpy(&bits, &value, sizeof bits);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return {0x7fff};
  bits += 0x7fffu + (bits >> 16 & 1);
  return {(uint16_t) (bits >> 16)};
}
