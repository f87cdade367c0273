/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Check sums: CRC-32C by processor instruction if available, else by table, eight bytes at a time; MurmurHash3. */
#include "base/hash.h"

#include <pthread.h>
#include <string.h>

/* ---- CRC-32C ---- */
#if defined(__x86_64__)
#  include <nmmintrin.h>
#endif

static const guint32 polynomial = 0x82f63b78; /* Castagnoli, bits reversed */

typedef guint32 (*Crc)(guint32 crc, const guint8 *data, gsize n);

static guint32        table[8][256];
static Crc            chosen;
static pthread_once_t prepared = PTHREAD_ONCE_INIT;

/* table[k][b]: contribution of byte b to the sum when k more bytes follow it in its group of eight */
static guint32
crc_by_table(guint32 crc, const guint8 *data, gsize n)
{
  for (; n >= 8; n -= 8, data += 8) {
    guint32 low = crc ^ ((guint32) data[0] | (guint32) data[1] << 8 | (guint32) data[2] << 16 |
                         (guint32) data[3] << 24);
    crc = table[7][low & 0xff] ^ table[6][(low >> 8) & 0xff] ^ table[5][(low >> 16) & 0xff] ^
          table[4][low >> 24] ^ table[3][data[4]] ^ table[2][data[5]] ^ table[1][data[6]] ^
          table[0][data[7]];
  }
  for (; n > 0; n--, data++)
    crc = table[0][(crc ^ *data) & 0xff] ^ (crc >> 8);
  return crc;
}

static void
fill_table(void)
{
  for (guint32 b = 0; b < 256; b++) {
    guint32 crc = b;
    for (int bit = 0; bit < 8; bit++)
      crc = (crc >> 1) ^ (crc & 1 ? polynomial : 0);
    table[0][b] = crc;
  }
  for (guint32 b = 0; b < 256; b++) {
    for (int k = 1; k < 8; k++)
      table[k][b] = table[0][table[k - 1][b] & 0xff] ^ (table[k - 1][b] >> 8);
  }
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static guint32
crc_by_instruction(guint32 crc, const guint8 *data, gsize n)
{
  guint64 sum = crc;
  for (; n >= 8; n -= 8, data += 8) {
    guint64 word;
    memcpy(&word, data, 8);
    sum = _mm_crc32_u64(sum, word);
  }
  guint32 rest = (guint32) sum;
  for (; n > 0; n--, data++)
    rest = _mm_crc32_u8(rest, *data);
  return rest;
}
#endif

static void
prepare(void)
{
  fill_table();
  chosen = crc_by_table;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2"))
    chosen = crc_by_instruction;
#endif
}

guint32
lac_crc32c(guint32 crc, gconstpointer data, gsize n_bytes)
{
  pthread_once(&prepared, prepare);
  return ~chosen(~crc, data, n_bytes);
}

guint32
lac_crc32c_portable(guint32 crc, gconstpointer data, gsize n_bytes)
{
  pthread_once(&prepared, prepare);
  return ~crc_by_table(~crc, data, n_bytes);
}

/* ---- MurmurHash3 of 128 bits, for 64-bit processors ---- */

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
