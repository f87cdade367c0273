/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shortest decimal text of a double, strict parsing, and the decimal separator of the language. */
#include "base/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

enum { MOST_DIGITS = 17, PLAIN_DIGITS = 5 }; /* 5: 99999 is written out, 1e5 is not */

static void
format(char *text, double value, int digits)
{
  char how[8];
  g_snprintf(how, sizeof how, "%%.%dg", digits);
  g_ascii_formatd(text, G_ASCII_DTOSTR_BUF_SIZE, how, value);
}

/* 1e+05 -> 1e5, 2e-07 -> 2e-7 */
static void
shorten_exponent(char *text)
{
  char *from = strchr(text, 'e');
  if (from == NULL)
    return;
  char *to = ++from;
  if (*from == '+')
    from++;
  else if (*from == '-')
    *to++ = *from++;
  while (*from == '0' && from[1] != '\0')
    from++;
  memmove(to, from, strlen(from) + 1);
}

char *
lac_number_dup_text(double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  if (!isfinite(value))
    return g_strdup(isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
  int digits = 1;
  format(text, value, digits);
  while (digits < MOST_DIGITS && g_ascii_strtod(text, NULL) != value)
    format(text, value, ++digits);
  if (fabs(value) >= 1 && digits < PLAIN_DIGITS)
    format(text, value, PLAIN_DIGITS);
  shorten_exponent(text);
  return g_strdup(text);
}

/* Rejects hexadecimal, infinity and nan, which g_ascii_strtod() accepts. */
static gboolean
is_decimal(const char *text)
{
  return *text != '\0' && text[strspn(text, "0123456789+-.eE")] == '\0';
}

gboolean
lac_number_parse(const char *text, double *value)
{
  g_return_val_if_fail(text != NULL && value != NULL, FALSE);
  g_autofree char *trimmed = g_strstrip(g_strdup(text));
  if (!is_decimal(trimmed))
    return FALSE;
  char  *end;
  double read = g_ascii_strtod(trimmed, &end);
  if (*end != '\0' || !isfinite(read))
    return FALSE;
  *value = read;
  return TRUE;
}

gboolean
lac_number_parse_whole(const char *text, gint64 *value)
{
  g_return_val_if_fail(text != NULL && value != NULL, FALSE);
  g_autofree char *trimmed = g_strstrip(g_strdup(text));
  if (g_ascii_string_to_signed(trimmed, 10, G_MININT64, G_MAXINT64, value, NULL))
    return TRUE;
  double real;
  if (!lac_number_parse(trimmed, &real) || real != floor(real) || fabs(real) > 0x1.0p53)
    return FALSE;
  *value = (gint64) real;
  return TRUE;
}

/* ---- display ---- */

static gboolean            follows_language;
static _Thread_local guint n_with_points; /* nested blocks of LAC_NUMBERS_WITH_POINTS */

static char
get_separator(void)
{
  if (!follows_language || n_with_points > 0)
    return '.';
  return *C_("decimal separator", ".") == ',' ? ',' : '.';
}

static char *
replace_separator(char *text, char before, char after)
{
  for (char *at = text; before != after && *at != '\0'; at++)
    if (*at == before && at > text && g_ascii_isdigit(at[-1]) && g_ascii_isdigit(at[1]))
      *at = after;
  return text;
}

void
lac_number_follow_language(void)
{
  follows_language = TRUE;
}

char *
lac_number_localise(char *text)
{
  g_return_val_if_fail(text != NULL, NULL);
  return replace_separator(text, '.', get_separator());
}

char *
lac_number_delocalise(char *text)
{
  g_return_val_if_fail(text != NULL, NULL);
  return replace_separator(text, get_separator(), '.');
}

char *
lac_number_dup_fixed(double value, guint decimals)
{
  char format[16], text[G_ASCII_DTOSTR_BUF_SIZE + 320]; /* 320: digits of the largest double */
  g_snprintf(format, sizeof format, "%%.%uf", MIN(decimals, 20));
  return g_strdup(lac_number_localise(g_ascii_formatd(text, sizeof text, format, value)));
}

LacPoints
lac_number_points_begin(void)
{
  return n_with_points++;
}

void
lac_number_points_end(LacPoints *before)
{
  n_with_points = *before;
}
