/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks up remedies by run folder. */
#include "app/session/remedy-task.h"

static gpointer
find(gpointer folder, GCancellable *cancellable, GError **error)
{
  return lac_remedy_find(folder);
}

void
lac_remedy_task_start(LacSession *session, gpointer owner, LacJobShow show)
{
  g_return_if_fail(LAC_IS_SESSION(session));
  lac_job_run(owner, &(LacJobKind){.work = find, .show = show, .free_request = g_free},
              g_strdup(lac_session_get_folder(session)));
}

gboolean
lac_remedy_task_is_of(gconstpointer folder, LacSession *session)
{
  return session != NULL && g_str_equal(folder, lac_session_get_folder(session));
}
