/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Philox 4x32-10: word w of a stream is component w mod 4 of the block with counter w / 4. */
#include "base/rng.h"

#include <Random123/philox.h>
#include <math.h>

enum { BLOCK = 4 }; /* words in a block */

static philox4x32_ctr_t
block_at(const LacRng *rng, guint64 block)
{
  philox4x32_ctr_t counter = {{(guint32) block, (guint32) (block >> 32), (guint32) rng->stream,
                               (guint32) (rng->stream >> 32)}};
  philox4x32_key_t key = {{(guint32) rng->seed, (guint32) (rng->seed >> 32)}};
  return philox4x32(counter, key);
}

static void
draw(LacRng *rng, guint32 *words, guint n)
{
  guint filled = 0;
  while (filled < n) {
    philox4x32_ctr_t block = block_at(rng, rng->position / BLOCK);
    guint            first = (guint) (rng->position % BLOCK);
    guint            take = MIN(BLOCK - first, n - filled);
    for (guint i = 0; i < take; i++)
      words[filled + i] = block.v[first + i];
    filled += take;
    rng->position += take;
  }
}

static guint64
joined(const guint32 *words)
{
  return (guint64) words[0] << 32 | words[1];
}

/* Every multiple of 2^-53 in [0, 1) is equally likely. */
static double
uniform_of(const guint32 *words)
{
  return (double) (joined(words) >> 11) * 0x1.0p-53;
}

LacRng
lac_rng(guint64 seed, guint64 stream)
{
  return (LacRng){.seed = seed, .stream = stream, .position = 0};
}

guint32
lac_rng_word(LacRng *rng)
{
  guint32 word;
  draw(rng, &word, 1);
  return word;
}

double
lac_rng_uniform(LacRng *rng)
{
  guint32 words[2];
  draw(rng, words, 2);
  return uniform_of(words);
}

double
lac_rng_normal(LacRng *rng)
{
  guint32 words[4];
  draw(rng, words, 4);
  double radius = sqrt(-2.0 * log(1.0 - uniform_of(words))); /* 1 - u is never 0 */
  return radius * cos(2.0 * G_PI * uniform_of(words + 2));
}

void
lac_rng_normals(LacRng *rng, double *values, gsize n)
{
  for (gsize i = 0; i < n; i += 2) {
    guint32 words[4];
    draw(rng, words, 4);
    double radius = sqrt(-2.0 * log(1.0 - uniform_of(words)));
    double angle = 2.0 * G_PI * uniform_of(words + 2);
    values[i] = radius * cos(angle);
    if (i + 1 < n)
      values[i + 1] = radius * sin(angle);
  }
}

guint64
lac_rng_below(LacRng *rng, guint64 limit)
{
  g_return_val_if_fail(limit > 0, 0);
  guint64 uneven = (0 - limit) % limit; /* 2^64 mod limit: values below it would come too often */
  for (;;) {
    guint32 words[2];
    draw(rng, words, 2);
    guint64 bits = joined(words);
    if (bits >= uneven)
      return bits % limit;
  }
}

void
lac_rng_shuffle(LacRng *rng, gsize *order, gsize n)
{
  for (gsize i = n; i > 1; i--) {
    gsize j = (gsize) lac_rng_below(rng, i);
    gsize swap = order[i - 1];
    order[i - 1] = order[j];
    order[j] = swap;
  }
}
