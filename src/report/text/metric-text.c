/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers with their standard errors. */
#include "report/text/metric-text.h"

#include "base/unit.h"
#include "field/frame.h"
#include "report/text/number.h"

#include <math.h>
#include <string.h>

#define ERROR_OF    "standard_error_"
#define MOST_PLACES 12

/* Returns TRUE when @key without "standard_error_", or without "_standard_error" at its end, equals @base. */
static gboolean
is_error_of(const char *key, const char *base)
{
  const char *mark = strstr(key, ERROR_OF);
  gsize       before, length = strlen(ERROR_OF);

  if (mark == NULL && g_str_has_suffix(key, "_standard_error")) {
    length = strlen("_standard_error");
    mark = key + strlen(key) - length;
  }
  if (mark == NULL)
    return FALSE;
  before = (gsize) (mark - key);
  return strncmp(key, base, before) == 0 && g_str_equal(mark + length, base + before);
}

gssize
lac_metric_find_error(const LacMetric *metrics, gsize n_metrics, gsize m)
{
  for (gsize i = 0; i < n_metrics; i++)
    if (is_error_of(metrics[i].key, metrics[m].key))
      return (gssize) i;
  return -1;
}

gboolean
lac_metric_is_error(const LacMetric *metrics, gsize n_metrics, gsize m)
{
  for (gsize i = 0; i < n_metrics; i++)
    if (is_error_of(metrics[m].key, metrics[i].key))
      return TRUE;
  return FALSE;
}

char *
lac_number_with_error_text(double value, double error)
{
  if (!isfinite(value) || !isfinite(error) || error <= 0)
    return lac_number_text(value);
  const int places = 1 - (int) floor(log10(error));
  if (places > MOST_PLACES || places < 0)
    return lac_number_text(value);
  char format[16], number[64];
  g_snprintf(format, sizeof format, "%%.%df", places);
  g_ascii_formatd(number, sizeof number, format, value);
  return g_strdup_printf("%s(%.0f)", number, round(error * pow(10, places)));
}

char *
lac_metric_text(const LacMetric *metrics, const double *values, gsize n_metrics, gsize m)
{
  const gssize     error = lac_metric_find_error(metrics, n_metrics, m);
  const LacShown   shown = lac_shown(metrics[m].unit);
  const char      *unit = shown.unit;
  const double     value = lac_shown_value(&shown, values[m]);
  g_autofree char *number = error >= 0
                              ? lac_number_with_error_text(value, values[error] * shown.factor)
                              : lac_number_text(value);

  if (!isfinite(values[m]) || unit == NULL || *unit == '\0' || g_str_equal(unit, "1"))
    return g_steal_pointer(&number);
  return g_strdup_printf("%s %s", number, unit);
}
