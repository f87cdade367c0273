/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shortest decimal text of a double, and strict parsing. */
#include "base/number.h"

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
