/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/session/words.h"

#include "app/toolkit/format.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <math.h>

static const struct {
  const char *outcome, *words;
} outcomes[] = {
  {"finished", N_("finished")}, {"stopped", N_("stopped")},         {"diverged", N_("diverged")},
  {"failed", N_("failed")},     {"interrupted", N_("interrupted")},
};

static const char *
translate_outcome(const char *outcome)
{
  for (gsize i = 0; i < G_N_ELEMENTS(outcomes); i++)
    if (g_str_equal(outcomes[i].outcome, outcome))
      return _(outcomes[i].words);
  return _("ended");
}

char *
lac_run_status_dup_words(const LacRunStatus *status)
{
  g_return_val_if_fail(status != NULL, NULL);
  g_autofree char *duration = NULL;
  switch (status->state) {
  case LAC_RUN_SETTING_UP: return g_strdup(_("preparing"));
  case LAC_RUN_PAUSED: return g_strdup_printf(_("paused at %" PRId64), status->step);
  case LAC_RUN_ENDED:
    return g_strdup(status->is_unassembled ? _("ended without run.h5")
                                           : translate_outcome(status->outcome));
  case LAC_RUN_RUNNING: break;
  }
  if (status->seconds_left < 0)
    return g_strdup(_("running"));
  duration = lac_format_duration(status->seconds_left);
  return g_strdup_printf(_("%s left"), duration);
}

char *
lac_session_dup_age(LacSession *session)
{
  g_return_val_if_fail(LAC_IS_SESSION(session), NULL);
  double age = floor(lac_session_get_age(session));
  return age < 60 ? g_strdup_printf("%.0f s", age) : lac_format_duration(age);
}

char *
lac_session_dup_words(LacSession *session)
{
  g_return_val_if_fail(LAC_IS_SESSION(session), NULL);
  if (!lac_session_is_followed(session))
    return lac_run_status_dup_words(lac_session_get_status(session));
  g_autofree char *age = lac_session_dup_age(session);
  return g_strdup_printf(_("watching another process, last update %s ago"), age);
}
