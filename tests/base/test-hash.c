/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CRC-32C against published values, against its bitwise definition, and continued in pieces. */
#include "base/hash.h"

#include <string.h>

typedef guint32 (*Crc)(guint32 crc, gconstpointer data, gsize n_bytes);
static const Crc crcs[] = {lac_crc32c, lac_crc32c_portable};

/* Division by the Castagnoli polynomial, one bit at a time. */
static guint32
crc_by_definition(const guint8 *data, gsize n)
{
  guint32 crc = 0xffffffff;
  for (gsize i = 0; i < n; i++) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; bit++)
      crc = (crc >> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  return ~crc;
}

/* RFC 3720, B.4, and the check value of the catalogue of CRCs. */
static void
test_published(void)
{
  guint8 zeros[32] = {0}, ones[32], rising[32], falling[32];
  for (guint8 i = 0; i < 32; i++) {
    ones[i] = 0xff;
    rising[i] = i;
    falling[i] = (guint8) (31 - i);
  }
  for (gsize k = 0; k < G_N_ELEMENTS(crcs); k++) {
    g_assert_cmphex(crcs[k](0, zeros, 32), ==, 0x8a9136aa);
    g_assert_cmphex(crcs[k](0, ones, 32), ==, 0x62a8ab43);
    g_assert_cmphex(crcs[k](0, rising, 32), ==, 0x46dd794e);
    g_assert_cmphex(crcs[k](0, falling, 32), ==, 0x113fdb5c);
    g_assert_cmphex(crcs[k](0, "123456789", 9), ==, 0xe3069283);
    g_assert_cmphex(crcs[k](0, "", 0), ==, 0);
  }
}

static void
test_definition(void)
{
  guint8 data[300];
  for (gsize i = 0; i < sizeof data; i++)
    data[i] = (guint8) g_test_rand_int();
  for (gsize k = 0; k < G_N_ELEMENTS(crcs); k++) {
    for (gsize first = 0; first < 9; first++) {
      for (gsize n = 0; n + first <= sizeof data; n++)
        g_assert_cmphex(crcs[k](0, data + first, n), ==, crc_by_definition(data + first, n));
    }
  }
}

static void
test_pieces(void)
{
  guint8 data[200];
  for (gsize i = 0; i < sizeof data; i++)
    data[i] = (guint8) g_test_rand_int();
  for (gsize k = 0; k < G_N_ELEMENTS(crcs); k++) {
    guint32 whole = crcs[k](0, data, sizeof data);
    for (gsize cut = 0; cut <= sizeof data; cut++) {
      guint32 first = crcs[k](0, data, cut);
      g_assert_cmphex(crcs[k](first, data + cut, sizeof data - cut), ==, whole);
    }
  }
}

/* A CRC of 32 bits finds every single flipped bit. */
static void
test_flipped_bit(void)
{
  guint8 data[64];
  for (gsize i = 0; i < sizeof data; i++)
    data[i] = (guint8) g_test_rand_int();
  guint32 whole = lac_crc32c(0, data, sizeof data);
  for (gsize bit = 0; bit < 8 * sizeof data; bit++) {
    data[bit / 8] ^= (guint8) (1u << bit % 8);
    g_assert_cmphex(lac_crc32c(0, data, sizeof data), !=, whole);
    data[bit / 8] ^= (guint8) (1u << bit % 8);
  }
}

/* Output of the author's own program for seed 0. */
static void
test_published_128(void)
{
  static const struct {
    const char *text;
    guint64     sum[2];
  } cases[] = {
    {"", {0, 0}},
    {"hello", {G_GUINT64_CONSTANT(0xcbd8a7b341bd9b02), G_GUINT64_CONSTANT(0x5b1e906a48ae1d19)}},
    {"The quick brown fox jumps over the lazy dog",
     {G_GUINT64_CONSTANT(0xe34bbc7bbc071b6c), G_GUINT64_CONSTANT(0x7a433ca9c49a9347)}},
  };

  for (gsize k = 0; k < G_N_ELEMENTS(cases); k++) {
    guint64 sum[2] = {0, 0};

    lac_hash128_add(sum, cases[k].text, strlen(cases[k].text));
    g_assert_cmphex(sum[0], ==, cases[k].sum[0]);
    g_assert_cmphex(sum[1], ==, cases[k].sum[1]);
  }
}

/* One more bit, one byte less, another order of the pieces: both halves of the sum differ. */
static void
test_content_128(void)
{
  guint8  bytes[100] = {0};
  guint64 whole[2] = {0, 0}, turned[2] = {0, 0};

  lac_hash128_add(whole, bytes, sizeof bytes);
  for (gsize bit = 0; bit < 8 * sizeof bytes; bit++) {
    guint64 sum[2] = {0, 0}, shorter[2] = {0, 0};

    bytes[bit / 8] ^= (guint8) (1 << bit % 8);
    lac_hash128_add(sum, bytes, sizeof bytes);
    bytes[bit / 8] ^= (guint8) (1 << bit % 8);
    g_assert_true(sum[0] != whole[0] && sum[1] != whole[1]);
    lac_hash128_add(shorter, bytes, bit / 8);
    g_assert_true(shorter[0] != whole[0] && shorter[1] != whole[1]);
  }
  bytes[0] = 1;
  whole[0] = whole[1] = 0;
  lac_hash128_add(whole, bytes, 40);
  lac_hash128_add(whole, bytes + 40, 60);
  lac_hash128_add(turned, bytes + 40, 60);
  lac_hash128_add(turned, bytes, 40);
  g_assert_true(whole[0] != turned[0] && whole[1] != turned[1]);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/base/hash/agrees-with-the-published-values", test_published);
  g_test_add_func("/base/hash/agrees-with-division-bit-by-bit", test_definition);
  g_test_add_func("/base/hash/pieces-make-the-whole", test_pieces);
  g_test_add_func("/base/hash/every-flipped-bit-shows", test_flipped_bit);
  g_test_add_func("/base/hash/128-published-values", test_published_128);
  g_test_add_func("/base/hash/128-tells-contents-apart", test_content_128);
  return g_test_run();
}
