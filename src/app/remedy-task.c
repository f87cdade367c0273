/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remedies, by folder. */
#include "app/remedy-task.h"

#include "app/owned-task.h"

static void
find_in_thread(GTask *task, gpointer source, gpointer folder, GCancellable *cancellable)
{
  g_task_return_pointer(task, lac_remedy_find(folder), (GDestroyNotify) lac_remedy_free);
}

void
lac_remedy_task_start(LacSession *session, gpointer owner, GAsyncReadyCallback done)
{
  g_return_if_fail(LAC_IS_SESSION(session));
  g_autoptr(GTask) task = lac_owned_task_new(owner, NULL, done);
  g_task_set_task_data(task, g_strdup(lac_session_get_folder(session)), g_free);
  g_task_run_in_thread(task, find_in_thread);
}

LacRemedy *
lac_remedy_task_finish(GAsyncResult *result, LacSession *session)
{
  g_autoptr(LacRemedy) remedy = g_task_propagate_pointer(G_TASK(result), NULL);
  const char          *folder = g_task_get_task_data(G_TASK(result));
  const gboolean is_shown = session != NULL && g_str_equal(folder, lac_session_get_folder(session));
  return is_shown ? g_steal_pointer(&remedy) : NULL;
}
