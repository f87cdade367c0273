/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Philox 4x32-10 random streams and distributions, identical on every device. Word w of a stream is component w mod 4
 * of the block with counter w / 4. Plain C, also compiled by nvcc; other code calls base/rng.h. Source: Salmon,
 * Moraes, Dror, Shaw (2011), doi:10.1145/2063384.2063405 */
#pragma once

#include "base/formula.h"

#include <Random123/philox.h>
#include <math.h>
#include <stdint.h>

enum { LAC_PHILOX_BLOCK = 4 }; /* words in a block */

LAC_FORMULA void
lac_philox_block(uint64_t seed, uint64_t stream, uint64_t block, uint32_t words[4])
{
  philox4x32_ctr_t counter;
  philox4x32_key_t key;

  counter.v[0] = (uint32_t) block;
  counter.v[1] = (uint32_t) (block >> 32);
  counter.v[2] = (uint32_t) stream;
  counter.v[3] = (uint32_t) (stream >> 32);
  key.v[0] = (uint32_t) seed;
  key.v[1] = (uint32_t) (seed >> 32);
  counter = philox4x32(counter, key);
  for (int i = 0; i < LAC_PHILOX_BLOCK; i++)
    words[i] = counter.v[i];
}

LAC_FORMULA uint64_t
lac_philox_joined(const uint32_t words[2])
{
  return (uint64_t) words[0] << 32 | words[1];
}

/* Uniform in [0, 1), a multiple of 2^-53. */
LAC_FORMULA double
lac_philox_uniform(const uint32_t words[2])
{
  return (double) (lac_philox_joined(words) >> 11) * 0x1.0p-53;
}

/* Radius of the Box-Muller transform. 1 - u is never 0. */
LAC_FORMULA double
lac_philox_radius(const uint32_t words[4])
{
  return sqrt(-2.0 * log(1.0 - lac_philox_uniform(words)));
}

LAC_FORMULA double
lac_philox_angle(const uint32_t words[4])
{
  return 6.283185307179586476925286766559 * lac_philox_uniform(words + 2);
}

/* Computes two normal variates, @pair, from one block. */
LAC_FORMULA void
lac_philox_normals(const uint32_t words[4], double pair[2])
{
  const double radius = lac_philox_radius(words), angle = lac_philox_angle(words);

  pair[0] = radius * cos(angle);
  pair[1] = radius * sin(angle);
}
