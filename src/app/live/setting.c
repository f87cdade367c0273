/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/live/setting.h"

#include "base/number-display.h"
#include "experiment/experiment.h"
#include "report/summary/settings.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>

static const LacRunSetting *
find_stored(LacSession *session, const char *key)
{
  const LacRunFile *file = lac_session_get_file(session);
  for (gsize i = 0; file != NULL && i < file->n_settings; i++)
    if (g_str_equal(file->settings[i].key, key) && !file->settings[i].is_unused)
      return &file->settings[i];
  return NULL;
}

static const LacParam *
find_drafted(const LacDraft *draft, const char *key)
{
  const LacParam *param = draft != NULL ? lac_param_find(lac_draft_get_table(draft), key) : NULL;
  return param != NULL && lac_draft_is_in_use(draft, param) ? param : NULL;
}

/* A value with a name has no unit. */
static char *
dup_drafted(const LacDraft *draft, const LacParam *param)
{
  g_autofree char *text = lac_draft_dup_text(draft, param);
  g_autofree char *shown = lac_param_dup_shown(param, text);
  if (!g_str_equal(shown, text))
    return g_steal_pointer(&shown);
  lac_number_localise(text);
  return lac_text_with_unit(text, param->unit);
}

char *
lac_live_setting_dup_shown(LacSession     *session,
                           const LacDraft *draft,
                           const char     *key,
                           const char    **label)
{
  const LacRunSetting *stored = find_stored(session, key);
  const LacParam      *param = stored == NULL ? find_drafted(draft, key) : NULL;
  if (label != NULL)
    *label = stored != NULL ? _(stored->label) : param != NULL ? _(param->label) : NULL;
  if (stored == NULL)
    return param != NULL ? dup_drafted(draft, param) : NULL;
  const LacRunFile *file = lac_session_get_file(session);
  g_autofree char  *shown = lac_experiment_dup_shown(file->experiment, key, stored->text);
  return g_str_equal(shown, stored->text) ? lac_setting_dup_value(file, stored, stored->text)
                                          : g_steal_pointer(&shown);
}

double
lac_live_setting_get_number(LacSession *session, const LacDraft *draft, const char *key)
{
  char                *end;
  const LacRunSetting *stored = find_stored(session, key);
  const LacParam      *param = stored == NULL ? find_drafted(draft, key) : NULL;
  g_autofree char     *text = stored != NULL  ? g_strdup(stored->text)
                              : param != NULL ? lac_draft_dup_text(draft, param)
                                              : g_strdup("");
  double               number = g_ascii_strtod(text, &end);
  return *text != '\0' && *end == '\0' ? number : (double) NAN;
}
