/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Number formatting: at most four significant digits. */
#include "report/text/number.h"

#include "base/number-display.h"
#include "base/unit.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MINUS             "\u2212"
#define LEAST_PLAIN_POWER (-3)
#define MOST_PLAIN_POWER  4

char *
lac_number_take_minus(char *text)
{
  GString *changed = g_string_new(NULL);

  for (const char *at = text; *at != '\0'; at++)
    if (*at == '-' && (g_ascii_isdigit(at[1]) || g_str_has_prefix(at + 1, "inf")))
      g_string_append(changed, MINUS);
    else
      g_string_append_c(changed, *at);
  g_free(text);
  return g_string_free(changed, FALSE);
}

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
  return lac_number_take_minus(
    lac_number_localise(g_strdup_printf("%.*se%d", (int) n, text, atoi(e + 1))));
}

char *
lac_number_text(double value)
{
  if (isnan(value))
    return g_strdup("–");
  if (isinf(value))
    return g_strdup(value > 0 ? "inf" : MINUS "inf");
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
  return lac_number_take_minus(lac_number_localise(g_strdup(plain)));
}

/* Returns: (transfer full): "6.9·10⁻⁶" of "6.9e-06" */
static char *
write_power(const char *text)
{
  static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  const char              *e = strchr(text, 'e');
  g_autofree char         *mantissa = g_strndup(text, (gsize) (e - text));
  g_autofree char         *power = g_strdup_printf("%d", atoi(e + 1));
  GString                 *words = g_string_new(lac_number_localise(mantissa));

  g_string_append(words, "·10");
  for (const char *at = power; *at != '\0'; at++)
    g_string_append(words, *at == '-' ? "⁻" : raised[*at - '0']);
  return lac_number_take_minus(g_string_free(words, FALSE));
}

char *
lac_significant_text(double value, guint digits)
{
  char format[16], text[64];

  if (!isfinite(value) || value == 0)
    return lac_number_text(value);
  g_snprintf(format, sizeof format, "%%.%ue", MAX(digits, 1) - 1);
  g_ascii_formatd(text, sizeof text, format, value);
  const int power = atoi(strchr(text, 'e') + 1), decimals = (int) digits - 1 - power;
  if (power < LEAST_PLAIN_POWER || power > MOST_PLAIN_POWER)
    return write_power(text);
  return lac_number_take_minus(lac_number_dup_fixed(value, (guint) MAX(decimals, 0)));
}

char *
lac_percent_text(double fraction)
{
  const double percent = 100 * fraction, size = fabs(percent);

  if (!isfinite(percent))
    return lac_number_text(percent);
  if ((size < 0.001 && size > 0) || size >= 9999.5) {
    g_autofree char *number = lac_significant_text(percent, size < 1 ? 2 : 4);
    return g_strdup_printf("%s %%", number);
  }
  const guint      decimals = size >= 99.95 || size <= 0 ? 0
                              : size >= 9.995            ? 1
                              : size >= 0.9995           ? 2
                                                         : 3;
  g_autofree char *number = lac_number_take_minus(lac_number_dup_fixed(percent, decimals));
  return g_strdup_printf("%s %%", number);
}

/* Formats three significant digits with trailing zeros, so that columns align. */
static char *
three_digits(double value, const char *unit)
{
  double           size = fabs(value);
  g_autofree char *text = lac_number_dup_fixed(value, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
  return g_strdup_printf("%s %s", text, unit);
}

char *
lac_duration_text(double seconds)
{
  if (!isfinite(seconds))
    return g_strdup("–");
  double size = fabs(seconds);
  if (size == 0)
    return g_strdup("0 s");
  if (size < 999.5e-9)
    return g_strdup_printf("%.0f ns", seconds * 1e9);
  if (size < 999.5e-6)
    return three_digits(seconds * 1e6, "µs");
  if (size < 999.5e-3)
    return three_digits(seconds * 1e3, "ms");
  if (size < 119.5)
    return three_digits(seconds, "s");
  gint64 whole = (gint64) llround(seconds);
  if (size < 3600)
    return g_strdup_printf("%d min %d s", (int) (whole / 60), (int) (whole % 60));
  return g_strdup_printf("%" G_GINT64_FORMAT " h %d min", whole / 3600, (int) (whole % 3600 / 60));
}

char *
lac_bytes_text(double bytes)
{
  static const char *const units[] = {"kB", "MB", "GB", "TB"};
  if (!isfinite(bytes) || bytes < 0)
    return g_strdup("–");
  if (bytes < 1000)
    return g_strdup_printf("%.0f B", bytes);
  gsize u = 0;
  for (bytes /= 1000; bytes >= 999.5 && u + 1 < G_N_ELEMENTS(units); u++)
    bytes /= 1000;
  return three_digits(bytes, units[u]);
}

static gboolean
is_dimensionless(const char *unit)
{
  return unit == NULL || *unit == '\0' || strcmp(unit, "1") == 0;
}

char *
lac_text_with_unit(const char *number, const char *unit)
{
  g_return_val_if_fail(number != NULL, NULL);
  return is_dimensionless(unit) ? g_strdup(number) : g_strdup_printf("%s %s", number, unit);
}

char *
lac_label_with_unit(const char *label, const char *unit)
{
  g_return_val_if_fail(label != NULL, NULL);
  if (is_dimensionless(unit))
    return g_strdup(label);
  return g_strdup_printf("%s (%s)", label, unit);
}

char *
lac_label_with_shown_unit(const char *label, const char *unit)
{
  return lac_label_with_unit(label, lac_shown(unit).unit);
}

char *
lac_change_text(double change)
{
  const double percent = round(100 * change);

  if (!isfinite(change))
    return g_strdup("–");
  if (percent == 0)
    return g_strdup_printf(_("%s %%"), "0");
  g_autofree char *digits = g_strdup_printf("%s%.0f", percent < 0 ? "−" : "+", fabs(percent));
  return g_strdup_printf(_("%s %%"), digits);
}
