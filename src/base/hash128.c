/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MurmurHash3 of 128 bits for 64-bit processors. */
#include "base/hash.h"

#include <string.h>

static const guint64 factors[2] = {G_GUINT64_CONSTANT(0x87c37b91114253d5),
                                   G_GUINT64_CONSTANT(0x4cf5ad432745937f)};

static guint64
rotate(guint64 x, int n)
{
  return x << n | x >> (64 - n);
}

static guint64
read_word(const guint8 *at)
{
  guint64 word;

  memcpy(&word, at, sizeof word);
  return GUINT64_FROM_LE(word);
}

static guint64
scramble(guint64 word, guint half)
{
  return rotate(word * factors[half], half == 0 ? 31 : 33) * factors[1 - half];
}

static guint64
finish(guint64 x)
{
  x = (x ^ x >> 33) * G_GUINT64_CONSTANT(0xff51afd7ed558ccd);
  x = (x ^ x >> 33) * G_GUINT64_CONSTANT(0xc4ceb9fe1a85ec53);
  return x ^ x >> 33;
}

void
lac_hash128_add(guint64 sum[2], gconstpointer data, gsize n_bytes)
{
  const guint8 *at = data;
  guint64       a = sum[0], b = sum[1];
  guint8        rest[16] = {0};

  for (gsize left = n_bytes; left >= 16; left -= 16, at += 16) {
    a = (rotate(a ^ scramble(read_word(at), 0), 27) + b) * 5 + 0x52dce729;
    b = (rotate(b ^ scramble(read_word(at + 8), 1), 31) + a) * 5 + 0x38495ab5;
  }
  if (n_bytes % 16)
    memcpy(rest, at, n_bytes % 16);
  a ^= scramble(read_word(rest), 0) ^ n_bytes;
  b ^= scramble(read_word(rest + 8), 1) ^ n_bytes;
  a += b;
  b += a;
  a = finish(a);
  b = finish(b);
  sum[0] = a + b;
  sum[1] = a + 2 * b;
}
