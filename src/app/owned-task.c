/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The owner belongs to what calls back, which exists in the main loop alone, not to the task. */
#include "app/owned-task.h"

#define OWNER "lacuna-owner"

typedef struct {
  gpointer            owner;
  GAsyncReadyCallback done;
} Answer;

static void
on_done(GObject *source, GAsyncResult *result, gpointer user_data)
{
  Answer *answer = user_data;
  answer->done(answer->owner, result, NULL);
  g_object_unref(answer->owner);
  g_free(answer);
}

GTask *
lac_owned_task_new(gpointer owner, GCancellable *cancellable, GAsyncReadyCallback done)
{
  g_return_val_if_fail(G_IS_OBJECT(owner) && done != NULL, NULL);
  Answer *answer = g_new(Answer, 1);
  *answer = (Answer){g_object_ref(owner), done};
  GTask *task = g_task_new(NULL, cancellable, on_done, answer);
  g_object_set_data(G_OBJECT(task), OWNER, owner);
  return task;
}

gpointer
lac_owned_task_get_owner(GTask *task)
{
  g_return_val_if_fail(G_IS_TASK(task), NULL);
  return g_object_get_data(G_OBJECT(task), OWNER);
}
