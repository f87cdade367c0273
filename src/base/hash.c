/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CRC-32C, eight bytes at a time where the processor has the instruction, by table elsewhere. */
#include "base/hash.h"

#include <string.h>
#if defined(__x86_64__)
#  include <nmmintrin.h>
#endif

#define POLYNOMIAL 0x82f63b78u /* reflected */

static const guint32 *
crc_table(void)
{
  static gsize   once;
  static guint32 table[256];

  if (g_once_init_enter(&once)) {
    for (guint32 i = 0; i < 256; i++) {
      guint32 crc = i;

      for (int bit = 0; bit < 8; bit++)
        crc = crc & 1 ? crc >> 1 ^ POLYNOMIAL : crc >> 1;
      table[i] = crc;
    }
    g_once_init_leave(&once, 1);
  }
  return table;
}

static guint32
crc_by_table(guint32 crc, const guint8 *bytes, gsize n)
{
  const guint32 *table = crc_table();

  for (gsize i = 0; i < n; i++)
    crc = table[(crc ^ bytes[i]) & 255] ^ crc >> 8;
  return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static guint32
crc_by_instruction(guint32 crc, const guint8 *bytes, gsize n)
{
  guint64 wide = crc;

  for (; n >= 8; n -= 8, bytes += 8) {
    guint64 word;

    memcpy(&word, bytes, sizeof word);
    wide = _mm_crc32_u64(wide, word);
  }
  for (; n > 0; n--, bytes++)
    wide = _mm_crc32_u8((guint32) wide, *bytes);
  return (guint32) wide;
}
#endif

guint32
lac_crc32c(guint32 crc, gconstpointer data, gsize n_bytes)
{
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2"))
    return ~crc_by_instruction(~crc, data, n_bytes);
#endif
  return ~crc_by_table(~crc, data, n_bytes);
}
