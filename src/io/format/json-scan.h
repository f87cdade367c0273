/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON that is too long for a tree: token after token from a text that is read on as it goes. After the first fault every call
 * answers with nothing, so that a caller may look at the end: the text is left at its end. Python's NaN and Infinity are taken
 * for numbers. */
#pragma once

#include "io/format/text-source.h"

G_BEGIN_DECLS

typedef enum {
  LAC_JSON_SOUND,
  LAC_JSON_ENDS, /* the text ended where more had to come */
  LAC_JSON_WRONG
} LacJsonState;

typedef struct {
  LacTextSource *source;
  LacJsonState   state;
  guint64        fault; /* where, in bytes */
  GString       *unescaped;
} LacJsonScan;

/* Bytes of a string without its quotes, or of a number; valid until the next call. Not terminated. */
typedef struct {
  const char *bytes;
  gsize       n;
} LacJsonText;

void lac_json_scan_init(LacJsonScan *scan, LacTextSource *source);
void lac_json_scan_clear(LacJsonScan *scan);

/* Behind blanks, and the end of the window. */
char lac_json_peek_far(LacJsonScan *scan);

/* Returns: the first byte of the next token; 0 at the end of the text, and after a fault. */
static inline char
lac_json_peek(LacJsonScan *scan)
{
  const char next = *scan->source->at;
  return (guchar) next > ' ' ? next : lac_json_peek_far(scan);
}

/* A fault: another token comes than has to, or none. */
void lac_json_refuse(LacJsonScan *scan);

/* Takes @byte, '{', '}', '[', ']', ',' or ':'. Returns: %FALSE and a fault, where another comes. */
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

/* Takes a comma or @end, the closing bracket. Returns: whether another member comes. A comma before the bracket is let pass. */
gboolean lac_json_next(LacJsonScan *scan, char end);

gboolean lac_json_string(LacJsonScan *scan, LacJsonText *text);

/* A number, true, false or null. */
gboolean lac_json_word(LacJsonScan *scan, LacJsonText *text);

/* Any value, however deep. */
void lac_json_skip(LacJsonScan *scan);

/* @text times 1000, to the nearest whole number: exact for up to three decimals. Returns: %FALSE where it is no number or too
 * large. */
gboolean lac_json_thousandfold(LacJsonText text, gint64 *value);

/* Returns: %FALSE where @text is no finite number. */
gboolean lac_json_real(LacJsonText text, double *value);

G_END_DECLS
