/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes of settings: the event "set" with the detail "key = value". */
#include "report/summary/changes.h"

#include "report/summary/settings.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <string.h>

#define EVENT     "set"
#define SEPARATOR " = "

gboolean
lac_run_event_is_change(const LacRunEvent *event)
{
  return g_str_equal(event->what, EVENT) && event->detail != NULL &&
         strstr(event->detail, SEPARATOR) != NULL;
}

static void
clear_change(gpointer data)
{
  LacRunChange *change = data;

  g_free(change->before);
  g_free(change->after);
}

static const LacRunSetting *
find_setting(const LacRunFile *run, const LacRunEvent *event)
{
  const gsize length = (gsize) (strstr(event->detail, SEPARATOR) - event->detail);

  for (gsize i = 0; i < run->n_settings; i++)
    if (strlen(run->settings[i].key) == length &&
        strncmp(run->settings[i].key, event->detail, length) == 0)
      return &run->settings[i];
  return NULL;
}

/* Returns: (nullable): the value that an earlier change gave the setting. */
static const char *
find_earlier(const GArray *changes, const LacRunSetting *setting)
{
  for (guint i = changes->len; i-- > 0;)
    if (g_array_index(changes, LacRunChange, i).setting == setting)
      return g_array_index(changes, LacRunChange, i).after;
  return NULL;
}

GArray *
lac_run_changes(const LacRunFile *run)
{
  GArray *changes = g_array_new(FALSE, FALSE, sizeof(LacRunChange));

  g_return_val_if_fail(run != NULL, changes);
  g_array_set_clear_func(changes, clear_change);
  for (gsize i = 0; i < run->n_events; i++) {
    const LacRunEvent   *event = &run->events[i];
    const LacRunSetting *setting = lac_run_event_is_change(event) ? find_setting(run, event) : NULL;

    if (setting == NULL)
      continue;
    const char  *earlier = find_earlier(changes, setting);
    LacRunChange change = {
      .step = event->step,
      .setting = setting,
      .before =
        earlier != NULL ? g_strdup(earlier) : lac_setting_dup_value(run, setting, setting->text),
      .after =
        lac_setting_dup_value(run, setting, strstr(event->detail, SEPARATOR) + strlen(SEPARATOR)),
    };
    g_array_append_val(changes, change);
  }
  return changes;
}

char *
lac_run_change_dup_text(const LacRunChange *change)
{
  return g_strdup_printf(_("%s %s → %s at step %" PRId64), lac_word(change->setting->label),
                         change->before, change->after, change->step);
}
