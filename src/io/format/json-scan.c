/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON tokeniser. The zero after the window ends every loop without an extra bounds check. */
#include "io/format/json-scan.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

#define MOST_DIGITS 19 /* always fit into a guint64 */

void
lac_json_scan_init(LacJsonScan *scan, LacTextSource *source)
{
  *scan = (LacJsonScan){.source = source, .unescaped = g_string_new(NULL)};
}

void
lac_json_scan_clear(LacJsonScan *scan)
{
  g_string_free(scan->unescaped, TRUE);
}

static void
fault(LacJsonScan *scan, LacJsonState state)
{
  LacTextSource *source = scan->source;
  if (scan->state != LAC_JSON_SOUND)
    return;
  scan->state = state;
  scan->fault = lac_text_source_tell(source);
  source->at = source->end;
}

void
lac_json_refuse(LacJsonScan *scan)
{
  fault(scan, scan->source->at < scan->source->end ? LAC_JSON_WRONG : LAC_JSON_ENDS);
}

/* Reads on at a zero. Returns: FALSE with an error set when the zero is part of the text or the text ends. */
static gboolean
read_on(LacJsonScan *scan, const char **keep)
{
  LacTextSource *source = scan->source;
  if (scan->state == LAC_JSON_SOUND && source->at == source->end &&
      lac_text_source_more(source, keep))
    return TRUE;
  lac_json_refuse(scan);
  return FALSE;
}

char
lac_json_peek_far(LacJsonScan *scan)
{
  LacTextSource *source = scan->source;
  for (;;) {
    while (*source->at == ' ' || *source->at == '\n' || *source->at == '\r' || *source->at == '\t')
      source->at++;
    if (*source->at != '\0')
      return *source->at;
    if (source->at < source->end) { /* a zero byte is not valid JSON */
      fault(scan, LAC_JSON_WRONG);
      return '\0';
    }
    if (scan->state != LAC_JSON_SOUND || !lac_text_source_more(source, NULL))
      return '\0';
  }
}

gboolean
lac_json_next(LacJsonScan *scan, char end)
{
  if (lac_json_peek(scan) == ',') {
    scan->source->at++;
    const char next = lac_json_peek(scan);
    if (next != end && next != '\0')
      return TRUE;
  }
  lac_json_take(scan, end);
  return FALSE;
}

/* Parses four hexadecimal digits; -1 when invalid. */
static gint
hex(const char *at)
{
  gint value = 0;
  for (gint i = 0; i < 4; i++) {
    if (!g_ascii_isxdigit(at[i]))
      return -1;
    value = 16 * value + g_ascii_xdigit_value(at[i]);
  }
  return value;
}

/* Decodes \uXXXX at @at, including the second half of a surrogate pair. Returns: the number of bytes consumed; 0:
 * invalid. */
static gsize
append_unicode(GString *out, const char *at, const char *end)
{
  gint first = end - at >= 6 ? hex(at + 2) : -1;
  if (first < 0)
    return 0;
  if (first >= 0xd800 && first < 0xdc00 && end - at >= 12 && at[6] == '\\' && at[7] == 'u') {
    gint second = hex(at + 8);
    if (second >= 0xdc00 && second < 0xe000) {
      g_string_append_unichar(out,
                              (gunichar) (0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)));
      return 12;
    }
  }
  gboolean is_half = first >= 0xd800 && first < 0xe000;
  g_string_append_unichar(out, is_half || first == 0 ? 0xfffd : (gunichar) first);
  return 6;
}

static gboolean
unescape(LacJsonScan *scan, LacJsonText *text)
{
  const char       *at = text->bytes, *end = at + text->n;
  static const char from[] = "bfnrt\"\\/", to[] = "\b\f\n\r\t\"\\/";
  g_string_truncate(scan->unescaped, 0);
  while (at < end) {
    if (*at != '\\') {
      g_string_append_c(scan->unescaped, *at++);
      continue;
    }
    const char *which = at + 1 < end ? strchr(from, at[1]) : NULL;
    gsize       n = 2;
    if (which != NULL)
      g_string_append_c(scan->unescaped, to[which - from]);
    else if (at + 1 >= end || at[1] != 'u' || (n = append_unicode(scan->unescaped, at, end)) == 0)
      return FALSE;
    at += n;
  }
  *text = (LacJsonText){scan->unescaped->str, scan->unescaped->len};
  return TRUE;
}

gboolean
lac_json_string(LacJsonScan *scan, LacJsonText *text)
{
  LacTextSource *source = scan->source;
  gboolean       has_escapes = FALSE;
  if (!lac_json_take(scan, '"'))
    return FALSE;
  const char *first = source->at;
  for (;;) {
    const char *at = source->at;
    while (*at != '"' && *at != '\\' && *at != '\0')
      at++;
    source->at = at;
    if (*at == '"')
      break;
    if (*at == '\\' && at + 1 < source->end) {
      has_escapes = TRUE;
      source->at += 2;
    } else if (*at == '\\') {
      if (!lac_text_source_more(source, &first)) {
        fault(scan, LAC_JSON_ENDS);
        return FALSE;
      }
    } else if (!read_on(scan, &first)) {
      return FALSE;
    }
  }
  *text = (LacJsonText){first, (gsize) (source->at - first)};
  source->at++;
  if (!has_escapes || unescape(scan, text))
    return TRUE;
  fault(scan, LAC_JSON_WRONG);
  return FALSE;
}

static gboolean
is_of_word(char c)
{
  return g_ascii_isalnum(c) || c == '.' || c == '-' || c == '+';
}

gboolean
lac_json_word(LacJsonScan *scan, LacJsonText *text)
{
  LacTextSource *source = scan->source;
  if (!is_of_word(lac_json_peek(scan))) {
    lac_json_refuse(scan);
    return FALSE;
  }
  const char *first = source->at;
  for (;;) {
    while (is_of_word(*source->at))
      source->at++;
    if (source->at < source->end)
      break;
    if (!lac_text_source_more(source, &first)) { /* unterminated value */
      fault(scan, LAC_JSON_ENDS);
      return FALSE;
    }
  }
  *text = (LacJsonText){first, (gsize) (source->at - first)};
  return TRUE;
}

void
lac_json_skip(LacJsonScan *scan)
{
  LacJsonText text;
  gsize       depth = 0;
  do {
    const char next = lac_json_peek(scan);
    if (next == '"')
      lac_json_string(scan, &text);
    else if (next == '{' || next == '[')
      depth++;
    else if ((next == '}' || next == ']') && depth > 0)
      depth--;
    else if (!((next == ',' || next == ':') && depth > 0))
      lac_json_word(scan, &text);
    if (strchr("{}[],:", next) != NULL && next != '\0' && scan->state == LAC_JSON_SOUND)
      scan->source->at++;
  } while (depth > 0 && scan->state == LAC_JSON_SOUND);
}

/* ---- numbers ---- */

/* Fast path: digits and a point, no exponent, few digits; covers nearly all numbers. */
typedef struct {
  gboolean is_negative;
  guint64  digits;
  gint     n_decimals;
} Decimal;

static gboolean
read_decimal(LacJsonText text, Decimal *decimal)
{
  const char *at = text.bytes, *end = at + text.n;
  gint        n_digits = 0;
  gboolean    has_point = FALSE;
  *decimal = (Decimal){.is_negative = at < end && *at == '-'};
  at += decimal->is_negative;
  for (; at < end; at++) {
    if (*at == '.' && !has_point) {
      has_point = TRUE;
      continue;
    }
    if (!g_ascii_isdigit(*at) || ++n_digits > MOST_DIGITS)
      return FALSE;
    decimal->digits = 10 * decimal->digits + (guint64) (*at - '0');
    decimal->n_decimals += has_point;
  }
  return n_digits > 0;
}

static gboolean
read_any(LacJsonText text, double *value)
{
  g_autofree char *copy = g_strndup(text.bytes, text.n);
  return lac_number_parse(copy, value);
}

gboolean
lac_json_thousandfold(LacJsonText text, gint64 *value)
{
  Decimal decimal;
  double  real;
  if (!read_decimal(text, &decimal)) {
    if (!read_any(text, &real) || fabs(real) > 9e15)
      return FALSE;
    *value = (gint64) rint(real * 1000);
    return TRUE;
  }
  for (; decimal.n_decimals < 3; decimal.n_decimals++) {
    if (decimal.digits > G_MAXINT64 / 10)
      return FALSE;
    decimal.digits *= 10;
  }
  for (; decimal.n_decimals > 3; decimal.n_decimals--)
    decimal.digits = decimal.digits / 10 + (decimal.n_decimals == 4 && decimal.digits % 10 >= 5);
  if (decimal.digits > G_MAXINT64)
    return FALSE;
  *value = decimal.is_negative ? -(gint64) decimal.digits : (gint64) decimal.digits;
  return TRUE;
}

gboolean
lac_json_real(LacJsonText text, double *value)
{
  Decimal decimal;
  /* Both operands are exact, so the quotient is rounded only once. */
  static const double tens[] = {1,    1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
                                1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19};
  if (!read_decimal(text, &decimal) || decimal.digits > G_GUINT64_CONSTANT(1) << 53)
    return read_any(text, value);
  *value = (double) decimal.digits / tens[decimal.n_decimals];
  if (decimal.is_negative)
    *value = -*value;
  return TRUE;
}
