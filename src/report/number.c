/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as text for a person: at most four significant digits, the same in every locale. */
#include "report/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "-1.500e-05" becomes "-1.5e-5" */
static char *
tidy_exponent(const char *text)
{
  const char *e = strchr(text, 'e');
  gsize       n = (gsize) (e - text);
  if (memchr(text, '.', n) != NULL)
    while (text[n - 1] == '0')
      n--;
  if (text[n - 1] == '.')
    n--;
  return g_strdup_printf("%.*se%d", (int) n, text, atoi(e + 1));
}

char *
lac_number_text(double value)
{
  if (isnan(value))
    return g_strdup("–");
  if (isinf(value))
    return g_strdup(value > 0 ? "inf" : "-inf");
  if (value == 0)
    return g_strdup("0");

  char exponent[32];
  g_ascii_formatd(exponent, sizeof exponent, "%.3e", value);
  int power = atoi(strchr(exponent, 'e') + 1);
  if (power < -3 || power > 4)
    return tidy_exponent(exponent);
  char plain[32];
  g_ascii_formatd(plain, sizeof plain, power == 4 ? "%.0f" : "%.4g", value);
  if (power == 4 && fabs(value - g_ascii_strtod(plain, NULL)) > 0)
    return tidy_exponent(exponent);
  return g_strdup(plain);
}
