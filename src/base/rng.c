/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Philox 4x32-10 by Random123: block b of a stream is the bijection of counter {b, stream} under key {seed}. */
#include "base/rng.h"

#include <math.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wundef"
#pragma GCC diagnostic ignored "-Wshadow"
#include <Random123/philox.h>
#pragma GCC diagnostic pop

LacRng
lac_rng(guint64 seed, guint64 stream)
{
  return (LacRng){.seed = seed, .stream = stream};
}

guint32
lac_rng_word(LacRng *rng)
{
  const guint64          block = rng->position / 4;
  const philox4x32_ctr_t counter = {
    {(guint32) block, (guint32) (block >> 32), (guint32) rng->stream,
     (guint32) (rng->stream >> 32)}
  };
  const philox4x32_key_t key = {
    {(guint32) rng->seed, (guint32) (rng->seed >> 32)}
  };
  const philox4x32_ctr_t words = philox4x32(counter, key);

  return words.v[rng->position++ % 4];
}

static guint64
two_words(LacRng *rng)
{
  const guint64 high = lac_rng_word(rng);

  return high << 32 | lac_rng_word(rng);
}

double
lac_rng_uniform(LacRng *rng)
{
  return (double) (two_words(rng) >> 11) * 0x1p-53;
}

double
lac_rng_normal(LacRng *rng)
{
  const double radius = sqrt(-2 * log(1 - lac_rng_uniform(rng)));

  return radius * cos(2 * G_PI * lac_rng_uniform(rng));
}

guint64
lac_rng_below(LacRng *rng, guint64 limit)
{
  guint64 word, reject;

  g_return_val_if_fail(limit > 0, 0);
  reject = (G_MAXUINT64 - limit + 1) % limit; /* 2^64 mod limit: the biased tail */
  do
    word = two_words(rng);
  while (word < reject);
  return word % limit;
}

void
lac_rng_shuffle(LacRng *rng, gsize *order, gsize n)
{
  for (gsize i = n; i > 1; i--) {
    const gsize j = lac_rng_below(rng, i);
    const gsize kept = order[i - 1];

    order[i - 1] = order[j];
    order[j] = kept;
  }
}
