/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Philox against its definition and published values; distributions within their sampling error. */
#include "base/rng.h"

#include <math.h>
#include <string.h>

/* Ten rounds as in Salmon et al. (2011), section 3.3, with its constants. */
static void
philox(guint32 c[4], const guint32 key[2])
{
  guint32 k0 = key[0], k1 = key[1];
  for (int round = 0; round < 10; round++) {
    guint64 p0 = (guint64) 0xd2511f53 * c[0], p1 = (guint64) 0xcd9e8d57 * c[2];
    guint32 next[4] = {(guint32) (p1 >> 32) ^ c[1] ^ k0, (guint32) p1,
                       (guint32) (p0 >> 32) ^ c[3] ^ k1, (guint32) p0};
    memcpy(c, next, sizeof next);
    k0 += 0x9e3779b9;
    k1 += 0xbb67ae85;
  }
}

/* kat_vectors of Random123: the oracle above is the generator, and so is ours. */
static void
test_published(void)
{
  static const struct {
    guint32 counter[4], key[2], words[4];
  } rows[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
    guint32 block[4];
    memcpy(block, rows[i].counter, sizeof block);
    philox(block, rows[i].key);
    g_assert_cmpmem(block, sizeof block, rows[i].words, sizeof rows[i].words);
  }
  LacRng rng = lac_rng(0, 0);
  for (gsize i = 0; i < 4; i++)
    g_assert_cmphex(lac_rng_word(&rng), ==, rows[0].words[i]);
}

static void
test_definition(void)
{
  for (int i = 0; i < 2000; i++) {
    guint64 seed = (guint64) (guint32) g_test_rand_int() << 32 | (guint32) g_test_rand_int();
    guint64 stream = (guint64) (guint32) g_test_rand_int() << 32 | (guint32) g_test_rand_int();
    guint64 at = (guint64) (guint32) g_test_rand_int() << 31 | (guint32) g_test_rand_int();
    LacRng  rng = {seed, stream, at};
    guint32 key[2] = {(guint32) seed, (guint32) (seed >> 32)};
    guint32 block[4] = {(guint32) (at / 4), (guint32) (at / 4 >> 32), (guint32) stream,
                        (guint32) (stream >> 32)};
    philox(block, key);
    g_assert_cmphex(lac_rng_word(&rng), ==, block[at % 4]);
    g_assert_cmpuint(rng.position, ==, at + 1);
  }
}

/* Variates consume the words in order, from any position in a block. */
static void
test_words_of_numbers(void)
{
  for (guint64 at = 0; at < 9; at++) {
    LacRng  rng = {42, 7, at}, words = rng;
    guint64 high = lac_rng_word(&words), low = lac_rng_word(&words);
    double  u = (double) ((high << 32 | low) >> 11) * 0x1.0p-53;
    g_assert_cmpfloat(lac_rng_uniform(&rng), ==, u);
    g_assert_cmpuint(rng.position, ==, words.position);
    rng = words;
    double first = lac_rng_uniform(&words), second = lac_rng_uniform(&words);
    double normal = sqrt(-2 * log(1 - first)) * cos(2 * G_PI * second);
    g_assert_cmpfloat(lac_rng_normal(&rng), ==, normal);
    g_assert_cmpuint(rng.position, ==, words.position);
  }
}

static void
test_copies(void)
{
  LacRng a = lac_rng(1, 2), b;
  for (int i = 0; i < 5; i++)
    lac_rng_word(&a);
  b = a;
  for (int i = 0; i < 100; i++)
    g_assert_cmpfloat(lac_rng_normal(&a), ==, lac_rng_normal(&b));
  LacRng other = lac_rng(1, 3), seed = lac_rng(2, 2);
  guint  equal = 0;
  a = lac_rng(1, 2);
  for (int i = 0; i < 1000; i++) {
    guint32 word = lac_rng_word(&a);
    equal += word == lac_rng_word(&other);
    equal += word == lac_rng_word(&seed);
  }
  g_assert_cmpuint(equal, <=, 1); /* by chance 2000 / 2^32 */
}

/* Six standard errors of n samples: once in 10^9 by chance; the seeds are fixed. */
static void
test_uniform(void)
{
  enum { N = 1 << 18, BINS = 64 };
  LacRng rng = lac_rng(11, 0);
  double sum = 0;
  guint  bins[BINS] = {0};
  for (int i = 0; i < N; i++) {
    double u = lac_rng_uniform(&rng);
    g_assert_true(u >= 0 && u < 1);
    sum += u;
    bins[(int) (u * BINS)]++;
  }
  g_assert_cmpfloat(fabs(sum / N - 0.5), <, 6 * sqrt(1.0 / 12 / N));
  double chi2 = 0, expected = (double) N / BINS;
  for (int b = 0; b < BINS; b++)
    chi2 += (bins[b] - expected) * (bins[b] - expected) / expected;
  g_assert_cmpfloat(fabs(chi2 - (BINS - 1)), <, 6 * sqrt(2.0 * (BINS - 1)));
}

/* Moments 1 to 4 of the normal distribution: 0, 1, 0, 3 with variances 1, 2, 15, 96 over n. */
static void
test_normal(void)
{
  enum { N = 1 << 18 };
  LacRng rng = lac_rng(12, 0);
  double m[5] = {0};
  guint  beyond = 0;
  for (int i = 0; i < N; i++) {
    double x = lac_rng_normal(&rng), power = 1;
    g_assert_true(isfinite(x));
    beyond += fabs(x) > 1.959963984540054;
    for (int k = 1; k <= 4; k++)
      m[k] += (power *= x) / N;
  }
  g_assert_cmpfloat(fabs(m[1]), <, 6 * sqrt(1.0 / N));
  g_assert_cmpfloat(fabs(m[2] - 1), <, 6 * sqrt(2.0 / N));
  g_assert_cmpfloat(fabs(m[3]), <, 6 * sqrt(15.0 / N));
  g_assert_cmpfloat(fabs(m[4] - 3), <, 6 * sqrt(96.0 / N));
  g_assert_cmpfloat(fabs((double) beyond / N - 0.05), <, 6 * sqrt(0.05 * 0.95 / N));
}

/* For 3 * 2^62 a plain remainder would give the lower third twice as often: 1/2 instead of 1/3. */
static void
test_below(void)
{
  enum { N = 1 << 16 };
  static const guint64 limits[] = {1, 2, 3, 10, G_GUINT64_CONSTANT(1) << 63, G_MAXUINT64};
  LacRng               rng = lac_rng(13, 0);
  for (gsize i = 0; i < G_N_ELEMENTS(limits); i++) {
    for (int k = 0; k < 1000; k++)
      g_assert_cmpuint(lac_rng_below(&rng, limits[i]), <, limits[i]);
  }
  guint64 limit = G_GUINT64_CONSTANT(3) << 62;
  guint   lower = 0;
  for (int i = 0; i < N; i++)
    lower += lac_rng_below(&rng, limit) < limit / 3;
  g_assert_cmpfloat(fabs((double) lower / N - 1.0 / 3), <, 6 * sqrt(2.0 / 9 / N));
}

/* All 24 permutations of four, equally often. */
static void
test_shuffle(void)
{
  enum { N = 24000 };
  LacRng rng = lac_rng(14, 0);
  guint  seen[256] = {0};
  for (int i = 0; i < N; i++) {
    gsize order[4] = {0, 1, 2, 3};
    lac_rng_shuffle(&rng, order, 4);
    gsize code = order[0] * 64 + order[1] * 16 + order[2] * 4 + order[3];
    g_assert_cmpuint((1u << order[0] | 1u << order[1] | 1u << order[2] | 1u << order[3]), ==, 15);
    seen[code]++;
  }
  guint  orders = 0;
  double chi2 = 0, expected = N / 24.0;
  for (int code = 0; code < 256; code++) {
    if (seen[code] == 0)
      continue;
    orders++;
    chi2 += (seen[code] - expected) * (seen[code] - expected) / expected;
  }
  g_assert_cmpuint(orders, ==, 24);
  g_assert_cmpfloat(chi2, <, 23 + 6 * sqrt(2.0 * 23));
  lac_rng_shuffle(&rng, NULL, 0);
}

/* The first of each pair equals lac_rng_normal(); the second has the same distribution and is independent of it:
 * mean, variance and correlation within four standard errors. */
static void
test_normals(void)
{
  enum { N = 40000 };
  LacRng             pairs = lac_rng(5, 9), singles = lac_rng(5, 9), odd = lac_rng(5, 9);
  g_autofree double *values = g_new(double, N);
  double             mean = 0, square = 0, product = 0;

  lac_rng_normals(&pairs, values, N);
  for (gsize i = 0; i < N; i += 2) {
    g_assert_cmpfloat(values[i], ==, lac_rng_normal(&singles));
    mean += values[i + 1] / (N / 2);
    square += values[i + 1] * values[i + 1] / (N / 2);
    product += values[i] * values[i + 1] / (N / 2);
  }
  g_assert_cmpuint(pairs.position, ==, singles.position);
  g_assert_cmpfloat(fabs(mean), <, 4 / sqrt(N / 2));
  g_assert_cmpfloat(fabs(square - 1), <, 4 * sqrt(2.0 / (N / 2)));
  g_assert_cmpfloat(fabs(product), <, 4 / sqrt(N / 2));
  lac_rng_normals(&odd, values + 3, 3);
  g_assert_cmpuint(odd.position, ==, 8);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/base/rng/agrees-with-the-published-values", test_published);
  g_test_add_func("/base/rng/agrees-with-ten-rounds-anywhere", test_definition);
  g_test_add_func("/base/rng/numbers-are-made-of-words-in-order", test_words_of_numbers);
  g_test_add_func("/base/rng/copies-go-on-alike-and-streams-differ", test_copies);
  g_test_add_func("/base/rng/uniform-is-even", test_uniform);
  g_test_add_func("/base/rng/normal-has-its-moments", test_normal);
  g_test_add_func("/base/rng/below-has-no-bias", test_below);
  g_test_add_func("/base/rng/shuffle-gives-every-order", test_shuffle);
  g_test_add_func("/base/rng/pairs-of-normal-numbers", test_normals);
  return g_test_run();
}
