/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Display text of quantities. */
#include "app/toolkit/format.h"

#include "base/number-display.h"
#include "base/unit.h"
#include "field/frame.h"
#include "report/text/number.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define NOTHING "–"

char *
lac_format_duration(double seconds)
{
  if (!isfinite(seconds) || seconds < 0)
    return g_strdup(NOTHING);
  if (seconds < 0.9995)
    return g_strdup_printf(_("%.0f ms"), seconds * 1e3);
  if (seconds < 9.95)
    return lac_number_localise(g_strdup_printf(_("%.1f s"), seconds));
  gint64 whole = (gint64) llround(seconds);
  if (whole < 60)
    return g_strdup_printf(_("%d s"), (int) whole);
  if (whole < 3600)
    return g_strdup_printf(_("%d min %02d s"), (int) (whole / 60), (int) (whole % 60));
  return g_strdup_printf(_("%d h %02d min"), (int) (whole / 3600), (int) (whole % 3600 / 60));
}

char *
lac_format_span(double ns)
{
  static const struct {
    double      scale;
    const char *unit;
  } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}};
  if (!isfinite(ns) || ns < 0)
    return g_strdup(NOTHING);
  gsize i = 0;
  while (i + 1 < G_N_ELEMENTS(units) && ns < units[i].scale)
    i++;
  double value = ns / units[i].scale;
  int    decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
  return lac_number_localise(g_strdup_printf("%.*f %s", decimals, value, units[i].unit));
}

char *
lac_format_bytes(double bytes)
{
  return lac_bytes_text(bytes);
}

char *
lac_format_metric(double value, const char *unit)
{
  if (!isfinite(value))
    return g_strdup(NOTHING);
  LacShown         shown = lac_shown(unit);
  g_autofree char *number = lac_number_text(lac_shown_value(&shown, value));
  if (unit == NULL || g_str_equal(unit, "") || g_str_equal(unit, "1"))
    return g_steal_pointer(&number);
  return g_strdup_printf("%s %s", number, shown.unit);
}

/* Returns: the label of a metric. A method's first metric is labelled by its title, the value computed at each step. */
char *
lac_format_metric_name(const LacMetric *metric)
{
  if (g_str_has_suffix(metric->key, ".error"))
    return g_strdup(_("Current error"));
  if (g_str_has_suffix(metric->key, ".misfit_now"))
    return g_strdup(_("Current misfit"));
  return lac_word_dup_short(metric->label);
}

/* Returns: a word for derived and counted quantities; the symbol for others. */
char *
lac_format_quantity(const char *key)
{
  static const char *const words[] = {
    N_("amplitude"),       N_("coverage"),     N_("density"),   N_("divergence"),
    N_("error reduction"), N_("exit wave"),    N_("k plane"),   N_("local energy"),
    N_("density volume"),  N_("spin density"), N_("phase"),     N_("pressure"),
    N_("q criterion"),     N_("speed"),        N_("vorticity"),
  };
  char *word = g_strdelimit(g_strdup(key), "_", ' ');
  for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
    if (g_str_equal(word, words[i])) {
      g_free(word);
      return g_strdup(_(words[i]));
    }
  return word;
}

char *
lac_format_count(guint64 count)
{
  g_autofree char *digits = g_strdup_printf("%" G_GUINT64_FORMAT, count);
  gsize            n = strlen(digits);
  GString         *text = g_string_new(NULL);
  for (gsize i = 0; i < n; i++) {
    if (i > 0 && (n - i) % 3 == 0)
      g_string_append(text, " ");
    g_string_append_c(text, digits[i]);
  }
  return g_string_free(text, FALSE);
}
