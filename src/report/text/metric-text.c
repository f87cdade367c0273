/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers with their standard errors. */
#include "report/text/metric-text.h"

#include "base/number-display.h"
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

static gssize
find_declared_error(const LacMetric *metrics, gsize n_metrics, gsize m)
{
  const char *key = metrics[m].placing.standard_error;

  for (gsize i = 0; i < n_metrics && key != NULL; i++)
    if (g_str_equal(metrics[i].key, key))
      return (gssize) i;
  return -1;
}

double
lac_metric_standard_error(const LacMetric *metrics, const double *values, gsize n_metrics, gsize m)
{
  gssize error = lac_metric_find_error(metrics, n_metrics, m);

  if (error < 0)
    error = find_declared_error(metrics, n_metrics, m);
  return error < 0 ? (double) NAN
                   : values[error] * lac_unit_ratio(metrics[error].unit, metrics[m].unit);
}

/* Returns the decimal places of a number with two digits of its error; -1 for an error that is unknown, or beyond the
 * range of plain notation. */
static int
find_places(double value, double error)
{
  if (!isfinite(value) || !isfinite(error) || error <= 0)
    return -1;
  const int places = 1 - (int) floor(log10(error));
  return places > MOST_PLACES ? -1 : places;
}

static char *
dup_places(double value, int places)
{
  char format[16], number[64];

  g_snprintf(format, sizeof format, "%%.%df", places);
  g_ascii_formatd(number, sizeof number, format, value);
  return lac_number_take_minus(lac_number_localise(g_strdup(number)));
}

char *
lac_number_with_error_text(double value, double error)
{
  const int places = find_places(value, error);

  if (places < 0)
    return lac_number_text(value);
  g_autofree char *number = dup_places(value, places);
  return g_strdup_printf("%s(%.0f)", number, round(error * pow(10, places)));
}

char *
lac_number_plus_minus_text(double value, double error)
{
  const int places = find_places(value, error);

  if (places < 0)
    return lac_number_text(value);
  g_autofree char *number = dup_places(value, places), *width = dup_places(error, places);
  return g_strdup_printf("%s ± %s", number, width);
}

char *
lac_number_rounded_text(double value, double error)
{
  const int places = find_places(value, error);

  return places < 0 ? lac_number_text(value) : dup_places(value, places);
}

char *
lac_metric_text(const LacMetric *metrics, const double *values, gsize n_metrics, gsize m)
{
  const LacShown shown = lac_shown(metrics[m].unit);
  const double   value = lac_shown_value(&shown, values[m]);
  const double   error = lac_metric_standard_error(metrics, values, n_metrics, m) * shown.factor;

  if (metrics[m].placing.is_fraction)
    return lac_percent_text(values[m]);
  g_autofree char *number = find_declared_error(metrics, n_metrics, m) >= 0
                              ? lac_number_plus_minus_text(value, error)
                              : lac_number_with_error_text(value, error);

  return lac_text_with_unit(number, isfinite(values[m]) ? shown.unit : NULL);
}
