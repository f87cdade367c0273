/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streaming JSON tokeniser for texts too long for a tree. After the first error every call returns an empty result,
 * as if the text had ended, so that callers may check for errors once at the end. Accepts Python's NaN and Infinity
 * as numbers. */
#pragma once

#include "io/format/text-source.h"

G_BEGIN_DECLS

typedef enum {
  LAC_JSON_SOUND,
  LAC_JSON_ENDS, /* unexpected end of the text */
  LAC_JSON_WRONG
} LacJsonState;

typedef struct {
  LacTextSource *source;
  LacJsonState   state;
  guint64        fault; /* offset of the error in bytes */
  GString       *unescaped;
} LacJsonScan;

/* Bytes of a string without its quotes, or of a number. Valid until the next call; not zero-terminated. */
typedef struct {
  const char *bytes;
  gsize       n;
} LacJsonText;

void lac_json_scan_init(LacJsonScan *scan, LacTextSource *source);
void lac_json_scan_clear(LacJsonScan *scan);

/* Slow path of lac_json_peek(): skips blanks and refills the window at its end. */
char lac_json_peek_far(LacJsonScan *scan);

/* Returns: the first byte of the next token; 0 at the end of the text, and after an error. */
static inline char
lac_json_peek(LacJsonScan *scan)
{
  const char next = *scan->source->at;
  return (guchar) next > ' ' ? next : lac_json_peek_far(scan);
}

/* Sets an error: an unexpected token, or the end of the text. */
void lac_json_refuse(LacJsonScan *scan);

/* Consumes @byte, one of '{', '}', '[', ']', ',' or ':'. Returns: %FALSE with an error set when the next byte
 * differs. */
static inline gboolean
lac_json_take(LacJsonScan *scan, char byte)
{
  if (lac_json_peek(scan) != byte) {
    lac_json_refuse(scan);
    return FALSE;
  }
  scan->source->at++;
  return TRUE;
}

/* Consumes a comma or @end, the closing bracket. Returns: %TRUE when another member follows. A trailing comma is
 * accepted. */
gboolean lac_json_next(LacJsonScan *scan, char end);

gboolean lac_json_string(LacJsonScan *scan, LacJsonText *text);

/* Reads a number, true, false or null. */
gboolean lac_json_word(LacJsonScan *scan, LacJsonText *text);

/* Skips any value, at any depth. */
void lac_json_skip(LacJsonScan *scan);

/* Parses @text as a number and multiplies it by 1000, rounding to the nearest integer: exact for up to three
 * decimals. Returns: %FALSE when it is not a number or too large. */
gboolean lac_json_thousandfold(LacJsonText text, gint64 *value);

/* Parses @text as a number. Returns: %FALSE when it is not a finite number. */
gboolean lac_json_real(LacJsonText text, double *value);

G_END_DECLS
