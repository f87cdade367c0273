/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counter-based random numbers: Philox 4x32-10. A value type that may be copied and saved; identical on every
 * machine. Source: Salmon, Moraes, Dror, Shaw (2011), doi:10.1145/2063384.2063405 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint64 seed;
  guint64 stream;   /* purpose of the numbers; streams never overlap */
  guint64 position; /* 32-bit words drawn so far */
} LacRng;

LacRng  lac_rng(guint64 seed, guint64 stream);
guint32 lac_rng_word(LacRng *rng);
double  lac_rng_uniform(LacRng *rng); /* uniform in [0, 1), 53 bits */
double  lac_rng_normal(LacRng *rng);  /* standard normal by Box-Muller; takes four words */
/* Draws @n normal variates, two from every four words, which halves the cost; if @n is odd, the last one takes four
 * words. */
void    lac_rng_normals(LacRng *rng, double *values, gsize n);
guint64 lac_rng_below(LacRng *rng, guint64 limit); /* uniform integer 0 ... limit-1, unbiased */
void    lac_rng_shuffle(LacRng *rng, gsize *order, gsize n);

G_END_DECLS
