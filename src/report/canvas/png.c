/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chunks of a PNG: length, name, bytes, check sum. */
#include "report/canvas/png-private.h"

#include <math.h>
#include <string.h>

/* CRC-32 of ISO 3309; PNG specification, annex D. */
static guint32
chunk_crc(const guint8 *bytes, gsize n)
{
  guint32 crc = 0xffffffffU;
  for (gsize i = 0; i < n; i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++)
      crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320U : 0);
  }
  return ~crc;
}

static void
add_word(GByteArray *bytes, guint32 word)
{
  guint32 big = GUINT32_TO_BE(word);
  g_byte_array_append(bytes, (const guint8 *) &big, 4);
}

static void
add_chunk(GByteArray *chunks, const char *name, const GByteArray *data)
{
  guint begin = chunks->len + 4;
  add_word(chunks, data->len);
  g_byte_array_append(chunks, (const guint8 *) name, 4);
  g_byte_array_append(chunks, data->data, data->len);
  add_word(chunks, chunk_crc(chunks->data + begin, chunks->len - begin));
}

void
lac_png_resolve(GByteArray *chunks, double dpi)
{
  g_autoptr(GByteArray) data = g_byte_array_new();
  guint32               per_metre = (guint32) lround(dpi / 0.0254);
  const guint8          is_metre = 1;
  add_word(data, per_metre);
  add_word(data, per_metre);
  g_byte_array_append(data, &is_metre, 1);
  add_chunk(chunks, "pHYs", data);
}

/* iTXt: UTF-8, not compressed, of no language. */
static void
add_text(GByteArray *chunks, const char *keyword, const char *text)
{
  static const guint8 plain[4] = {
    0, 0, 0, 0}; /* compression flag and method, language, translated keyword */
  g_autoptr(GByteArray) data = g_byte_array_new();
  g_byte_array_append(data, (const guint8 *) keyword, (guint) strlen(keyword) + 1);
  g_byte_array_append(data, plain, sizeof plain);
  g_byte_array_append(data, (const guint8 *) text, (guint) strlen(text));
  add_chunk(chunks, "iTXt", data);
}

void
lac_png_describe(GByteArray *chunks, const LacPaperFacts *facts)
{
  const struct {
    const char *keyword, *text;
  } texts[] = {
    {"Title", facts->title}, {"Description", facts->subject},   {"Source", facts->keywords},
    {"Software", "Lacuna"},  {"Creation Time", facts->created}, {"Lacuna", facts->source},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
    if (texts[i].text != NULL && *texts[i].text != '\0')
      add_text(chunks, texts[i].keyword, texts[i].text);
}
