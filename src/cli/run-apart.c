/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thread waits for the process, so that a signal can stop it. */
#include "cli/run-apart.h"

#define LOOK_EVERY_US 100000

typedef struct {
  LacRunChild *child;
  gboolean     announces;
  JsonObject  *result;
  GError      *error;
  GMutex       lock;
  GCond        ended;
  gboolean     has_ended;
} Wait;

static gpointer
wait_in_thread(gpointer data)
{
  Wait            *wait = data;
  g_autofree char *folder = lac_run_child_wait_for_folder(wait->child, &wait->error);

  if (folder != NULL && wait->announces)
    g_print("%s\n", folder);
  wait->result = lac_run_child_wait(wait->child, wait->error == NULL ? &wait->error : NULL);
  g_mutex_lock(&wait->lock);
  wait->has_ended = TRUE;
  g_cond_signal(&wait->ended);
  g_mutex_unlock(&wait->lock);
  return NULL;
}

static void
wait_for(Wait *wait, const LacApart *apart)
{
  gboolean is_stopping = FALSE;

  g_mutex_lock(&wait->lock);
  while (!wait->has_ended) {
    g_cond_wait_until(&wait->ended, &wait->lock, g_get_monotonic_time() + LOOK_EVERY_US);
    if (!is_stopping && apart->is_stopped()) {
      is_stopping = TRUE;
      lac_run_child_stop(wait->child);
    }
  }
  g_mutex_unlock(&wait->lock);
}

static void
tell_once(void)
{
  static gboolean told = FALSE;

  if (!told)
    g_printerr("lacuna: %s\n", lac_run_child_get_reason());
  told = TRUE;
}

JsonObject *
lac_run_apart(const LacRunSettings *settings, const LacApart *apart, GError **error)
{
  g_autoptr(GError)      why = NULL;
  g_autofree char       *model = NULL;
  g_autoptr(LacRunChild) child = NULL;

  if (apart->model != NULL)
    g_file_get_contents(apart->model, &model, NULL, NULL);
  child = lac_run_child_new(settings, model, apart->is_quiet, &why);
  if (child == NULL) {
    g_debug("no process of its own: %s", why->message);
    return NULL;
  }
  tell_once();
  Wait     wait = {.child = child, .announces = apart->announces};
  GThread *thread;

  g_mutex_init(&wait.lock);
  g_cond_init(&wait.ended);
  thread = g_thread_new("run apart", wait_in_thread, &wait);
  wait_for(&wait, apart);
  g_thread_join(thread);
  g_cond_clear(&wait.ended);
  g_mutex_clear(&wait.lock);
  if (wait.error == NULL)
    return wait.result;
  g_clear_pointer(&wait.result, json_object_unref);
  g_propagate_error(error, wait.error);
  return NULL;
}
