/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decimal separator of the language. */
#include "base/number-display.h"

#include <glib/gi18n-lib.h>

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
