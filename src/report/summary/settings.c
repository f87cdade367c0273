/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selection of the settings that mattered; values with units. */
#include "report/summary/settings.h"

#include "base/number-display.h"
#include "report/text/number.h"
#include "report/text/run-metrics.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

static gboolean
is_number(const char *text)
{
  char *end;

  g_ascii_strtod(text, &end);
  return end != text && *end == '\0';
}

/* Replaces the key of each method in a list by its name; a list of other names stays. */
static char *
dup_names(const LacRunFile *run, const char *text)
{
  g_auto(LacRunMetrics) metrics = {0};
  g_auto(GStrv)         words = g_strsplit(text, ",", -1);

  lac_run_metrics_init(&metrics, run);
  for (gsize i = 0; words[i] != NULL; i++)
    for (gsize m = 0; m < metrics.n; m++) {
      const char *group = lac_metric_group(&metrics.metrics[m]);

      if (!g_str_equal(group, words[i]))
        continue;
      g_free(words[i]);
      words[i] = g_strdup(lac_word(lac_metric_group_label(group, metrics.metrics, metrics.n,
                                                          metrics.channels, metrics.n_channels)));
      break;
    }
  return g_strjoinv(", ", words);
}

char *
lac_setting_dup_value(const LacRunFile *run, const LacRunSetting *setting, const char *text)
{
  const gboolean has_unit =
    setting->unit != NULL && *setting->unit != '\0' && !g_str_equal(setting->unit, "1");

  if (text == NULL || *text == '\0')
    return g_strdup(_("none"));
  if (!is_number(text))
    return dup_names(run, text);
  g_autofree char *number = lac_number_take_minus(lac_number_localise(g_strdup(text)));
  return has_unit ? g_strdup_printf("%s %s", number, setting->unit) : g_steal_pointer(&number);
}

gboolean
lac_setting_is_changed(const LacRunSetting *setting)
{
  return !setting->is_default && !setting->is_unused;
}

gboolean
lac_setting_mattered(const LacRunSetting *setting)
{
  const gboolean is_of_method = setting->method != NULL && *setting->method != '\0';

  return lac_setting_is_changed(setting) ||
         (is_of_method && !setting->is_unused && !setting->is_advanced);
}

static void
clear_line(gpointer data)
{
  LacSettingsLine *line = data;

  g_free(line->title);
  g_free(line->text);
}

static void
append(GString *line, const LacRunFile *run, const LacRunSetting *setting)
{
  g_autofree char *value = lac_setting_dup_value(run, setting, setting->text);

  g_string_append_printf(line, "%s%s %s", line->len > 0 ? " · " : "", lac_word(setting->label),
                         value);
}

static void
add_line(GArray *lines, const char *title, GString *text)
{
  const LacSettingsLine line = {g_strdup(title), g_strdup(text->str)};

  if (text->len > 0)
    g_array_append_val(lines, line);
  else
    clear_line((gpointer) &line);
}

/* Returns TRUE when an earlier setting belongs to the same method. */
static gboolean
is_known_method(const LacRunFile *run, gsize i)
{
  for (gsize k = 0; k < i; k++)
    if (g_strcmp0(run->settings[k].method, run->settings[i].method) == 0)
      return TRUE;
  return FALSE;
}

static void
add_method(GArray *lines, const LacRunFile *run, const char *method)
{
  g_autoptr(GString) text = g_string_new(NULL);
  g_autofree char   *name = dup_names(run, method);

  for (gsize i = 0; i < run->n_settings; i++)
    if (g_strcmp0(run->settings[i].method, method) == 0 &&
        lac_setting_mattered(&run->settings[i]) && !lac_setting_is_changed(&run->settings[i]))
      append(text, run, &run->settings[i]);
  add_line(lines, name, text);
}

GArray *
lac_settings_that_mattered(const LacRunFile *run)
{
  GArray            *lines = g_array_new(FALSE, FALSE, sizeof(LacSettingsLine));
  g_autoptr(GString) changed = g_string_new(NULL);

  g_array_set_clear_func(lines, clear_line);
  for (gsize i = 0; i < run->n_settings; i++)
    if (lac_setting_is_changed(&run->settings[i]))
      append(changed, run, &run->settings[i]);
  add_line(lines, _("Changed"), changed);
  for (gsize i = 0; i < run->n_settings; i++)
    if (run->settings[i].method != NULL && *run->settings[i].method != '\0' &&
        !is_known_method(run, i))
      add_method(lines, run, run->settings[i].method);
  return lines;
}
