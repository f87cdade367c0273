/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws words from the streams of base/philox.h. */
#include "base/rng.h"

#include "base/philox.h"

static void
draw(LacRng *rng, guint32 *words, guint n)
{
  guint filled = 0;
  while (filled < n) {
    guint32 block[LAC_PHILOX_BLOCK];
    guint   first = (guint) (rng->position % LAC_PHILOX_BLOCK);
    guint   take = MIN(LAC_PHILOX_BLOCK - first, n - filled);
    lac_philox_block(rng->seed, rng->stream, rng->position / LAC_PHILOX_BLOCK, block);
    for (guint i = 0; i < take; i++)
      words[filled + i] = block[first + i];
    filled += take;
    rng->position += take;
  }
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
  return lac_philox_uniform(words);
}

double
lac_rng_normal(LacRng *rng)
{
  guint32 words[4];
  draw(rng, words, 4);
  return lac_philox_radius(words) * cos(lac_philox_angle(words));
}

void
lac_rng_normals(LacRng *rng, double *values, gsize n)
{
  for (gsize i = 0; i < n; i += 2) {
    guint32 words[4];
    draw(rng, words, 4);
    double pair[2];
    lac_philox_normals(words, pair);
    values[i] = pair[0];
    if (i + 1 < n)
      values[i + 1] = pair[1];
  }
}

guint64
lac_rng_below(LacRng *rng, guint64 limit)
{
  g_return_val_if_fail(limit > 0, 0);
  guint64 uneven =
    (0 - limit) % limit; /* 2^64 mod limit: rejecting smaller values removes the bias */
  for (;;) {
    guint32 words[2];
    draw(rng, words, 2);
    guint64 bits = lac_philox_joined(words);
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
