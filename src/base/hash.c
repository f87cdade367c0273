/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CRC-32C by the processor's own instruction where it has one, else eight bytes at a time by table. */
#include "base/hash.h"

#include <pthread.h>
#include <string.h>
#if defined(__x86_64__)
#  include <nmmintrin.h>
#endif

static const guint32 polynomial = 0x82f63b78; /* Castagnoli, bits reversed */

typedef guint32 (*Crc)(guint32 crc, const guint8 *data, gsize n);

static guint32        table[8][256];
static Crc            chosen;
static pthread_once_t prepared = PTHREAD_ONCE_INIT;

/* table[k][b]: what byte b does to the sum when k more bytes follow it in the same group */
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
